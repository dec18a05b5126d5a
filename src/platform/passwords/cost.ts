/** Of new hashes: argon2id as OWASP asks for it, some 20 ms of a core. A hash of any other cost is made anew at a sign-in. */
export const COST = { memoryCost: 19_456, timeCost: 2 };
