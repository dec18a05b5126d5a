/**
 * A link's address as caches and Postgres compare it: `host/prefix/slug`. The path is in NFKC and, except on
 * case-sensitive domains, in lower case. The host has no port, except the shared domain's. Most short URLs are
 * written exactly like their address, so the hot path can look them up without converting them.
 */
import { isAscii } from "@/core/names/fold";
import { punycodeOf } from "@/core/names/hostname";
import { formerSlugKey, slugKey } from "@/core/names/slug";

export interface Addressing {
  shortDomain: string;
  /** Reports whether the domain with this normalized host distinguishes slugs by case. */
  isCaseSensitive(host: string): boolean;
}

export interface Address {
  host: string;
  prefix: string;
  slug: string;
}

export const addressKey = ({ host, prefix, slug }: Address): string =>
  prefix === "" ? `${host}/${slug}` : `${host}/${prefix}/${slug}`;

export function splitAddress(key: string): Address {
  const [host = "", ...segments] = key.split("/");
  const slug = segments.pop() ?? "";
  return { host, prefix: segments.join("/"), slug };
}

export function normaliseHost(host: string, shortDomain: string): string {
  if (USUAL_HOST.test(host)) return host;
  const lowered = host.toLowerCase();
  if (lowered === shortDomain) return lowered;
  const name = isAscii(lowered) ? lowered : punycodeOf(lowered);
  return name.replace(/:\d+$/, "").replace(/\.$/, "");
}

/** Matches most hosts, which are the same when normalized. */
const USUAL_HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/;

/**
 * No link has a longer host, prefix or slug, so a longer address is neither looked up nor cached. Changing case can
 * make a text up to three times as long (`ﬃ`).
 */
const HOST_LENGTH_MAX = 260;
const PREFIX_LENGTH_MAX = 3 * 255;
const SLUG_LENGTH_MAX = 3 * 190;

/**
 * Returns the address for a host and a path as the client wrote them. Returns null if no link can have it: the path
 * is empty, too long, not valid UTF-8, or contains an escaped slash or a NUL byte, which Postgres does not allow in
 * text.
 */
export function addressOf(host: string, path: string, addressing: Addressing): Address | null {
  try {
    const normal = normaliseHost(host, addressing.shortDomain);
    const tellsCase = tellsCaseOf(normal, path, addressing);
    const written = path.split("/").filter(Boolean).map(decodeURIComponent);
    const segments = written.map((segment) => slugKey(segment, tellsCase));
    const slug = segments.pop();
    if (slug === undefined || [slug, ...segments].some((segment) => /[/\0]/.test(segment))) return null;
    const address = { host: normal, prefix: segments.join("/"), slug };
    return isTooLong(address) ? null : address;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** True for most paths, as they are usually written: nothing needs to be done to get their key. */
export const isItsOwnKey = (path: string): boolean => OWN_KEY.test(path);

const OWN_KEY = /^[a-z\d._~!+-]+(?:\/[a-z\d._~!+-]+)*$/;

/** Returns the key of a path that is not part of a URL, so nothing in it is escaped. */
export const pathKeyOn = (host: string, path: string, { isCaseSensitive }: Addressing): string =>
  SAME_IN_ANY_CASE.test(path) ? path : slugKey(path, isCaseSensitive(host));

/** Returns the key from before NFKC, which a link at this path may still have; null for nearly all paths. */
export const formerPathKeyOn = (host: string, path: string, { isCaseSensitive }: Addressing): string | null => {
  const former = formerSlugKey(path);
  return former === null || isCaseSensitive(host) ? null : former;
};

/**
 * Returns the address of a link that may still have its key from before NFKC; null for nearly all paths. The path
 * must be one for which `addressOf` returns an address.
 */
export function formerAddressOf(host: string, path: string, addressing: Addressing): Address | null {
  if (!path.includes("%")) return null;
  const written = path.split("/").filter(Boolean).map(decodeURIComponent).join("/");
  const normal = normaliseHost(host, addressing.shortDomain);
  const former = formerPathKeyOn(normal, written, addressing);
  return former === null ? null : splitAddress(`${normal}/${former}`);
}

/** Most paths read the same in any case, so the domain need not be checked for them. */
const SAME_IN_ANY_CASE = /^[a-z\d/._~!+-]*$/;

const tellsCaseOf = (host: string, path: string, { isCaseSensitive }: Addressing): boolean =>
  !SAME_IN_ANY_CASE.test(path) && isCaseSensitive(host);

const isTooLong = ({ host, prefix, slug }: Address): boolean =>
  host.length > HOST_LENGTH_MAX || prefix.length > PREFIX_LENGTH_MAX || slug.length > SLUG_LENGTH_MAX;
