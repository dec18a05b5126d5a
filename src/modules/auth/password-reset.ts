/**
 * Forgotten passwords: a link goes to the account's mail address, and whoever has its token sets a new password.
 *
 * A reset is open for an hour, until it is used or a newer one replaces it. The token is in the mail alone; the database
 * has its hash. Who asks learns nothing of the account: everything but the limit by address happens behind the answer,
 * where a mailer composes the mail in its turn. Past `MAILS_AN_HOUR` for one email the last link stays the one that works.
 */
import type { PasswordResetInput } from "@/contract/password-reset";
import { type Caller, hashPlaceOf } from "@/http/caller";
import { invalid } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { Limits } from "@/platform/limits/limits";
import type { Mail, Mailer } from "@/platform/mail";
import { hashPassword } from "@/platform/passwords";
import { auditAccount } from "./account";
import { resetMail } from "./password-reset-mail";
import * as resets from "./password-reset-store";
import { passwordFault } from "./password-rules";
import { actorOf } from "./present";
import type { Sessions } from "./sessions";
import { hashedEmail, type SignInLimits } from "./sign-in-limits";
import { findUserByEmail } from "./store";

export interface PasswordResetOptions {
  db: Db;
  clock: Clock;
  limits: Limits;
  signInLimits: SignInLimits;
  sessions: Sessions;
  mailer: Mailer | null;
  dashboardUrl: string;
}

export type PasswordReset = ReturnType<typeof createPasswordReset>;

const HOUR_MS = 3_600_000;
const MAILS_AN_HOUR = 3;
const TOKEN_BYTES = 32;
const URL_SAFE = { alphabet: "base64url", omitPadding: true } as const;

export function createPasswordReset(options: PasswordResetOptions) {
  const { db, clock, limits, signInLimits, sessions, mailer, dashboardUrl } = options;
  const perEmail = limits.limiter({ name: "password-reset-mails", windowMs: HOUR_MS });

  return {
    /** Throws 429. */
    async request(typedEmail: string, caller: Caller): Promise<void> {
      await signInLimits.takeAddress(caller);
      const email = typedEmail.toLowerCase();
      void mailer?.send(() => compose(email));
    },

    /** Ends every session of the user. Throws 400 for the token and for a refused password, 429. */
    async use({ token, password }: PasswordResetInput, caller: Caller): Promise<void> {
      await signInLimits.takeAddress(caller);
      const hash = hashOf(token);
      const user = await resets.findResetUser(db, hash, new Date(clock()));
      if (!user) throw isOver();
      const fault = passwordFault(password, user.email);
      if (fault) throw invalid([fault]);
      const passwordHash = await hashPassword(password, hashPlaceOf("registration", caller));
      await db.transaction(async (tx) => {
        const now = new Date(clock());
        if (!(await resets.useReset(tx, user.id, hash, now))) throw isOver();
        await resets.setPassword(tx, user.id, passwordHash, now);
        await sessions.endAll(tx, user.id);
        await auditAccount(tx, { userId: user.id, actor: actorOf(user, caller) }, { action: "user.password_reset" });
      });
    },
  };

  async function compose(email: string): Promise<Mail | undefined> {
    const user = await findUserByEmail(db, email);
    if (!user || !(await perEmail.take(hashedEmail(email), MAILS_AN_HOUR)).ok) return undefined;
    const token = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).toBase64(URL_SAFE);
    const [now, expiresAt] = [new Date(clock()), new Date(clock() + HOUR_MS)];
    const reset = { id: Bun.randomUUIDv7(), userId: user.id, hash: hashOf(token), createdAt: now, expiresAt };
    const isMade = await db.transaction((tx) => resets.replaceResets(tx, reset, now));
    // Behind a `#`, so that no server on the way writes the token into its logs.
    return isMade ? resetMail(email, `${dashboardUrl}/reset-password#token=${token}`) : undefined;
  }
}

const hashOf = (token: string): Uint8Array => new Bun.CryptoHasher("sha256").update(token).digest();

const isOver = () => invalid(["token: is unknown, was used, was replaced by a newer one, or has expired"]);
