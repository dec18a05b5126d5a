/**
 * Query strings as lists of pairs, each kept in the spelling it came in: a destination's own parameters may be signed, so
 * they are never decoded and written anew. Only keys are decoded, to be compared.
 */
export interface Pair {
  key: string;
  /** `key=value` as it goes into a URL: printable ASCII, without `#` and `&`. */
  text: string;
}

/** What a URL parser would escape in a query, and nothing else. */
const UNSAFE = /[^!$-&(-;=?-~]/gu;

/** Never handed on: secrets, and what is the product's own. */
const OWN = new Set(["pw", "password", "match_token"]);
const OWN_PREFIX = "wm_";
/** Of names with escapes only decoding tells. */
const MAY_HAVE_OWN = /(?:^|&)(?:[^=&]*%|pw|password|match_token|wm_)/i;

export function readQuery(query: string): Pair[] {
  if (query === "") return [];
  return query
    .split("&")
    .filter((text) => text !== "")
    .map((text) => ({ key: keyOf(text), text: escapeUnsafe(text) }));
}

/** What a visit brings along and may hand on. */
export function readVisitorQuery(query: string): Pair[] {
  return readQuery(query).filter(({ key }) => !isOwnParameter(key));
}

/** The decoded parameters that a visit may hand on, in their order. */
export const parametersOf = (query: string): { name: string; value: string }[] =>
  readVisitorQuery(query).map((found) => ({ name: found.key, value: decodedValue(found) }));

/** A visit's query without what is never handed on, nor kept. A query without any of it costs a look. */
export function withoutOwn(query: string): string {
  if (!MAY_HAVE_OWN.test(query)) return query;
  return query
    .split("&")
    .filter((text) => !isOwnParameter(keyOf(text)))
    .join("&");
}

export function pair(key: string, value: string): Pair {
  return { key, text: `${key}=${encodeValue(value)}` };
}

export function writeQuery(pairs: readonly Pair[]): string {
  return pairs.map(({ text }) => text).join("&");
}

/** `winners` replace every pair of the same key. */
export function overlay(pairs: readonly Pair[], winners: readonly Pair[]): Pair[] {
  const keys = new Set(winners.map(({ key }) => key));
  return [...pairs.filter(({ key }) => !keys.has(key)), ...winners];
}

/** `additions` never replace a pair. */
export function complement(pairs: readonly Pair[], additions: readonly Pair[]): Pair[] {
  const keys = new Set(pairs.map(({ key }) => key));
  return [...pairs, ...additions.filter(({ key }) => !keys.has(key))];
}

export function parameterOf(pairs: readonly Pair[], key: string): string | undefined {
  const found = pairs.find((pair) => pair.key === key);
  return found && decodedValue(found);
}

/** The decoded value; empty where there is none. */
function decodedValue({ text }: Pair): string {
  const at = text.indexOf("=");
  return at === -1 ? "" : decodeComponent(text.slice(at + 1));
}

/** Everything that has a meaning in a query is escaped; lone surrogates become U+FFFD. */
export function encodeValue(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll("'", "%27");
}

/** Whether a parameter of this name is never handed on nor kept. */
export function isOwnParameter(key: string): boolean {
  const name = key.toLowerCase();
  return OWN.has(name) || name.startsWith(OWN_PREFIX);
}

function keyOf(text: string): string {
  const end = text.indexOf("=");
  return decodeComponent(end === -1 ? text : text.slice(0, end));
}

/** Malformed escapes are left as they are: nobody else could read them either. */
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
