/**
 * Checks codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and 30-second steps, one step early or
 * late. The library is loaded on first use.
 */
const ISSUER = "Waymark";
const STEP_SECONDS = 30;
const CODE = /^[0-9]{6}$/;

/** Makes a secret of 160 bits, in base 32. */
export const makeSeed = async (): Promise<string> => (await import("otplib")).generateSecret();

/** Returns the URL that authenticator apps read from a QR code. */
export async function otpauthUrl(seed: string, email: string): Promise<string> {
  const { generateURI } = await import("otplib");
  return generateURI({ issuer: ISSUER, label: email, secret: seed });
}

export const isTotpShaped = (code: string): boolean => CODE.test(code);

/** Returns the step whose code this is at `now` (Unix milliseconds); undefined if the code is wrong. */
export async function stepOf(seed: string, code: string, now: number): Promise<number | undefined> {
  if (!isTotpShaped(code)) return undefined;
  const { verifySync } = await import("otplib");
  const result = verifySync({ secret: seed, token: code, epoch: now / 1000, epochTolerance: STEP_SECONDS });
  return result.valid && "timeStep" in result ? result.timeStep : undefined;
}
