/**
 * Resets forgotten passwords: the service mails a link to the account's address, and whoever has its token sets a new
 * password.
 *
 * A reset is open for an hour, until it is used or a newer one replaces it. The token is only in the mail; the
 * database holds its hash. A caller learns nothing about the account: everything except the limits by IP address and
 * network runs after the response, where a mailer composes the mail in its turn. Past the limits of mails to one
 * address, no new link is sent while the last one is valid: whoever requests resets for somebody else keeps nobody from
 * their own.
 */
import type { PasswordResetInput } from "@/contract/accounts/password-reset";
import { HOUR_MS } from "@/core/time/time-range";
import { type Caller, hashPlaceOf } from "@/http/caller";
import { invalid, tooMany } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import { findUserByEmail } from "@/platform/db/accounts/users";
import type { Db } from "@/platform/db/tx";
import type { Mail, Mailer } from "@/platform/mail";
import { hashPassword } from "@/platform/passwords/passwords";
import { auditAccount } from "../account";
import type { AddressRules } from "../email-proof/address-rules";
import type { MailLimits } from "../mail-limits";
import { passwordFault } from "../password-rules";
import { actorOf } from "../present";
import type { Sessions } from "../sessions/sessions";
import type { SignInLimits } from "../sign-in-limits";
import { insertUser } from "../store";
import { resetMail } from "./mail";
import * as resets from "./store";

export interface PasswordResetOptions {
  db: Db;
  clock: Clock;
  rules: AddressRules;
  mailLimits: MailLimits;
  signInLimits: SignInLimits;
  sessions: Sessions;
  mailer: Mailer | null;
  /** The origin that serves the service's own pages. */
  serviceUrl: string;
}

export type PasswordReset = ReturnType<typeof createPasswordReset>;

const TOKEN_BYTES = 32;
const URL_SAFE = { alphabet: "base64url", omitPadding: true } as const;

export function createPasswordReset(options: PasswordResetOptions) {
  const { db, clock, rules, mailLimits, signInLimits, sessions, mailer, serviceUrl } = options;

  return {
    /** Whether the service can mail a link. */
    sendsMail: mailer !== null,

    /** Mails a link if there is an account with this email. Throws 429. */
    async request(typedEmail: string, caller: Caller): Promise<void> {
      await signInLimits.takeAddress(caller);
      const { ok, retryAfterSeconds } = await mailLimits.takeNetwork(caller);
      if (!ok) throw tooMany("Too many mails requested from your network; try again later", retryAfterSeconds);
      void mailer?.send(() => compose(typedEmail));
    },

    /**
     * Returns the email of the account whose password `use` would set with this token, without using the token up;
     * undefined if the token is not open.
     */
    emailOf: async (token: string): Promise<string | undefined> =>
      (await resets.findResetUser(db, hashOf(token), new Date(clock())))?.email,

    /**
     * Sets the password and ends every session and access token of the user. An account whose address was never
     * proven is deleted instead, and a new one takes its place. Throws 400 for an invalid token and for a refused
     * password, 429.
     */
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
        if (await rules.deleteUnprovenAccount(tx, user.id, true))
          return insertUser(tx, accountAnew(user.email, passwordHash, now));
        await resets.setPassword(tx, user.id, passwordHash, now);
        await sessions.endAll(tx, user.id);
        await auditAccount(tx, { userId: user.id, actor: actorOf(user, caller) }, { action: "user.password_reset" });
      });
    },
  };

  async function compose(typedEmail: string): Promise<Mail | undefined> {
    const user = await findUserByEmail(db, typedEmail);
    if (!user) return undefined;
    const { email } = user;
    const [now, expiresAt] = [new Date(clock()), new Date(clock() + HOUR_MS)];
    const hasNoLink = !(await resets.hasOpenReset(db, user.id, now));
    if (!(await mailLimits.takeEmail("reset", email, hasNoLink)).ok) return undefined;
    const token = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).toBase64(URL_SAFE);
    const reset = { id: Bun.randomUUIDv7(), userId: user.id, hash: hashOf(token), createdAt: now, expiresAt };
    const isMade = await db.transaction((tx) => resets.replaceResets(tx, reset, now));
    // The token is in the query of one of our own pages. In a fragment, a redirect would carry it on to wherever it
    // leads.
    const resetUrl = `${serviceUrl}/app/reset-password?token=${token}`;
    return isMade ? resetMail(email, { resetUrl, makesAnew: rules.isUnproven(user) }) : undefined;
  }
}

/** An account for the person who reads the address's mail; nothing else is known about them. */
const accountAnew = (email: string, passwordHash: string, now: Date) => ({
  id: Bun.randomUUIDv7(),
  ...{ email, passwordHash, name: email.split("@", 1).join(), createdAt: now, updatedAt: now },
});

const hashOf = (token: string): Uint8Array => new Bun.CryptoHasher("sha256").update(token).digest();

const isOver = () => invalid(["token: unknown, already used, replaced by a newer one, or expired"]);
