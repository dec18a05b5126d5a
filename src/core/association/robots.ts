/**
 * `robots.txt` of a custom domain (RFC 9309): search engines may read its bio pages and nothing else, since a short URL
 * is nobody's page. Programs that make previews of what people share may read everything; some of them obey this file.
 */
import { escapeSegment } from "../names/slug";
import type { AssociationSource } from "./source";

/** By the names that they look for in this file. */
const PREVIEWERS = [
  ...["Applebot", "Bluesky", "Discordbot", "facebookexternalhit", "LinkedInBot", "Mastodon", "MicrosoftPreview"],
  ...["SkypeUriPreview", "Slack-ImgProxy", "Slackbot", "Slackbot-LinkExpanding", "TelegramBot", "Twitterbot"],
  "WhatsApp",
];

/** What a bio page is shown with. */
const BESIDE_PAGES = ["/.well-known/waymark/icons/", "/.well-known/waymark/images/", "/favicon.ico$"];

export function robotsFile({ excludedPaths }: Pick<AssociationSource, "excludedPaths">): string {
  const pages = excludedPaths.map((path) => `${path.split("/").map(escapeSegment).join("/")}$`);
  const allowed = pages.length === 0 ? [] : [...pages, ...BESIDE_PAGES];
  return [
    ...PREVIEWERS.map((name) => `User-agent: ${name}`),
    ...["Allow: /", "", "User-agent: *"],
    ...allowed.map((path) => `Allow: ${path}`),
    ...["Disallow: /", ""],
  ].join("\n");
}
