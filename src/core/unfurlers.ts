/**
 * Recognizes unfurlers: programs that fetch a URL that somebody shares, to show a card of it. Each writes its name into its
 * User-Agent; iMessage writes those of Facebook and X. Search engines, archives and other robots are none, nor are the
 * browsers inside the same companies' apps.
 */
const UNFURLERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Facebook", /\bfacebookexternalhit\b|\bmeta-externalhit\b|\bFacebot\b/i],
  ["X", /\bTwitterbot\//i],
  ["LinkedIn", /\bLinkedInBot\b/i],
  ["Slack", /\bSlackbot-LinkExpanding\b|\bSlack-ImgProxy\b/i],
  ["Discord", /\bDiscordbot\b/i],
  ["Telegram", /\bTelegramBot\b/i],
  // Signal uses this name as well. A phone's browser may have the word later in its own.
  ["WhatsApp", /^WhatsApp(?:\/|$)/i],
  ["Mastodon", /^Mastodon\/\d|\(Mastodon\/\d/i],
  ["Bluesky", /\bBluesky Cardyb\b|\bBlueskyPreviewBot\b/i],
  ["Teams", /\bSkypeUriPreview\b|\bMicrosoftPreview\b/i],
];

/** No unfurler sends more; the rest of a longer header is not looked at. */
const USER_AGENT_LENGTH_MAX = 512;

/** The service that shows the card; null for everyone else. */
export function unfurlerOf(userAgent: string): string | null {
  const header = userAgent.slice(0, USER_AGENT_LENGTH_MAX);
  return UNFURLERS.find(([, sign]) => sign.test(header))?.[0] ?? null;
}
