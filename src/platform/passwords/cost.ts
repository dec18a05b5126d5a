/**
 * Of new hashes: argon2id as OWASP asks for it, some 20 ms of a core. A hash of any other cost is made anew at a sign-in. Nothing
 * here lowers it: tests put another module in place of this one.
 */
export const COST: Readonly<{ memoryCost: number; timeCost: number }> = Object.freeze({
  memoryCost: 19_456,
  timeCost: 2,
});
