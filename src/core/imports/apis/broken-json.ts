/**
 * Parses the invalid JSON of services that do not escape their users' text: raw control characters, escapes unknown
 * to JSON, a byte order mark.
 */

/** Control characters have no meaning between tokens, and little within text. */
const CONTROL = /\p{Cc}/gu;
/** Matches a valid escape, or a backslash that begins none. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\/gi;

/** Far beyond what any service nests. What has some hundred thousand levels can be parsed, but not written again. */
export const LEVELS_MAX = 500;

/** Returns undefined if the text is still invalid after repair, or nested beyond `LEVELS_MAX`. */
export function parseBrokenJson(text: string): { value: unknown } | undefined {
  if (isNestedTooDeeply(text)) return undefined;
  const plain = text.replace(/^\ufeff/, "");
  return (
    parsed(plain) ?? parsed(plain.replace(CONTROL, " ").replace(ESCAPE, (found) => (found === "\\" ? "\\\\" : found)))
  );
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Counts the brackets outside of strings, so the JSON need not be valid. */
export function isNestedTooDeeply(text: string): boolean {
  let levels = 0;
  for (let at = 0; at < text.length && levels <= LEVELS_MAX; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === "[" || character === "{") levels++;
    else if (character === "]" || character === "}") levels--;
  }
  return levels > LEVELS_MAX;
}

/** Returns the place of the quote that ends the string, or one behind the last. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
