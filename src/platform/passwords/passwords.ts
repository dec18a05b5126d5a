/**
 * Password hashes: argon2id, m=19456 KiB, t=2 (OWASP), made off the main thread; at most two run at a time, so that sign-ins
 * cannot take the machine from redirects. What waits behind them is shared out by purpose and by who asks (see `shares`):
 * a flood of one kind, or of one organization or address, delays others by a hash or two. Past their share callers are
 * told to retry, and whoever hangs up gives up their place.
 */

import { createShares, type SharePlace } from "../shares";
import { COST } from "./cost";
import { makeHash, verifyHash } from "./hash-threads";

export class TooManyHashes extends Error {
  override name = "TooManyHashes";
}

/** The client hung up before its password was looked at. */
export class HashAbandoned extends Error {
  override name = "HashAbandoned";
}

const RUNNING_MAX = 2;
/** Somewhat less than a connection without traffic is kept for. */
const WAIT_MS_MAX = 50_000;
const SHARES = {
  /** Covers sign-ins from browsers in which the account's user signed in before, by browser. */
  "known-browser": { waitingMax: 128, ofOneMax: 8 },
  /** Other sign-ins, and whatever else asks for an account's password; by address. */
  "sign-in": { waitingMax: 128, ofOneMax: 32 },
  /** Covers new accounts and new passwords, by address. */
  registration: { waitingMax: 128, ofOneMax: 32 },
  /** Covers visitors of links with a password, by address. */
  visit: { waitingMax: 128, ofOneMax: 32 },
  /** Links that are given one, and previews of such links; by organization. */
  links: { waitingMax: 256, ofOneMax: 64 },
} as const;

export type HashPlace = SharePlace<keyof typeof SHARES>;

/** How a hash of today's cost begins. */
const prefix = () => `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=1$`;

const inShare = createShares({
  runningMax: RUNNING_MAX,
  waitMsMax: WAIT_MS_MAX,
  shares: SHARES,
  refusal: () => new TooManyHashes("Too many passwords are waiting to be hashed"),
  abandonment: () => new HashAbandoned("The client hung up before its password was checked"),
});

/** Rejects with `TooManyHashes` and `HashAbandoned`. */
export const hashPassword = (password: string, place: HashPlace): Promise<string> =>
  inShare(place, () => makeHash(password, { algorithm: "argon2id", ...COST }));

/** Rejects with `TooManyHashes` and `HashAbandoned`. */
export const verifyPassword = (password: string, hash: string, place: HashPlace): Promise<boolean> =>
  inShare(place, () => verifyHash(password, hash));

/** Whether it was made at another cost than hashes are made now. */
export const isOutdatedHash = (hash: string): boolean => !hash.startsWith(prefix());

const randomBase64 = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)).toBase64({ omitPadding: true });

/** The end of a hash of no password there is, with salt and sum as long as any other's. */
const DECOY = `${randomBase64(32)}$${randomBase64(32)}`;

/** Costs what a verification costs, for an account that does not exist or has no password. */
export async function verifyNoPassword(password: string, place: HashPlace): Promise<false> {
  await verifyPassword(password, prefix() + DECOY, place);
  return false;
}
