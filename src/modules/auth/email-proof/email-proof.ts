/**
 * The proof of an address: a mail goes there, and whoever has its link says that the account is theirs.
 *
 * The link's token is signed, names the account and is good for `EMAIL_TOKEN_SECONDS`; it signs nobody in. It may be used
 * again, which changes nothing, and ends with the account. Mail scanners open links: the page only asks, its button proves.
 * A registration waits for no mail, and past the limits goes without: another one can be asked for.
 */
import type { VerifyEmailInput } from "@/contract/accounts/email-proof";
import type { SignedIn } from "@/http/access";
import type { Caller } from "@/http/caller";
import { conflict, invalid, tooMany, unauthenticated } from "@/http/errors";
import type { Db } from "@/platform/db/tx";
import type { LimitVerdict } from "@/platform/limits/limits";
import type { Mailer } from "@/platform/mail";
import { auditAccount, requireOwnSession } from "../account";
import type { MailLimits } from "../mail-limits";
import { actorOf } from "../present";
import type { EmailTokens } from "../sessions/tokens";
import type { SignInLimits } from "../sign-in-limits";
import type { AddressRules } from "./address-rules";
import { type AddressUser, findHolder } from "./address-store";
import { proofMail } from "./mail";

export interface EmailProofOptions {
  db: Db;
  rules: AddressRules;
  tokens: EmailTokens;
  mailLimits: MailLimits;
  signInLimits: SignInLimits;
  mailer: Mailer | null;
  /** Origin of the service, where its own pages are. */
  serviceUrl: string;
}

export type EmailProof = ReturnType<typeof createEmailProof>;

export function createEmailProof(options: EmailProofOptions) {
  const { db, rules, tokens, mailLimits, signInLimits, mailer, serviceUrl } = options;

  return {
    /** Behind the answer to a registration; nothing for an account that has nothing to prove. */
    async ask(user: AddressUser, caller: Caller): Promise<void> {
      if (rules.isUnproven(user) && (await takeMail(user, caller)).ok) send(user);
    },

    /** Throws 403 for single sign-on, 409 where there is nothing to prove, 429. */
    async askAgain(signedIn: SignedIn, caller: Caller): Promise<void> {
      requireOwnSession(signedIn);
      const user = await findHolder(db, signedIn.userId);
      if (!user) throw unauthenticated();
      if (!rules.isUnproven(user)) throw conflict("This email address needs no confirmation");
      const { ok, retryAfterSeconds } = await takeMail(user, caller);
      if (!ok) throw tooMany("Too many mails requested; try again later", retryAfterSeconds);
      send(user);
    },

    /** Whose address a token is about, which this changes nothing of; undefined for a token that is none any more. */
    async find(token: string): Promise<{ email: string; isProven: boolean } | undefined> {
      const user = await holderOf(token);
      return user && { email: user.email, isProven: !rules.isUnproven(user) };
    },

    /** Twice is fine. Throws 400 for a token that is none any more, 429. */
    async use({ token }: VerifyEmailInput, caller: Caller): Promise<void> {
      await signInLimits.takeAddress(caller);
      const user = await holderOf(token);
      if (!user) throw isOver();
      await db.transaction(async (tx) => {
        if (!(await rules.prove(tx, user.id))) return;
        await auditAccount(tx, { userId: user.id, actor: actorOf(user, caller) }, { action: "user.email_verify" });
      });
    },
  };

  async function holderOf(token: string): Promise<AddressUser | undefined> {
    const claims = await tokens.verify(token);
    return claims && findHolder(db, claims.sub);
  }

  async function takeMail({ email }: AddressUser, caller: Caller): Promise<LimitVerdict> {
    const ofNetwork = await mailLimits.takeNetwork(caller);
    return ofNetwork.ok ? mailLimits.takeEmail("proof", email) : ofNetwork;
  }

  function send({ id, email }: AddressUser): void {
    void mailer?.send(async () => {
      const token = await tokens.sign({ sub: id, sid: id });
      return proofMail(email, { proofUrl: `${serviceUrl}/app/verify-email?token=${token}` });
    });
  }
}

const isOver = () => invalid(["token: unknown, expired, or its account no longer exists"]);
