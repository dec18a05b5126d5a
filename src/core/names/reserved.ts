/**
 * First path segments that no short URL can have, either on any domain or only on the service's own hosts. All are
 * folded.
 */
import { foldName } from "./fold";

/** Icons that iPhones and iPads request at the root of every site, also in the sizes of their screens, in pixels. */
const TOUCH_ICONS = ["", ...[57, 60, 72, 76, 114, 120, 144, 152, 167, 180].map((side) => `-${side}x${side}`)].flatMap(
  (size) => [`apple-touch-icon${size}.png`, `apple-touch-icon${size}-precomposed.png`],
);

/** Files that browsers, crawlers, phones and proxies request on their own: not available as slugs on any domain. */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  ".well-known",
  "ads.txt",
  "app-ads.txt",
  "apple-app-site-association",
  ...TOUCH_ICONS,
  "assetlinks.json",
  "cdn-cgi",
  "favicon.ico",
  "humans.txt",
  "robots.txt",
  "security.txt",
  "sitemap.xml",
]);

/**
 * Paths of the service itself, and words that people would take for one: reserved on hosts that serve the API and the
 * dashboard. On a customer's short domain they are ordinary slugs.
 */
export const OWN_SEGMENTS: ReadonlySet<string> = new Set([
  ...["abuse", "account", "admin", "api", "app", "assets", "auth", "dashboard", "docs", "embed", "export", "health"],
  ...["import", "internal", "invite", "login", "logout", "mcp", "metrics", "oauth", "openapi.json", "privacy", "ready"],
  ...["register", "reset-password", "sdk", "security", "settings", "signin", "signup", "sso", "static", "status"],
  "terms",
]);

/**
 * True if a link's address begins with a path of the service itself, ignoring case. Both keys are in the form in
 * which the link's domain compares them.
 */
export const beginsWithOwnSegment = ({ prefix, slug }: { prefix: string; slug: string }): boolean =>
  OWN_SEGMENTS.has(foldName(prefix === "" ? slug : prefix.split("/", 1).join()));
