/**
 * The cost of new hashes: argon2id as OWASP recommends it, about 20 ms of CPU time. A hash of any other cost is
 * replaced at the next sign-in. Nothing here lowers it: tests replace this module with another.
 */
export const COST: Readonly<{ memoryCost: number; timeCost: number }> = Object.freeze({
  memoryCost: 19_456,
  timeCost: 2,
});
