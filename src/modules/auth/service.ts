/** Accounts: register, sign in, who am I, sign out (product §3). */

import type { Role } from "@/contract/access";
import type { AuthSession, LoginInput, RegisterInput } from "@/contract/auth";
import { type Actor, isUuid, type OrgId, roleAllows } from "@/core/ids";
import type { SignedIn } from "@/http/access";
import type { Caller } from "@/http/caller";
import { conflict, forbidden, invalid, notFound, unauthenticated } from "@/http/errors";
import type { OrganizationService } from "@/modules/organizations/service";
import type { Clock } from "@/platform/clock";
import { violatedConstraint } from "@/platform/db/faults";
import type { Db } from "@/platform/db/tx";
import { hashPassword, verifyNoPassword, verifyPassword } from "@/platform/passwords";
import { passwordFault } from "./password-rules";
import { presentSession } from "./present";
import * as store from "./store";
import { SESSION_SECONDS, type SessionTokens } from "./tokens";

export interface AuthServiceOptions {
  db: Db;
  clock: Clock;
  tokens: SessionTokens;
  organizations: OrganizationService;
}

export type AuthService = ReturnType<typeof createAuthService>;

export function createAuthService({ db, clock, tokens, organizations }: AuthServiceOptions) {
  const openSession = async (tx: Db, user: store.UserRow, caller: Caller): Promise<AuthSession> => {
    const id = Bun.randomUUIDv7();
    const expiresAt = new Date(clock() + SESSION_SECONDS * 1000);
    await store.insertSession(tx, {
      id,
      userId: user.id,
      userAgent: caller.userAgent,
      expiresAt,
    });
    const token = await tokens.sign({ sub: user.id, sid: id });
    return presentSession(token, user, await organizations.ofUser(tx, user.id));
  };

  return {
    /** Throws 400 for a refused password, 409 for a taken email. */
    async register(input: RegisterInput, caller: Caller): Promise<AuthSession> {
      const email = input.email.toLowerCase();
      const fault = passwordFault(input.password, email);
      if (fault) throw invalid([fault]);
      const faults = (["name", "organizationName"] as const).filter((field) => input[field].trim() === "");
      if (faults.length > 0) throw invalid(faults.map((field) => `${field}: must not be blank`));
      if (await store.findUserByEmail(db, email)) throw emailTaken();
      const passwordHash = await hashPassword(input.password);
      return db
        .transaction(async (tx) => {
          const user = newUser(input.name.trim(), email, passwordHash, new Date(clock()));
          await store.insertUser(tx, user);
          await organizations.create(tx, input.organizationName.trim(), user.id, actorOf(user, caller));
          return openSession(tx, user, caller);
        })
        .catch((error) => {
          throw violatedConstraint(error) === "users_email_unique" ? emailTaken() : error;
        });
    },

    /** Throws 401; an unknown email costs the same time and gives the same answer as a wrong password. */
    async login(input: LoginInput, caller: Caller): Promise<AuthSession> {
      const user = await store.findUserByEmail(db, input.email.toLowerCase());
      const isRight = await (user?.passwordHash
        ? verifyPassword(input.password, user.passwordHash)
        : verifyNoPassword(input.password));
      if (!user || !isRight) throw unauthenticated("The email or the password is wrong");
      return openSession(db, user, caller);
    },

    async me(signedIn: SignedIn): Promise<AuthSession> {
      const user = await store.findSessionUser(db, signedIn.sessionId, new Date(clock()));
      if (!user) throw unauthenticated();
      return presentSession(signedIn.token, user, await organizations.ofUser(db, user.id));
    },

    async logout(signedIn: SignedIn): Promise<void> {
      await store.revokeSession(db, signedIn.sessionId, new Date(clock()));
    },

    /** The user behind a session token. Throws 401. */
    async signedIn(token: string, caller: Caller): Promise<SignedIn> {
      const claims = await tokens.verify(token);
      const user = claims && (await store.findSessionUser(db, claims.sid, new Date(clock())));
      if (!claims || !user || user.id !== claims.sub) throw unauthenticated();
      return {
        userId: user.id,
        sessionId: claims.sid,
        token,
        actor: actorOf(user, caller),
      };
    },

    /** The organization a user asks for, if a member. Throws 404, or 403 when the role does not allow it. */
    async member(user: SignedIn, orgId: string, needed: Role) {
      const membership = isUuid(orgId) ? await store.findMembership(db, user.userId, orgId) : undefined;
      if (!membership) throw notFound("organization");
      if (!roleAllows(membership.role, needed))
        throw forbidden(`This needs the role ${needed}; yours is ${membership.role}`);
      return {
        orgId: membership.orgId,
        role: membership.role,
        actor: user.actor,
      };
    },

    /** Which of these sessions are still in force, of users who are still members. */
    membersAmong: (orgId: OrgId, sessionIds: string[]): Promise<Set<string>> =>
      store.findMemberSessions(db, orgId, sessionIds, new Date(clock())),
  };
}

const actorOf = (user: store.UserRow, caller: Caller): Actor => ({
  type: "user",
  id: user.id,
  email: user.email,
  ...caller,
});

const emailTaken = () => conflict("An account with this email exists already", ["email: is already in use"]);

const newUser = (name: string, email: string, passwordHash: string, now: Date): store.UserRow => ({
  id: Bun.randomUUIDv7(),
  name,
  email,
  passwordHash,
  twoFactorEnabled: false,
  totpSecret: null,
  totpLastStep: null,
  createdAt: now,
  updatedAt: now,
});
