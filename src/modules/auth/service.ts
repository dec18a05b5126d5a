/** Accounts: register, sign in, who am I, sign out (product §3). */

import type { AuthSession, LoginInput, RegisterInput } from "@/contract/auth";
import type { SignedIn } from "@/http/access";
import type { Caller } from "@/http/caller";
import { conflict, invalid, unauthenticated } from "@/http/errors";
import type { OrganizationService } from "@/modules/organizations/service";
import type { Clock } from "@/platform/clock";
import { violatedConstraint } from "@/platform/db/faults";
import type { Db } from "@/platform/db/tx";
import { hashPassword, verifyNoPassword, verifyPassword } from "@/platform/passwords";
import { passwordFault } from "./password-rules";
import { actorOf, presentSession } from "./present";
import type { Sessions } from "./sessions";
import * as store from "./store";

export interface AuthServiceOptions {
  db: Db;
  clock: Clock;
  sessions: Sessions;
  organizations: OrganizationService;
}

export type AuthService = ReturnType<typeof createAuthService>;

export function createAuthService({ db, clock, sessions, organizations }: AuthServiceOptions) {
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
          return sessions.open(tx, user, caller);
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
      return sessions.open(db, user, caller);
    },

    async me(signedIn: SignedIn): Promise<AuthSession> {
      const user = await store.findSessionUser(db, signedIn.sessionId, new Date(clock()));
      if (!user) throw unauthenticated();
      return presentSession(signedIn.token, user, await organizations.ofUser(db, user.id));
    },

    logout: (signedIn: SignedIn): Promise<void> => sessions.end(db, signedIn),
  };
}

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
