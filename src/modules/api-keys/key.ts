/**
 * API keys: `wm_live_`, 30 random base62 characters and 6 of checksum (CRC-32), so that a mistyped key is refused without
 * a query and leaked ones are found by scanners. Only the SHA-256 of the whole is stored.
 */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "wm_live_";
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
const SHOWN_LENGTH = PREFIX.length + 4;

export function makeKey(): string {
  const secret = PREFIX + randomText(SECRET_LENGTH);
  return secret + checksum(secret);
}

export function isWellFormed(key: string): boolean {
  return SHAPE.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

export const hashKey = (key: string): Uint8Array => new Bun.CryptoHasher("sha256").update(key).digest();

export const shownPrefix = (key: string): string => key.slice(0, SHOWN_LENGTH);

/** Bytes past the last multiple of 62 are drawn again, so that no character is likelier than another. */
function randomText(length: number): string {
  let result = "";
  while (result.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && result.length < length) result += ALPHABET[byte % 62];
    }
  }
  return result;
}

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let result = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    result = ALPHABET[rest % 62] + result;
    rest = Math.floor(rest / 62);
  }
  return result;
}
