/**
 * Proves that an email address belongs to an account: the service mails a link to it, and whoever follows the link
 * confirms that the account is theirs.
 *
 * The link's token is signed, names the account and is valid for `EMAIL_TOKEN_SECONDS`; it signs nobody in. Using it
 * again changes nothing, and it ends with the account. Mail scanners open links, so the page only asks; its button
 * confirms. A registration does not wait for the mail, and past the limits sends none: the user can request another.
 */
import type { VerifyEmailInput } from "@/contract/accounts/email-proof";
import type { SignedIn } from "@/http/access";
import type { Caller } from "@/http/caller";
import { conflict, invalid, tooMany, unauthenticated } from "@/http/errors";
import { findUser, type UserRow } from "@/platform/db/accounts/users";
import type { Db } from "@/platform/db/tx";
import type { LimitVerdict } from "@/platform/limits/limits";
import type { Mailer } from "@/platform/mail";
import { auditAccount, requirePasswordSession } from "../account";
import type { MailLimits } from "../mail-limits";
import { actorOf } from "../present";
import type { EmailTokens } from "../sessions/tokens";
import type { SignInLimits } from "../sign-in-limits";
import type { AddressRules } from "./address-rules";
import { proofMail } from "./mail";

export interface EmailProofOptions {
  db: Db;
  rules: AddressRules;
  tokens: EmailTokens;
  mailLimits: MailLimits;
  signInLimits: SignInLimits;
  mailer: Mailer | null;
  /** The origin that serves the service's own pages. */
  serviceUrl: string;
}

export type EmailProof = ReturnType<typeof createEmailProof>;

export function createEmailProof(options: EmailProofOptions) {
  const { db, rules, tokens, mailLimits, signInLimits, mailer, serviceUrl } = options;

  return {
    /**
     * Sends the mail of a new registration in the background. Does nothing for an account that has nothing to prove.
     */
    async ask(user: UserRow, caller: Caller): Promise<void> {
      if (rules.isUnproven(user) && (await takeMail(user, caller)).ok) send(user);
    },

    /** Throws 403 for a single sign-on session, 409 if there is nothing to prove, 429. */
    async askAgain(signedIn: SignedIn, caller: Caller): Promise<void> {
      requirePasswordSession(signedIn);
      const user = await findUser(db, signedIn.userId);
      if (!user) throw unauthenticated();
      if (!rules.isUnproven(user)) throw conflict("This email address needs no confirmation");
      const { ok, retryAfterSeconds } = await takeMail(user, caller);
      if (!ok) throw tooMany("Too many mails requested; try again later", retryAfterSeconds);
      send(user);
    },

    /**
     * Returns the address that `use` would confirm with this token, without confirming it; undefined if the token is
     * no longer valid.
     */
    async find(token: string): Promise<{ email: string; isProven: boolean } | undefined> {
      const user = await holderOf(token);
      return user && { email: user.email, isProven: !rules.isUnproven(user) };
    },

    /**
     * Confirms the address; using a token twice is allowed. Throws 400 for a token that is not valid or no longer is,
     * 429.
     */
    async use({ token }: VerifyEmailInput, caller: Caller): Promise<void> {
      await signInLimits.takeAddress(caller);
      const user = await holderOf(token);
      if (!user) throw isOver();
      await db.transaction(async (tx) => {
        if (!(await rules.markProven(tx, user.id))) return;
        await auditAccount(tx, { userId: user.id, actor: actorOf(user, caller) }, { action: "user.email_verify" });
      });
    },
  };

  async function holderOf(token: string): Promise<UserRow | undefined> {
    const claims = await tokens.verify(token);
    return claims && findUser(db, claims.sub);
  }

  async function takeMail({ email }: UserRow, caller: Caller): Promise<LimitVerdict> {
    const ofNetwork = await mailLimits.takeNetwork(caller);
    return ofNetwork.ok ? mailLimits.takeEmail("proof", email) : ofNetwork;
  }

  function send({ id, email }: UserRow): void {
    void mailer?.send(async () => {
      const token = await tokens.sign({ sub: id, sid: id });
      return proofMail(email, { proofUrl: `${serviceUrl}/app/verify-email?token=${token}` });
    });
  }
}

const isOver = () => invalid(["token: unknown, expired, or its account no longer exists"]);
