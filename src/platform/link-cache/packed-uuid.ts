/** Writes and reads UUIDs as 16 bytes. */
export const UUID_BYTES = 16;

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const DIGITS = Buffer.from("0123456789abcdef");
const DASH = "-".charCodeAt(0);
const TEXT_LENGTH = 36;

/**
 * Writes a UUID with lower-case digits and returns true. Returns false and writes nothing if the text is anything
 * else.
 */
export function writeUuid(text: string, into: Buffer, at: number): boolean {
  if (!UUID.test(text)) return false;
  into.write(text.replaceAll("-", ""), at, UUID_BYTES, "hex");
  return true;
}

const text = Buffer.alloc(TEXT_LENGTH);

/** Returns the UUID as one flat string. A string concatenated from parts would keep each part in memory. */
export function readUuid(from: Buffer, at: number): string {
  let end = 0;
  for (let place = 0; place < UUID_BYTES; place++) {
    const byte = from[at + place] ?? 0;
    if (place === 4 || place === 6 || place === 8 || place === 10) text[end++] = DASH;
    text[end++] = DIGITS[byte >> 4] ?? 0;
    text[end++] = DIGITS[byte & 15] ?? 0;
  }
  return text.toString("latin1");
}
