/** Addresses of links at other services, as they write them: whole URLs, URLs without a scheme, or bare paths. */
import type { OldAddress } from "./old-link";

/** Hosts that belong to a service, so addresses there cannot move; subdomains are included. */
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

/** Dub's slug for the root of a domain. */
const ROOT = "_root";

/** Returns undefined for text that is no address, or whose path would not be preserved as written. */
export function parseOldAddress(text: string): OldAddress | undefined {
  const [, written = ""] = /^(?:[a-z]+:\/\/)?[^/?#]*([^?#]*)/i.exec(text) ?? [];
  if (!isStraight(trimmed(written))) return undefined;
  if (text.startsWith("/")) return { host: null, path: pathOf(text) };
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || !url.hostname.includes(".")) return undefined;
  return { host: url.host, path: pathOf(url.pathname) };
}

/**
 * True if a path (without slashes at its ends) is preserved as written: no segment is empty, none is resolved by
 * browsers (`.` and `..`, also escaped), and none contains an escaped slash or a backslash.
 */
export const isStraight = (path: string): boolean =>
  path === "" || path.split("/").every((segment) => segment !== "" && !/^(?:\.|%2e){1,2}$|%2f|%5c|\\/i.test(segment));

/** Builds an address from host and key, which most services state separately. */
export const oldAddress = (host: string | undefined, key: string): OldAddress => ({
  host: host === undefined ? null : (parseOldAddress(host)?.host ?? host.toLowerCase()),
  path: key === ROOT ? "" : trimmed(key),
});

/** True if the host no longer responds to anyone. */
export const isShutDown = (host: string): boolean => /(?:^|\.)(?:page\.link|app\.goo\.gl|goo\.gl)$/.test(host);

/** Returns the service that permanently owns the host; undefined if the host can be pointed at us. */
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
