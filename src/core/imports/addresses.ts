/** Addresses of links at other services, as they write them: whole URLs, without a scheme, or paths alone. */
import type { OldAddress } from "./old-link";

/** Hosts that belong to a service, whose addresses stay there; subdomains count with them. */
const FOREIGN_HOSTS: Readonly<Record<string, string>> = {
  "page.link": "Firebase Dynamic Links, which have been shut down",
  "app.goo.gl": "Google",
  "goo.gl": "Google",
  "bit.ly": "Bitly",
  "bitly.com": "Bitly",
  "j.mp": "Bitly",
  "dub.sh": "Dub",
  "dub.link": "Dub",
  "rebrand.ly": "Rebrandly",
  "short.gy": "Short.io",
  "kutt.it": "Kutt",
  "kutt.to": "Kutt",
};

/** What Dub calls the root of a domain. */
const ROOT = "_root";

/** Undefined for text that is no address, or one whose path would not stay as it is. */
export function parseOldAddress(text: string): OldAddress | undefined {
  const [, written = ""] = /^(?:[a-z]+:\/\/)?[^/?#]*([^?#]*)/i.exec(text) ?? [];
  if (!isStraight(trimmed(written))) return undefined;
  if (text.startsWith("/")) return { host: null, path: pathOf(text) };
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || !url.hostname.includes(".")) return undefined;
  return { host: url.host, path: pathOf(url.pathname) };
}

/**
 * Whether a path, without the slashes at its ends, is kept as it is written: no segment is empty, resolved by browsers (`.`, `..`,
 * also escaped), or has an escaped slash.
 */
export const isStraight = (path: string): boolean =>
  path === "" || path.split("/").every((segment) => segment !== "" && !/^(?:\.|%2e){1,2}$|%2f|%5c|\\/i.test(segment));

/** By host and key, as most services name them apart. */
export const oldAddress = (host: string | undefined, key: string): OldAddress => ({
  host: host === undefined ? null : (parseOldAddress(host)?.host ?? host.toLowerCase()),
  path: key === ROOT ? "" : trimmed(key),
});

/** Whether it answers nobody any more. */
export const isShutDown = (host: string): boolean => /(?:^|\.)(?:page\.link|app\.goo\.gl|goo\.gl)$/.test(host);

/** Who has the host for good; undefined where it can be pointed at us. */
export function ownerOfHost(host: string): string | undefined {
  const labels = host.replace(/:\d+$/, "").split(".");
  for (let from = 0; from < labels.length - 1; from++) {
    const name = labels.slice(from).join(".");
    if (Object.hasOwn(FOREIGN_HOSTS, name)) return FOREIGN_HOSTS[name];
  }
  return undefined;
}

function pathOf(path: string): string {
  const own = trimmed(path);
  try {
    const decoded = decodeURIComponent(own);
    return decoded === ROOT ? "" : decoded;
  } catch {
    return own;
  }
}

const trimmed = (path: string): string => path.replace(/^\/|\/$/g, "");
