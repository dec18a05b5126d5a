/**
 * Hashes passwords: argon2id, m=19456 KiB, t=2 (OWASP), off the main thread. At most two hashes run at a time, so
 * that sign-ins cannot take the machine from redirects. What waits behind them is shared out by purpose and by asker
 * (see `shares`): a flood of one kind, or from one organization or address, delays others by a hash or two. Callers
 * beyond their share are told to retry, and a client that disconnects gives up its place.
 */
import { createShares, type SharePlace } from "../shares";
import { COST } from "./cost";
import { makeHash, verifyHash } from "./hash-threads";

export class TooManyHashes extends Error {
  override name = "TooManyHashes";

  constructor(readonly purpose: HashPlace["purpose"]) {
    super("Too many passwords are waiting to be hashed");
  }
}

/** The client disconnected before its password was checked. */
export class HashAbandoned extends Error {
  override name = "HashAbandoned";
}

const RUNNING_MAX = 2;
/** Somewhat less than the time for which a connection without traffic is kept open. */
const WAIT_MS_MAX = 50_000;
const SHARES = {
  /** Sign-ins from browsers in which the account's user has signed in before; by browser. */
  "known-browser": { waitingMax: 128, ofOneMax: 8 },
  /** Other sign-ins, and everything else that asks for an account's password; by address. */
  "sign-in": { waitingMax: 128, ofOneMax: 32 },
  /** New accounts and new passwords; by address. */
  registration: { waitingMax: 128, ofOneMax: 32 },
  /** Visitors of links with a password; by address. */
  visit: { waitingMax: 128, ofOneMax: 32 },
  /** Links that are given a password, and previews of such links; by organization. */
  links: { waitingMax: 256, ofOneMax: 64 },
} as const;

export type HashPlace = SharePlace<keyof typeof SHARES>;

/** Returns the beginning of a hash of the current cost. */
const prefix = () => `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=1$`;

const inShare = createShares({
  runningMax: RUNNING_MAX,
  waitMsMax: WAIT_MS_MAX,
  shares: SHARES,
  refusal: (purpose) => new TooManyHashes(purpose),
  abandonment: () => new HashAbandoned("The client hung up before its password was checked"),
});

/**
 * Hashes the composed form (NFC), because keyboards write accented letters in different ways. Rejects with
 * `TooManyHashes` and `HashAbandoned`.
 */
export const hashPassword = (password: string, place: HashPlace): Promise<string> =>
  inShare(place, () => makeHash(password.normalize("NFC"), { algorithm: "argon2id", ...COST }));

/**
 * Also matches hashes of earlier releases, which are of the password as it was sent. Rejects with `TooManyHashes` and
 * `HashAbandoned`.
 */
export async function verifyPassword(password: string, hash: string, place: HashPlace): Promise<boolean> {
  const composed = password.normalize("NFC");
  const forms = composed === password ? [composed] : [composed, password];
  for (const form of forms) if (await inShare(place, () => verifyHash(form, hash))) return true;
  return false;
}

/** True if the hash has another cost than new hashes have now. */
export const isOutdatedHash = (hash: string): boolean => !hash.startsWith(prefix());

const randomBase64 = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)).toBase64({ omitPadding: true });

/** The end of a hash that no password has, with salt and sum as long as in any other hash. */
const DECOY = `${randomBase64(32)}$${randomBase64(32)}`;

/** Takes as long as a verification, for an account that does not exist or has no password. */
export async function verifyNoPassword(password: string, place: HashPlace): Promise<false> {
  await verifyPassword(password, prefix() + DECOY, place);
  return false;
}
