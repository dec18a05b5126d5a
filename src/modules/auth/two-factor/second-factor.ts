/**
 * The second factor of an account: checks a code of its authenticator app or one of its recovery codes, and uses it
 * up.
 *
 * An account allows `WRONG_AN_HOUR` wrong codes an hour, over everything that asks for codes, `WRONG_OF_ONE` of them
 * from one IP address. Three in a million codes are right at any time: someone who knows the password and keeps
 * guessing finds one in about a year. No lock outlasts the hour, and none affects those the account knows: a browser
 * in which its user signed in before and a session have counts of their own. A recovery code cannot be guessed, so it
 * does not count at all.
 */
import { HOUR_MS } from "@/core/time/time-range";
import type { Clock } from "@/platform/clock";
import type { UserRow } from "@/platform/db/accounts/users";
import type { Db } from "@/platform/db/tx";
import { limitedAddress } from "@/platform/limits/address";
import type { Limits } from "@/platform/limits/limits";
import type { Seal, SealedPlace } from "@/platform/seal";
import type { Log } from "@/platform/telemetry/log";
import { type Count, runLimitedAttempt, type SignInAttempter } from "../sign-in-limits";
import { takeRecoveryCode } from "./recovery-codes";
import { lockUserForCode, takeStep } from "./store";
import { isTotpShaped, stepOf } from "./totp";

export interface SecondFactorOptions {
  clock: Clock;
  seal: Seal;
  limits: Limits;
  log: Log;
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;

type CodeKind = "totp" | "recovery";

const WRONG_AN_HOUR = 30;
const WRONG_OF_ONE = 10;

const placeOf = (userId: string): SealedPlace => `users.totp_secret:${userId}`;

export function createSecondFactor({ clock, seal, limits, log }: SecondFactorOptions) {
  const anHour = (name: string) => limits.limiter({ name, windowMs: HOUR_MS });
  const ofAll = anHour("two-factor-codes");
  const ofAddress = anHour("two-factor-codes-address");
  const ofKnown = anHour("two-factor-codes-known");

  return {
    sealSeed: (userId: string, seed: string): Uint8Array => seal.close(seed, placeOf(userId)),

    matchingStep,

    /**
     * Uses up a code in the caller's transaction and returns its kind; undefined if it is wrong or was used before.
     * Throws 429.
     */
    async take(tx: Db, user: UserRow, typed: string, by: SignInAttempter): Promise<CodeKind | undefined> {
      const code = typed.replace(/\s/g, "");
      if (!isTotpShaped(code)) return useRecoveryCode(tx, user, code);
      const refusal = "Too many wrong codes for this account; try again later, or use a recovery code";
      return runLimitedAttempt(countsOf(user, by), refusal, () => useCode(tx, user, code));
    },
  };

  function countsOf({ id }: UserRow, { ip, known }: SignInAttempter): Count[] {
    if (known !== undefined) return [{ limiter: ofKnown, key: `${id}:${known}`, max: WRONG_OF_ONE }];
    return [
      { limiter: ofAddress, key: `${id}:${limitedAddress(ip ?? "")}`, max: WRONG_OF_ONE },
      { limiter: ofAll, key: id, max: WRONG_AN_HOUR },
    ];
  }

  async function useRecoveryCode(tx: Db, user: UserRow, code: string): Promise<CodeKind | undefined> {
    await lockUserForCode(tx, user.id);
    return (await takeRecoveryCode(tx, user.id, code, new Date(clock()))) ? "recovery" : undefined;
  }

  async function useCode(tx: Db, user: UserRow, code: string): Promise<CodeKind | undefined> {
    await lockUserForCode(tx, user.id);
    const step = await matchingStep(user, code);
    return step !== undefined && (await takeStep(tx, user, step)) ? "totp" : undefined;
  }

  /** Returns the time step whose code this is, by the user's seed, without using it up. */
  async function matchingStep({ id, totpSecret }: UserRow, typed: string): Promise<number | undefined> {
    if (!totpSecret) return undefined;
    const seed = seal.open(totpSecret, placeOf(id));
    if (seed === undefined) log.error("cannot decrypt a TOTP secret; was APP_SECRET changed?", { userId: id });
    return seed === undefined ? undefined : stepOf(seed, typed.replace(/\s/g, ""), clock());
  }
}
