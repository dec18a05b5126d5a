/**
 * Password hashes: argon2id, m=19456 KiB, t=2 (OWASP), made off the main thread; at most two run at a time, so that sign-ins
 * cannot take the machine from redirects. A short queue waits behind them; past it the caller is told to retry.
 */
import { makeHash, verifyHash } from "./hash-threads";
import { createTurns } from "./turns";

export class TooManyHashes extends Error {
  override name = "TooManyHashes";
}

const RUNNING_MAX = 2;
const WAITING_MAX = 64;
const COST = { memoryCost: 19_456, timeCost: 2 } as const;
/** How a hash of this cost begins. */
const PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=1$`;

const inTurn = createTurns({
  runningMax: RUNNING_MAX,
  waitingMax: WAITING_MAX,
  refusal: () => new TooManyHashes("Too many password checks are waiting"),
});

export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => makeHash(password, { algorithm: "argon2id", ...COST }));

export const verifyPassword = (password: string, hash: string): Promise<boolean> =>
  inTurn(() => verifyHash(password, hash));

/** Whether it was made at another cost than hashes are made now. */
export const isOutdatedHash = (hash: string): boolean => !hash.startsWith(PREFIX);

const randomBase64 = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)).toBase64({ omitPadding: true });

/** The hash of no password there is, with salt and sum as long as any other's. */
const DECOY = `${PREFIX}${randomBase64(32)}$${randomBase64(32)}`;

/** Costs what a verification costs, for an account that does not exist or has no password. */
export async function verifyNoPassword(password: string): Promise<false> {
  await verifyPassword(password, DECOY);
  return false;
}
