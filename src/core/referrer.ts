/** Referrers: the page that a visit comes from, and the match token that a store passes to an app. */
import { isAscii } from "./names/fold";
import { sentHostname } from "./names/hostname";
import { parameterOf, readQuery } from "./query";

const PARAMETER = "match_token";
/** A referrer is a query string inside a query string, so its reader may have left it escaped once or twice. */
const ESCAPED_TIMES_MAX = 2;

/**
 * Returns the first token of a whole Play referrer (`match_token=…&utm_source=…`, plain or percent-encoded): the
 * redirect put it there. Returns any other text unchanged.
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

/** Returns the text unchanged if its escapes are malformed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Signs that an origin has user info, or that a path, query or fragment begins without a slash. */
const AMBIGUOUS = /[@?#]/;
const ORIGIN = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?([^/?#]*)/i;

/** Stands for a visit without a referring page. */
export const DIRECT = "direct";

const REFERRER = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#:@\s\p{Cc}]+)/iu;
const HOST_LENGTH_MAX = 253;

/** Returns the referring page's host in lower case, an app's package for `android-app://`, or an empty string. */
export const referrerOf = (referrer: string): string =>
  (REFERRER.exec(referrer)?.[1] ?? "").toLowerCase().slice(0, HOST_LENGTH_MAX);

/** The host of an origin, without its port. */
const HOST = /(?<=^[^:]*:\/\/)[^:]+/;

/** A URL without a host, such as `about:blank`; a host may be followed by a port. */
const HOSTLESS = /^[a-z][a-z0-9+.-]*:(?!\/\/|\d+(?:[/?#]|$))/i;

/**
 * Converts a stated referrer (a page's URL, a bare host, or `direct`) to what the header would have contained. In-app
 * pages state `about:blank`.
 */
export function referrerFromInput(stated = ""): string {
  if (stated.toLowerCase() === DIRECT || HOSTLESS.test(stated)) return "";
  const origin = referrerOrigin(stated.includes("://") || stated === "" ? stated : `https://${stated}`);
  return isAscii(origin) ? origin : origin.replace(HOST, sentHostname);
}

/**
 * Returns only the origin of the referring page: its path and query may be secret and are none of our business.
 * Returns an empty string for anything but a URL.
 */
export function referrerOrigin(referrer: string): string {
  if (referrer === "") return "";
  // Nearly all referrers look like this. The regular expression handles the others.
  const pathStart = referrer.startsWith("https://") ? referrer.indexOf("/", "https://".length) : -1;
  const origin = referrer.slice(0, pathStart);
  if (pathStart > 0 && !AMBIGUOUS.test(origin)) return origin;
  const [, scheme = "", host = ""] = ORIGIN.exec(referrer) ?? [];
  return scheme + host;
}
