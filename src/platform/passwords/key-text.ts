/**
 * The text of API keys and access tokens: a prefix that says what it is, 30 random base62 characters and 6 of
 * checksum (CRC-32), so that a mistyped one is refused without a query, and scanners can find leaked ones. Only the
 * SHA-256 of the whole text is stored.
 */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 4;

export interface KeyText {
  make(): string;
  /** True if the text begins with the prefix, whatever follows. */
  hasPrefix(text: string): boolean;
  isWellFormed(text: string): boolean;
  /** Returns the beginning of the key, as much of it as lists show. */
  shownPrefix(key: string): string;
}

export function keyText(prefix: string): KeyText {
  const form = new RegExp(`^${prefix}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
  return {
    make() {
      const secret = prefix + randomText(SECRET_LENGTH);
      return secret + checksum(secret);
    },
    hasPrefix: (text) => text.startsWith(prefix),
    isWellFormed: (text) =>
      form.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH),
    shownPrefix: (key) => key.slice(0, prefix.length + SHOWN_LENGTH),
  };
}

export const hashKey = (key: string): Uint8Array => new Bun.CryptoHasher("sha256").update(key).digest();

/** Draws bytes past the last multiple of 62 again, so that all characters are equally likely. */
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
