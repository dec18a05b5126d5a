/**
 * How often anyone may try to sign in. By address, over everything that is asked without credentials (register, sign in,
 * codes, forgotten passwords); by account, which is an email whether or not there is an account of it, from each address
 * and from all together. Whoever guesses at an account from many addresses uses up what strangers may try: a browser in
 * which its user signed in before, and a session, count for themselves and are never held by that.
 *
 * A try counts before its password is looked at, so that tries made in parallel are all counted; one that does not prove
 * wrong is given back, so that signing in often locks nobody out. Windows are of a minute and begin with their first try:
 * no lock outlasts one. Servers share the counts through Redis, as hashes; without it each counts for itself.
 */
import type { Caller } from "@/http/caller";
import { tooMany } from "@/http/errors";
import { limitedAddress } from "@/platform/limits/address";
import type { Limiter, Limits, LimitVerdict } from "@/platform/limits/limits";

const WINDOW_MS = 60_000;
const WRONG_PER_ACCOUNT_AND_ADDRESS_MAX = 5;
const WRONG_PER_ACCOUNT_MAX = 100;
const WRONG_OF_KNOWN_MAX = 5;
const PER_ADDRESS_MAX = 30;

/** Who tries: where from, and by what the account knows them, if it does. */
export interface Trier {
  ip: string | null;
  /** Names a browser in which its user signed in before, or a session. */
  known?: string;
}

/** One of the counts that a try is held against. */
export interface Count {
  limiter: Limiter;
  key: string;
  max: number;
}

export interface SignInLimits {
  /** Counts a request of the caller's address. Throws 429. */
  takeAddress(caller: Pick<Caller, "ip">): Promise<void>;
  /** A try at the account of this email (lower-cased); `undefined` tells that it was wrong. Throws 429 in place of trying. */
  tryAccount<Right>(email: string, by: Trier, attempt: () => Promise<Right | undefined>): Promise<Right | undefined>;
}

export function createSignInLimits(limits: Limits): SignInLimits {
  const perMinute = (name: string) => limits.limiter({ name, windowMs: WINDOW_MS });
  const perAccount = perMinute("sign-in-account");
  const perAccountAndAddress = perMinute("sign-in-account-address");
  const perKnown = perMinute("sign-in-known");
  const perAddress = perMinute("sign-in-address");

  return {
    async takeAddress({ ip }) {
      const { ok, retryAfterSeconds } = await perAddress.take(limitedAddress(ip ?? ""), PER_ADDRESS_MAX);
      if (!ok) throw tooMany("Too many attempts from this address; try again in a minute", retryAfterSeconds);
    },

    tryAccount(email, by, attempt) {
      const refusal = "Too many attempts for this account; try again in a minute";
      return tryWithin(countsOf(hashedEmail(email), by), refusal, attempt);
    },
  };

  function countsOf(account: string, { ip, known }: Trier): Count[] {
    if (known !== undefined) return [{ limiter: perKnown, key: `${account}:${known}`, max: WRONG_OF_KNOWN_MAX }];
    const key = `${account}:${limitedAddress(ip ?? "")}`;
    return [
      { limiter: perAccountAndAddress, key, max: WRONG_PER_ACCOUNT_AND_ADDRESS_MAX },
      { limiter: perAccount, key: account, max: WRONG_PER_ACCOUNT_MAX },
    ];
  }
}

/** A try that counts unless it proves right or comes to nothing. Throws 429 with the refusal in place of trying. */
export async function tryWithin<Right>(
  counts: Count[],
  refusal: string,
  attempt: () => Promise<Right | undefined>,
): Promise<Right | undefined> {
  await takeAll(counts, refusal);
  let isWrong = false;
  try {
    const right = await attempt();
    isWrong = right === undefined;
    return right;
  } finally {
    if (!isWrong) giveBack(counts);
  }
}

/** All of them or none: a try that one refuses uses up nothing of the others. */
async function takeAll(counts: Count[], refusal: string): Promise<void> {
  const verdicts = await Promise.all(counts.map(({ limiter, key, max }) => limiter.take(key, max)));
  const waitSeconds = Math.max(0, ...verdicts.filter(isRefused).map(({ retryAfterSeconds }) => retryAfterSeconds));
  if (waitSeconds === 0) return;
  giveBack(counts.filter((_, index) => verdicts[index]?.ok));
  throw tooMany(refusal, waitSeconds);
}

const isRefused = ({ ok }: LimitVerdict): boolean => !ok;

function giveBack(counts: Count[]): void {
  for (const { limiter, key } of counts) limiter.giveBack(key);
}

/** What counters keep of an email: of a fixed length, and not the email. */
export const hashedEmail = (email: string): string => new Bun.CryptoHasher("sha256").update(email).digest("base64url");
