/** Sessions of accounts: opened by whatever way of signing in, each with a row that makes it revocable (product §3). */
import type { AuthSession } from "@/contract/auth";
import type { SignedIn } from "@/http/access";
import type { Caller } from "@/http/caller";
import type { OrganizationService } from "@/modules/organizations/service";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import { presentSession } from "./present";
import * as store from "./store";
import { SESSION_SECONDS, type SessionTokens } from "./tokens";

export interface SessionsOptions {
  clock: Clock;
  tokens: SessionTokens;
  organizations: OrganizationService;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ clock, tokens, organizations }: SessionsOptions) {
  return {
    /** A new one, in the caller's transaction. `ssoOrgId`: whose identity provider vouched for the user. */
    async open(tx: Db, user: store.UserRow, caller: Caller, ssoOrgId: string | null = null): Promise<AuthSession> {
      const id = Bun.randomUUIDv7();
      const expiresAt = new Date(clock() + SESSION_SECONDS * 1000);
      await store.insertSession(tx, { id, userId: user.id, ssoOrgId, ...caller, expiresAt });
      const token = await tokens.sign({ sub: user.id, sid: id });
      return presentSession(token, user, await organizations.ofUser(tx, user.id));
    },

    async end(db: Db, { sessionId }: Pick<SignedIn, "sessionId">): Promise<void> {
      await store.revokeSession(db, sessionId, new Date(clock()));
    },
  };
}
