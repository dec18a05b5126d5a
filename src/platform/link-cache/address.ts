/**
 * A link's address as caches and Postgres compare it: `host/prefix/slug`, the path in NFKC and, but on domains that tell
 * case, lower-cased; the host without its port unless that is the shared domain's. What a well-written short URL says is
 * its address already, so that the hot path looks it up as it came.
 */
import { formerSlugKey, slugKey } from "@/core/names/slug";

export interface Addressing {
  shortDomain: string;
  /** Whether a normalised host tells slugs apart by case. */
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
  const lowered = host.toLowerCase();
  if (lowered === shortDomain) return lowered;
  const name = ASCII.test(lowered) ? lowered : punycode(lowered);
  return name.replace(/:\d+$/, "").replace(/\.$/, "");
}

const ASCII = /^[\0-\x7f]*$/;

/** As browsers send a name that people write with letters of their own; what is no such name stays what it is. */
const punycode = (name: string): string => URL.parse(`http://${name}`)?.hostname ?? name;

/**
 * No link's host, prefix or slug is longer; what is, is not worth a look, nor a place in a cache. Changing case makes a
 * text up to three times as long (`ﬃ`).
 */
const HOST_LENGTH_MAX = 260;
const PREFIX_LENGTH_MAX = 3 * 255;
const SLUG_LENGTH_MAX = 3 * 190;

/**
 * Returns the address of a host and a path as the client wrote them. Null when it can be no link's: the path is empty,
 * too long, no valid UTF-8 or has a NUL byte, which Postgres takes for no text.
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

/** Returns the key of a path that was named in words, not as part of a URL: nothing in it is escaped. */
export const pathKeyOn = (host: string, path: string, { isCaseSensitive }: Addressing): string =>
  SAME_IN_ANY_CASE.test(path) ? path : slugKey(path, isCaseSensitive(host));

/** Returns the earlier key that a link there may have kept; null for nearly all paths. */
export const formerPathKeyOn = (host: string, path: string, { isCaseSensitive }: Addressing): string | null => {
  const former = formerSlugKey(path);
  return former === null || isCaseSensitive(host) ? null : former;
};

/** Returns where a link that kept its earlier key may be, for a path that is an address. It is null for nearly all. */
export function formerAddressOf(host: string, path: string, addressing: Addressing): Address | null {
  if (!path.includes("%")) return null;
  const written = path.split("/").filter(Boolean).map(decodeURIComponent).join("/");
  const normal = normaliseHost(host, addressing.shortDomain);
  const former = formerPathKeyOn(normal, written, addressing);
  return former === null ? null : splitAddress(`${normal}/${former}`);
}

/** Most paths read the same either way; then the host is not asked for. */
const SAME_IN_ANY_CASE = /^[a-z\d/._~!+-]*$/;

const tellsCaseOf = (host: string, path: string, { isCaseSensitive }: Addressing): boolean =>
  !SAME_IN_ANY_CASE.test(path) && isCaseSensitive(host);

const isTooLong = ({ host, prefix, slug }: Address): boolean =>
  host.length > HOST_LENGTH_MAX || prefix.length > PREFIX_LENGTH_MAX || slug.length > SLUG_LENGTH_MAX;
