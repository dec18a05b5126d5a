/**
 * Parses the invalid JSON of services that do not escape their users' text: raw control characters, escapes unknown
 * to JSON, a byte order mark.
 */

/** Control characters have no meaning between tokens, and little within text. */
const CONTROL = /\p{Cc}/gu;
/** Matches a valid escape, or a backslash that begins none. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\/gi;

/** Returns undefined if the text is still invalid after repair. */
export function parseBrokenJson(text: string): { value: unknown } | undefined {
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
