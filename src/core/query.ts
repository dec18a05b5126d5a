/**
 * Query strings as lists of pairs, each kept in its original spelling: a destination's own parameters may be signed,
 * so they are never decoded and re-encoded. Only keys are decoded, for comparison.
 */
export interface Pair {
  key: string;
  /** `key=value` as it goes into a URL: printable ASCII without `#` and `&`. */
  text: string;
}

/** The characters that a URL parser would escape in a query. */
const UNSAFE = /[^!$-&(-;=?-~]/gu;

/** Name of a link's password in its form, and in the query. */
export const PASSWORD_FIELD = "password";
/** Parameters that are never passed on: secrets and the product's own. */
const OWN = new Set(["pw", PASSWORD_FIELD, "match_token"]);
const OWN_PREFIX = "wm_";
/** Names the click to the destination. */
export const CLICK_ID_PARAMETER = "wm_cid";
/** Carries the page that referred a visitor through a form of ours. */
export const REFERRER_PARAMETER = "wm_referrer";
/** Carries the page that referred a visitor into the browser where the visit continues, which may show a form as well. */
export const CONTINUED_REFERRER_PARAMETER = "wm_visit_referrer";
/** Those of the product's own parameters that open nothing. */
const OPEN = new Set([CLICK_ID_PARAMETER, REFERRER_PARAMETER, CONTINUED_REFERRER_PARAMETER]);
/** Matches any query that may contain such a parameter. A name with escapes has to be decoded to be sure. */
const MAY_HAVE_OWN = /(?:^|&)(?:[^=&]*%|pw|password|match_token|wm_)/i;

export function readQuery(query: string): Pair[] {
  if (query === "") return [];
  return query
    .split("&")
    .filter((text) => text !== "")
    .map((text) => ({ key: keyOf(text), text: escapeUnsafe(text) }));
}

/** Returns the parameters of a visit that may be passed on. */
export function readVisitorQuery(query: string): Pair[] {
  return readQuery(query).filter(({ key }) => !isOwnParameter(key));
}

/** Returns the decoded parameters that a visit may pass on, in their order. */
export const parametersOf = (query: string): { name: string; value: string }[] =>
  readVisitorQuery(query).map((found) => ({ name: found.key, value: decodedValue(found) }));

/**
 * Returns a visit's query without the parameters that are never passed on or stored. For a query without any of them,
 * this costs one regular expression.
 */
export function withoutOwnParameters(query: string): string {
  if (!MAY_HAVE_OWN.test(query)) return query;
  return query
    .split("&")
    .filter((text) => !isOwnParameter(keyOf(text)))
    .join("&");
}

/** True if the query contains a password or a token. */
export const carriesSecret = (query: string): boolean =>
  MAY_HAVE_OWN.test(query) &&
  query.split("&").some((text) => isOwnParameter(keyOf(text)) && !OPEN.has(keyOf(text).toLowerCase()));

export function pair(key: string, value: string): Pair {
  return { key, text: `${key}=${encodeValue(value)}` };
}

export function writeQuery(pairs: readonly Pair[]): string {
  return pairs.map(({ text }) => text).join("&");
}

/** Replaces pairs whose key is among `winners`, and appends `winners`. */
export function overrideWith(pairs: readonly Pair[], winners: readonly Pair[]): Pair[] {
  const keys = new Set(winners.map(({ key }) => key));
  return [...pairs.filter(({ key }) => !keys.has(key)), ...winners];
}

/** Appends the `additions` whose key is not yet present. */
export function addMissing(pairs: readonly Pair[], additions: readonly Pair[]): Pair[] {
  const keys = new Set(pairs.map(({ key }) => key));
  return [...pairs, ...additions.filter(({ key }) => !keys.has(key))];
}

export function parameterOf(pairs: readonly Pair[], key: string): string | undefined {
  const found = pairs.find((pair) => pair.key === key);
  return found && decodedValue(found);
}

/** Returns the password that the query of a short URL carries. */
export function passwordIn(query: string): string | undefined {
  const pairs = readQuery(query);
  return parameterOf(pairs, "pw") ?? parameterOf(pairs, PASSWORD_FIELD);
}

/** Returns the decoded value, or an empty string if there is none. */
function decodedValue({ text }: Pair): string {
  const at = text.indexOf("=");
  return at === -1 ? "" : decodeComponent(text.slice(at + 1));
}

/** Escapes everything that has a meaning in a query. Lone surrogates become U+FFFD. */
export function encodeValue(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll("'", "%27");
}

/** True if a parameter of this name is never passed on or stored. */
export function isOwnParameter(key: string): boolean {
  const name = key.toLowerCase();
  return OWN.has(name) || name.startsWith(OWN_PREFIX);
}

function keyOf(text: string): string {
  const end = text.indexOf("=");
  return decodeComponent(end === -1 ? text : text.slice(0, end));
}

/** Returns text with malformed escapes unchanged: nobody else could decode it either. */
function decodeComponent(text: string): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function escapeUnsafe(text: string): string {
  return text.toWellFormed().replace(UNSAFE, (character) => encodeURIComponent(character).replace("'", "%27"));
}
