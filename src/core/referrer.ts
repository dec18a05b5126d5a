/** What referrers are kept and read for: the page a visit comes from, and the match token that a store hands to an app. */
import { parameterOf, readQuery } from "./query";

const PARAMETER = "match_token";
/** A referrer is a query string inside a query string: what reads it may have left it escaped, once or twice. */
const ESCAPED_TIMES_MAX = 2;

/**
 * Of a whole Play referrer (`match_token=…&utm_source=…`, as it is or percent-encoded) its first token, which is the one
 * the redirect put there; of anything else the text itself.
 */
export function tokenInReferrer(text: string): string {
  let referrer = text;
  for (let times = 0; times <= ESCAPED_TIMES_MAX; times++) {
    const found = parameterOf(readQuery(referrer), PARAMETER);
    if (found !== undefined) return found;
    const plain = decoded(referrer);
    if (plain === referrer) return text;
    referrer = plain;
  }
  return text;
}

/** The text itself where its escapes are malformed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** In an origin: who is named before the host, and a path, query or fragment that begins without a slash. */
const AMBIGUOUS = /[@?#]/;
const ORIGIN = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?([^/?#]*)/i;

/** Stands for a visit that no page referred. */
export const DIRECT = "direct";

const REFERRER = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#:@\s\p{Cc}]+)/iu;
const HOST_LENGTH_MAX = 253;

/** Host of the referring page, lower-cased; an app's package for `android-app://`; empty when there is none. */
export const referrerOf = (referrer: string): string =>
  (REFERRER.exec(referrer)?.[1] ?? "").toLowerCase().slice(0, HOST_LENGTH_MAX);

/** As it is stated of a visit: a page's URL, its host alone, or `direct`; as a header would have it. */
export function statedReferrer(stated = ""): string {
  if (stated.toLowerCase() === DIRECT) return "";
  return referrerOrigin(stated.includes("://") || stated === "" ? stated : `https://${stated}`);
}

/** Of the page a visit comes from: what stands behind it may be secret, and is nobody's business. Empty for what is no URL. */
export function referrerOrigin(referrer: string): string {
  if (referrer === "") return "";
  // Nearly all look like this. Whoever knows more of an address is asked for the others.
  const pathStart = referrer.startsWith("https://") ? referrer.indexOf("/", "https://".length) : -1;
  const origin = referrer.slice(0, pathStart);
  if (pathStart > 0 && !AMBIGUOUS.test(origin)) return origin;
  const [, scheme = "", host = ""] = ORIGIN.exec(referrer) ?? [];
  return scheme + host;
}
