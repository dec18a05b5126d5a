/**
 * JSON as services write it that let their users' text into it as it is: with raw control characters, with escapes that JSON has
 * not, or behind a byte order mark.
 */

/** A control character means nothing between tokens, and little within text. */
const CONTROL = /\p{Cc}/gu;
/** An escape as it should be, or a backslash that begins none. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\/gi;

/** Undefined for what cannot be read even so. */
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
