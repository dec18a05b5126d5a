/**
 * Limits how often anyone may try to sign in. Per IP address, over all requests without credentials (register, sign
 * in, codes, forgotten passwords). Per account, from each IP address and from all of them together; an account here
 * is an email, whether or not an account has it. Someone who guesses an account's password from many addresses uses
 * up the attempts that strangers share: a browser in which the user signed in before, and a session, have counts of
 * their own and are never blocked by that.
 *
 * An attempt is counted before its password is checked, so that parallel attempts are all counted. It is given back
 * unless it proves wrong, so that signing in often locks nobody out. Windows last a minute and begin with their first
 * attempt: no lock outlasts one. Servers share the counts through Redis, with emails as hashes; without Redis each
 * server has its own.
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

/** Who is trying: their IP address, and how the account knows them, if it does. */
export interface SignInAttempter {
  ip: string | null;
  /** A browser in which the account's user signed in before, or a session. */
  known?: string;
}

/** One of the limits that an attempt counts against. */
export interface Count {
  limiter: Limiter;
  key: string;
  max: number;
}

export interface SignInLimits {
  /** Counts a request from the caller's IP address. Throws 429. */
  takeAddress(caller: Pick<Caller, "ip">): Promise<void>;
  /**
   * Counts another step of a sign-in whose first step is counted. Each kind of step has a count of its own, so that
   * one sign-in is one of those allowed, however many steps it takes. Throws 429.
   */
  takeStep(step: "organization" | "callback" | "exchange", caller: Pick<Caller, "ip">): Promise<void>;
  /**
   * Runs an attempt at the account with this email, in the stored form. The attempt resolves to undefined if it was
   * wrong. Past the limit, throws 429 instead of running it.
   */
  tryAccount<Right>(
    email: string,
    by: SignInAttempter,
    attempt: () => Promise<Right | undefined>,
  ): Promise<Right | undefined>;
}

export function createSignInLimits(limits: Limits): SignInLimits {
  const perMinute = (name: string) => limits.limiter({ name, windowMs: WINDOW_MS });
  const perAccount = perMinute("sign-in-account");
  const perAccountAndAddress = perMinute("sign-in-account-address");
  const perKnown = perMinute("sign-in-known");
  const perAddress = perMinute("sign-in-address");

  return {
    takeAddress: ({ ip }) => takeOf(limitedAddress(ip ?? "")),
    takeStep: (step, { ip }) => takeOf(`${step}:${limitedAddress(ip ?? "")}`),

    tryAccount(email, by, attempt) {
      const refusal = "Too many attempts for this account; try again in a minute";
      return runLimitedAttempt(countsOf(hashedEmail(email), by), refusal, attempt);
    },
  };

  async function takeOf(key: string): Promise<void> {
    const { ok, retryAfterSeconds } = await perAddress.take(key, PER_ADDRESS_MAX);
    if (!ok) throw tooMany("Too many attempts from this address; try again in a minute", retryAfterSeconds);
  }

  function countsOf(account: string, { ip, known }: SignInAttempter): Count[] {
    if (known !== undefined) return [{ limiter: perKnown, key: `${account}:${known}`, max: WRONG_OF_KNOWN_MAX }];
    const key = `${account}:${limitedAddress(ip ?? "")}`;
    return [
      { limiter: perAccountAndAddress, key, max: WRONG_PER_ACCOUNT_AND_ADDRESS_MAX },
      { limiter: perAccount, key: account, max: WRONG_PER_ACCOUNT_MAX },
    ];
  }
}

/**
 * Runs an attempt that counts if it proves wrong, not if it succeeds or throws. Past a limit, throws 429 with
 * `refusal` instead of running it.
 */
export async function runLimitedAttempt<Right>(
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

/** Takes from all counts or from none: if one refuses, the others get theirs back. */
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

/** What counters store instead of an email: it has a fixed length and does not reveal the email. */
export const hashedEmail = (email: string): string => new Bun.CryptoHasher("sha256").update(email).digest("base64url");
