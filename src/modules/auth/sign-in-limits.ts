/**
 * How often anyone may try to sign in: by account, which is an email whether or not there is an account of it, and by
 * address over everything that is asked without credentials (register, sign in, codes, forgotten passwords).
 *
 * A try counts before its password is looked at, so that tries made in parallel are all counted; one that does not prove
 * wrong is given back, so that signing in often locks nobody out. Windows are of a minute and begin with their first try:
 * no lock outlasts one. Servers share the counts through Redis, as hashes; without it each counts for itself.
 */
import type { Caller } from "@/http/caller";
import { tooMany } from "@/http/errors";
import { limitedAddress } from "@/platform/limits/address";
import type { Limits, Verdict } from "@/platform/limits/limits";

const WINDOW_MS = 60_000;
const WRONG_PER_ACCOUNT_MAX = 5;
const PER_ADDRESS_MAX = 30;

export interface SignInLimits {
  /** Counts a request of the caller's address. Throws 429. */
  takeAddress(caller: Pick<Caller, "ip">): Promise<void>;
  /** A try at the account of this email (lower-cased); `undefined` tells that it was wrong. Throws 429 in place of trying. */
  tryAccount<Right>(email: string, attempt: () => Promise<Right | undefined>): Promise<Right | undefined>;
}

export function createSignInLimits(limits: Limits): SignInLimits {
  const perAccount = limits.limiter({ name: "sign-in-account", windowMs: WINDOW_MS });
  const perAddress = limits.limiter({ name: "sign-in-address", windowMs: WINDOW_MS });

  return {
    async takeAddress({ ip }) {
      refuseSpent(await perAddress.take(limitedAddress(ip ?? ""), PER_ADDRESS_MAX), "from this address");
    },
    async tryAccount(email, attempt) {
      const key = hashedEmail(email);
      refuseSpent(await perAccount.take(key, WRONG_PER_ACCOUNT_MAX), "for this account");
      let isWrong = false;
      try {
        const right = await attempt();
        isWrong = right === undefined;
        return right;
      } finally {
        if (!isWrong) perAccount.giveBack(key);
      }
    },
  };
}

function refuseSpent({ ok, retryAfterSeconds }: Verdict, whose: string): void {
  if (!ok) throw tooMany(`Too many tries ${whose}; try again in a minute`, retryAfterSeconds);
}

/** What counters keep of an email: of a fixed length, and not the email. */
export const hashedEmail = (email: string): string => new Bun.CryptoHasher("sha256").update(email).digest("base64url");
