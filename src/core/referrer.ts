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

const ORIGIN = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?([^/?#]*)/i;

/** Of the page a visit comes from: what stands behind it may be secret, and is nobody's business. Empty for what is no URL. */
export function referrerOrigin(referrer: string): string {
  if (referrer === "") return "";
  const [, scheme = "", host = ""] = ORIGIN.exec(referrer) ?? [];
  return scheme + host;
}
