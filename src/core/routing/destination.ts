/** Destinations: normalized for a `Location` header when they are written, extended on each visit. */
import type { MarketingAttribution, Utm } from "@/contract/routing";
import { slugKey } from "../names/slug";
import {
  CLICK_ID_PARAMETER,
  encodeValue,
  overrideWith,
  type Pair,
  pair,
  readQuery,
  readVisitorQuery,
  writeQuery,
} from "../query";

const LENGTH_MAX = 2_048;
const ABSOLUTE_HTTP = /^\s*https?:\/\//i;

export type NormalisedDestination = { ok: true; url: string } | { ok: false; fault: string };

/** Returns the URL as normalized by the URL parser (ASCII only), or what is wrong, as the text after a field's name. */
export function normaliseDestination(text: string): NormalisedDestination {
  if (text.length > LENGTH_MAX) return { ok: false, fault: `expected at most ${LENGTH_MAX} characters` };
  const url = ABSOLUTE_HTTP.test(text) ? URL.parse(text) : null;
  if (url === null) return { ok: false, fault: "expected an absolute http or https URL" };
  if (url.username !== "" || url.password !== "") {
    return { ok: false, fault: "expected a URL without user name or password" };
  }
  if (url.href.length > LENGTH_MAX) {
    return { ok: false, fault: `expected at most ${LENGTH_MAX} characters once escaped` };
  }
  return { ok: true, url: url.href };
}

/**
 * Returns the URL of a field as it is stored. If it is at fault, adds that to `faults`, prefixed with the field's name,
 * and returns the text unchanged.
 */
export function storedUrl(field: string, text: string, faults: string[]): string {
  const normalised = normaliseDestination(text);
  if (normalised.ok) return normalised.url;
  faults.push(`${field}: ${normalised.fault}`);
  return text;
}

/**
 * True if a destination leads back to its own short URL. Ignores differences that do not matter to a visit: scheme,
 * case, query, fragment, empty path segments and the host's trailing dot. A slug that merely looks alike is a
 * different one, as is one in different case on a case-sensitive domain.
 */
export function isOwnShortUrl(destination: string, shortUrl: string, isCaseSensitive: boolean): boolean {
  const [there, own] = [URL.parse(destination), URL.parse(shortUrl)];
  if (there === null || own === null || hostKey(there) !== hostKey(own)) return false;
  return pathKey(there, isCaseSensitive) === pathKey(own, isCaseSensitive);
}

const hostKey = ({ hostname, port }: URL): string => `${hostname.replace(/\.$/, "")}:${port}`;

function pathKey({ pathname }: URL, isCaseSensitive: boolean): string {
  try {
    return slugKey(segmentsOf(decodeURIComponent(pathname)), isCaseSensitive);
  } catch (error) {
    if (error instanceof URIError) return slugKey(segmentsOf(pathname), isCaseSensitive);
    throw error;
  }
}

const segmentsOf = (path: string): string => path.split("/").filter(Boolean).join("/");

/** Returns the parameters that the link adds to its destinations, UTM before marketing attribution. */
export function additionsOf(utm: Utm | null, marketing: MarketingAttribution | null): Pair[] {
  const appended = marketing?.appendToDestination ? marketing : null;
  return [
    optionalPair("utm_source", utm?.source),
    optionalPair("utm_medium", utm?.medium),
    optionalPair("utm_campaign", utm?.campaign),
    optionalPair("utm_term", utm?.term),
    optionalPair("utm_content", utm?.content),
    optionalPair("ref", appended?.referralCode),
    optionalPair("aff", appended?.affiliateId),
    optionalPair("coupon", appended?.couponCode),
    optionalPair("promo", appended?.promoCode),
  ].flat();
}

function optionalPair(key: string, value: string | undefined): Pair[] {
  return value ? [pair(key, value)] : [];
}

/**
 * Adds the visitor's parameters, which override all others. The link's additions never overwrite anything, so the
 * result does not depend on whether they are added before or after; they are added before, once.
 */
export function withVisitorQuery(url: string, query: string): string {
  const visitors = readVisitorQuery(query);
  return visitors.length === 0 ? url : editQuery(url, (pairs) => overrideWith(pairs, visitors));
}

export function withClickId(url: string, clickId: string): string {
  const [head, query, fragment] = splitUrl(url);
  return `${head}?${query}${query === "" ? "" : "&"}${CLICK_ID_PARAMETER}=${encodeValue(clickId)}${fragment}`;
}

export function editQuery(url: string, edit: (pairs: Pair[]) => Pair[]): string {
  const [head, query, fragment] = splitUrl(url);
  const pairs = edit(readQuery(query));
  return pairs.length === 0 ? head + fragment : `${head}?${writeQuery(pairs)}${fragment}`;
}

/** Splits a URL; the query comes without its `?`, the fragment with its `#`. */
function splitUrl(url: string): [head: string, query: string, fragment: string] {
  const hash = url.indexOf("#");
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf("?");
  if (mark === -1 || mark > end) return [url.slice(0, end), "", url.slice(end)];
  return [url.slice(0, mark), url.slice(mark + 1, end), url.slice(end)];
}
