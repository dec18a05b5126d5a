/** Returns a password of 120 random bits, to be shown once. */
export const makePassword = (): string =>
  crypto.getRandomValues(new Uint8Array(15)).toBase64({ alphabet: "base64url" });
