/**
 * A link's address as caches and Postgres compare it: `host/prefix/slug`, lower-cased and in NFKC, the host without its
 * port unless that is the shared domain's. What a well-written short URL says is its address already, so that the hot
 * path looks it up as it came.
 */
import { formerSlugKey, slugKey } from "@/core/names/slug";

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
export function addressOf(host: string, path: string, shortDomain: string): Address | null {
  try {
    const segments = path.split("/").filter(Boolean).map(decodeURIComponent).map(slugKey);
    const slug = segments.pop();
    if (slug === undefined || [slug, ...segments].some((segment) => /[/\0]/.test(segment))) return null;
    const address = { host: normaliseHost(host, shortDomain), prefix: segments.join("/"), slug };
    return isTooLong(address) ? null : address;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Returns where a link that kept its earlier key may be, for a path that is an address. It is null for nearly all. */
export function formerAddressOf(host: string, path: string, shortDomain: string): Address | null {
  if (!path.includes("%")) return null;
  const written = path.split("/").filter(Boolean).map(decodeURIComponent).join("/");
  const former = formerSlugKey(written);
  return former === null ? null : splitAddress(`${normaliseHost(host, shortDomain)}/${former}`);
}

const isTooLong = ({ host, prefix, slug }: Address): boolean =>
  host.length > HOST_LENGTH_MAX || prefix.length > PREFIX_LENGTH_MAX || slug.length > SLUG_LENGTH_MAX;
