/**
 * Recognizes unfurlers: programs that fetch a shared URL to show a card of it. Each puts its name into its
 * User-Agent; iMessage uses those of Facebook and X. Search engines, archives and other robots are not unfurlers, and
 * neither are the browsers inside the same companies' apps.
 */
export const UNFURLERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Facebook", /\bfacebookexternalhit\b|\bmeta-externalhit\b|\bFacebot\b/i],
  ["X", /\bTwitterbot\//i],
  ["LinkedIn", /\bLinkedInBot\b/i],
  ["Slack", /\bSlackbot-LinkExpanding\b|\bSlack-ImgProxy\b/i],
  ["Discord", /\bDiscordbot\b/i],
  ["Telegram", /\bTelegramBot\b/i],
  // Signal uses this name, too. A phone's browser may contain the word further on.
  ["WhatsApp", /^WhatsApp(?:\/|$)/i],
  ["Mastodon", /^Mastodon\/\d|\(Mastodon\/\d/i],
  ["Bluesky", /\bBluesky Cardyb\b|\bBlueskyPreviewBot\b/i],
  ["Teams", /\bSkypeUriPreview\b|\bMicrosoftPreview\b/i],
];

/** Unfurlers send shorter headers; anything beyond this length is ignored. */
const USER_AGENT_LENGTH_MAX = 512;

/** Returns the service that shows the card, or null for any other client. */
export function unfurlerOf(userAgent: string): string | null {
  const header = userAgent.slice(0, USER_AGENT_LENGTH_MAX);
  return UNFURLERS.find(([, sign]) => sign.test(header))?.[0] ?? null;
}
