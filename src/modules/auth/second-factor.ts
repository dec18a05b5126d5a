/**
 * The second factor of an account: whether a code is one of its authenticator's or of its recovery codes, once each.
 *
 * An account bears `WRONG_AN_HOUR` wrong codes an hour, wherever codes are asked for. Three in a million are right at any
 * time: whoever knows the password and guesses on meets one in a year or so. No lock outlasts the hour.
 */
import { tooMany } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { Limits } from "@/platform/limits/limits";
import type { Log } from "@/platform/log";
import type { Seal } from "@/platform/seal";
import { takeRecoveryCode } from "./recovery-codes";
import type { UserRow } from "./store";
import { isTotpShaped, stepOf } from "./totp";
import { holdUser, takeStep } from "./two-factor-store";

export interface SecondFactorOptions {
  clock: Clock;
  seal: Seal;
  limits: Limits;
  log: Log;
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;

type CodeKind = "totp" | "recovery";

const WRONG_AN_HOUR = 30;
const HOUR_MS = 3_600_000;

const placeOf = (userId: string) => `users.totp_secret:${userId}`;

export function createSecondFactor({ clock, seal, limits, log }: SecondFactorOptions) {
  const tries = limits.limiter({ name: "two-factor-codes", windowMs: HOUR_MS });

  return {
    sealSeed: (userId: string, seed: string): Uint8Array => seal.close(seed, placeOf(userId)),

    matchingStep,

    /**
     * Which kind of code it was, used up in the caller's transaction; undefined for one that is wrong or was used. Throws
     * 429.
     */
    async take(tx: Db, user: UserRow, typed: string): Promise<CodeKind | undefined> {
      const { ok, retryAfterSeconds } = await tries.take(user.id, WRONG_AN_HOUR);
      if (!ok) throw tooMany("Too many wrong codes for this account; try again later", retryAfterSeconds);
      const kind = await use(tx, user, typed);
      if (kind) tries.giveBack(user.id);
      return kind;
    },
  };

  async function use(tx: Db, user: UserRow, typed: string): Promise<CodeKind | undefined> {
    await holdUser(tx, user.id);
    const code = typed.replace(/\s/g, "");
    if (!isTotpShaped(code)) {
      return (await takeRecoveryCode(tx, user.id, code, new Date(clock()))) ? "recovery" : undefined;
    }
    const step = matchingStep(user, code);
    return step !== undefined && (await takeStep(tx, user, step)) ? "totp" : undefined;
  }

  /** The step whose code this is, by the user's seed; nothing is used up. */
  function matchingStep({ id, totpSecret }: UserRow, typed: string): number | undefined {
    if (!totpSecret) return undefined;
    const seed = seal.open(totpSecret, placeOf(id));
    if (seed === undefined) log.error("a TOTP seed does not open: was APP_SECRET changed?", { userId: id });
    return seed === undefined ? undefined : stepOf(seed, typed.replace(/\s/g, ""), clock());
  }
}
