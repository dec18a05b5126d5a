/**
 * Builds `robots.txt` of a custom domain (RFC 9309). Search engines may read the domain's bio pages and nothing else:
 * a short URL is not a page. Programs that preview shared links may read everything; some of them obey this file.
 */
import { escapeSegment } from "../names/slug";
import type { AssociationSource } from "./source";

/** User agents of link previewers, by the names they look for in this file. */
const PREVIEWERS = [
  ...["Applebot", "Bluesky", "Discordbot", "facebookexternalhit", "LinkedInBot", "Mastodon", "MicrosoftPreview"],
  ...["SkypeUriPreview", "Slack-ImgProxy", "Slackbot", "Slackbot-LinkExpanding", "TelegramBot", "Twitterbot"],
  "WhatsApp",
];

/** Files that bio pages load. */
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
