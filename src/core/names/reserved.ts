/** Lists first path segments that no short URL can have, on every domain or on the service's own hosts. They are folded. */
import { foldName } from "./fold";

/** What browsers, crawlers, phones and proxies ask for unbidden: nobody's slug, on any domain. */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  ".well-known",
  "ads.txt",
  "app-ads.txt",
  "apple-app-site-association",
  "apple-touch-icon-precomposed.png",
  "apple-touch-icon.png",
  "assetlinks.json",
  "cdn-cgi",
  "favicon.ico",
  "humans.txt",
  "robots.txt",
  "security.txt",
  "sitemap.xml",
]);

/**
 * Paths of the service itself, and words that people would take for some: reserved on hosts where the API and the
 * dashboard answer. On a customer's short domain they are slugs like any other.
 */
export const OWN_SEGMENTS: ReadonlySet<string> = new Set([
  ...["abuse", "account", "admin", "api", "app", "assets", "auth", "dashboard", "docs", "embed", "export", "health"],
  ...["import", "internal", "invite", "login", "logout", "mcp", "metrics", "oauth", "openapi.json", "privacy", "ready"],
  ...["register", "reset-password", "sdk", "security", "settings", "signin", "signup", "sso", "static", "status"],
  "terms",
]);

/**
 * Whether a link's address begins with a path of the service itself, which is so in any case. Both keys as they are
 * compared on the link's domain.
 */
export const beginsWithOwnSegment = ({ prefix, slug }: { prefix: string; slug: string }): boolean =>
  OWN_SEGMENTS.has(foldName(prefix === "" ? slug : prefix.split("/", 1).join()));
