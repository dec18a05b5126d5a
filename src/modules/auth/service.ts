/** Registers accounts, signs users in and out, and returns who is signed in. */
import type { AuthSession, LoginInput, Registration } from "@/contract/accounts/auth";
import type { LoginAnswer } from "@/contract/accounts/two-factor";
import type { SignedIn } from "@/http/access";
import { type Caller, hashPlaceOf } from "@/http/caller";
import { conflict, invalid, unauthenticated } from "@/http/errors";
import type { MemberService } from "@/modules/members/service";
import type { OrganizationService } from "@/modules/organizations/service";
import type { Clock } from "@/platform/clock";
import { findUserByEmail, type UserRow } from "@/platform/db/accounts/users";
import { violatedConstraint } from "@/platform/db/faults";
import type { Db } from "@/platform/db/tx";
import { storedEmail } from "@/platform/hosts/email-address";
import { hashPassword } from "@/platform/passwords/passwords";
import type { Credentials } from "./credentials";
import type { AddressRules } from "./email-proof/address-rules";
import type { EmailProof } from "./email-proof/email-proof";
import { passwordFault } from "./password-rules";
import { actorOf } from "./present";
import type { RegistrationRules } from "./registration";
import { sessionUser } from "./session-user";
import type { Sessions, WithBrowserCookies } from "./sessions/sessions";
import { findSession } from "./sessions/store";
import type { SignInLimits } from "./sign-in-limits";
import * as store from "./store";
import type { Challenges } from "./two-factor/challenges";
import { lockUserForCode } from "./two-factor/store";

export interface AuthServiceOptions {
  db: Db;
  clock: Clock;
  sessions: Sessions;
  signInLimits: SignInLimits;
  credentials: Credentials;
  challenges: Challenges;
  organizations: OrganizationService;
  members: MemberService;
  registration: RegistrationRules;
  rules: AddressRules;
  emailProof: EmailProof;
}

export type AuthService = ReturnType<typeof createAuthService>;

export function createAuthService(options: AuthServiceOptions) {
  const { db, clock, sessions, signInLimits, credentials, challenges } = options;
  const { organizations, members, rules, emailProof, registration } = options;
  return {
    /**
     * Throws 400 for a refused password or invitation, 403 if registration is closed to the caller, 409 for a taken
     * email, 429. An invitation is checked first: one that is no good must not reveal which emails are taken.
     */
    async register(input: Registration, caller: Caller): Promise<WithBrowserCookies<AuthSession>> {
      await signInLimits.takeAddress(caller);
      await registration.check(db, input.inviteToken !== undefined);
      const email = storedEmail(input.email);
      const { name, organizationName, inviteToken } = checkedRegistration(input, email);
      const readsMail = inviteToken !== undefined && members.isMailed(inviteToken);
      if (inviteToken !== undefined) await members.checkInvitation(email, inviteToken);
      const holder = await findUserByEmail(db, input.email);
      if (holder && !rules.canBeTakenOver(holder, readsMail)) throw emailTaken();
      const passwordHash = await hashPassword(input.password, hashPlaceOf("registration", caller));
      const addressHeldUntil = readsMail ? null : rules.heldUntil();
      const user = newUser({ name, email, passwordHash, addressHeldUntil }, new Date(clock()));
      const session = await db
        .transaction(async (tx) => {
          const invitation = await members.hold(tx, email, inviteToken);
          await registration.confirm(tx, inviteToken !== undefined);
          if (holder && !(await rules.deleteUnprovenAccount(tx, holder.id, readsMail))) throw emailTaken();
          await store.insertUser(tx, user);
          const actor = actorOf(user, caller);
          if (invitation) await members.accept(tx, user, invitation, actor);
          else await organizations.create(tx, organizationName, user.id, actor);
          return sessions.openInBrowser(tx, user, caller);
        })
        .catch(rethrow);
      await emailProof.ask(user, caller);
      return session;
    },

    /**
     * Accepts the invitation once all factors are right. Throws 401 (see `Credentials.check`), then 400 for an
     * invalid invitation, 429.
     */
    async login(input: LoginInput, caller: Caller): Promise<WithBrowserCookies<LoginAnswer>> {
      await signInLimits.takeAddress(caller);
      const checked = await credentials.check(input.email, input.password, caller);
      const { inviteToken } = input;
      return db.transaction(async (tx) => {
        const invitation = await members.hold(tx, checked.email, inviteToken);
        // Accepting may change the user's row: this lock makes concurrent sign-ins with invitations take turns.
        if (invitation) await lockUserForCode(tx, checked.id);
        const user = await credentials.confirm(tx, checked, input.password, caller);
        if (user.twoFactorEnabled) return { answer: await challenges.open(tx, user), cookies: [] };
        if (!invitation) return sessions.openInBrowser(tx, user, caller);
        await members.accept(tx, user, invitation, actorOf(user, caller));
        const isProven = members.isMailed(invitation.inviteToken);
        return sessions.openInBrowser(tx, isProven ? { ...user, addressHeldUntil: null } : user, caller);
      });
    },

    async me(signedIn: SignedIn): Promise<AuthSession> {
      const found = await findSession(db, signedIn.sessionId, new Date(clock()));
      if (!found) throw unauthenticated();
      const { token, ssoOrgId } = signedIn;
      return {
        token,
        user: await sessionUser(db, { user: found.user, ssoOrgId }, rules),
        organizations: await organizations.ofUser(db, found.user.id, ssoOrgId),
      };
    },

    logout: (signedIn: SignedIn): Promise<void> => sessions.end(db, signedIn),
  };
}

/** Returns the names, trimmed; the organization's is empty if none is created. Throws 400. */
function checkedRegistration({ inviteToken, password, ...names }: Registration, email: string) {
  const fault = passwordFault(password, email);
  const [name, organizationName] = [names.name.trim(), names.organizationName?.trim() ?? ""];
  const needed = { name, ...(inviteToken === undefined && { organizationName }) };
  const blank = Object.entries(needed).filter(([, text]) => text === "");
  const faults = [...blank.map(([field]) => `${field}: must not be blank`), ...(fault ? [fault] : [])];
  if (faults.length > 0) throw invalid(faults);
  return { name, organizationName, inviteToken };
}

const emailTaken = () => conflict("An account with this email already exists", ["email: already in use"]);

type NewUser = Pick<UserRow, "name" | "email" | "passwordHash" | "addressHeldUntil">;

const newUser = (user: NewUser, now: Date): UserRow => ({
  id: Bun.randomUUIDv7(),
  ...user,
  twoFactorEnabled: false,
  totpSecret: null,
  totpLastStep: null,
  createdAt: now,
  updatedAt: now,
});

/** Throws the error, as 409 if the email was taken in the meantime. */
function rethrow(error: unknown): never {
  throw violatedConstraint(error) === "users_email_unique" ? emailTaken() : error;
}
