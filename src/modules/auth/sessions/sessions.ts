/**
 * Opens, lists and ends account sessions. Every way of signing in opens one, with a row that makes it revocable.
 * Bounds: a user has at most `SESSIONS_MAX` sessions of their own, and as many from each identity provider, so that a
 * provider that vouches for the user cannot end the others. One more ends the oldest.
 */
import type { AuthSession } from "@/contract/accounts/auth";
import type { Session } from "@/contract/accounts/sessions";
import { isUuid } from "@/core/ids";
import type { SignedIn } from "@/http/access";
import type { Caller } from "@/http/caller";
import { notFound } from "@/http/errors";
import { pagingOf } from "@/http/page";
import type { OrganizationService } from "@/modules/organizations/service";
import type { Clock } from "@/platform/clock";
import { endAccessTokens } from "@/platform/db/accounts/access-tokens";
import type { UserRow } from "@/platform/db/accounts/users";
import type { Db } from "@/platform/db/tx";
import { parseUserAgent } from "@/platform/user-agent";
import { auditAccount, requirePasswordSession } from "../account";
import type { AddressRules } from "../email-proof/address-rules";
import type { KnownBrowsers } from "../known-browsers";
import { sessionUser } from "../session-user";
import { endChallenges } from "../two-factor/challenge-store";
import * as store from "./store";
import { SESSION_SECONDS, type SessionTokens } from "./tokens";

export interface SessionsOptions {
  clock: Clock;
  tokens: SessionTokens;
  organizations: OrganizationService;
  knownBrowsers: KnownBrowsers;
  rules: Pick<AddressRules, "isUnproven">;
}

export const SESSIONS_MAX = 50;

/** The result of a sign-in, and the `Set-Cookie` values that make its browser known. */
export interface WithBrowserCookies<Answer> {
  answer: Answer;
  cookies: string[];
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ clock, tokens, organizations, knownBrowsers, rules }: SessionsOptions) {
  return {
    open,

    /** Opens a session for a user whose own credentials were right, and makes their browser known. */
    async openInBrowser(tx: Db, user: UserRow, caller: Caller): Promise<WithBrowserCookies<AuthSession>> {
      return { answer: await open(tx, user, caller), cookies: knownBrowsers.remember(caller.cookies, user) };
    },

    /** Lists the user's active sessions. Throws 403 for a single sign-on session. */
    async list(db: Db, user: SignedIn, page: number, limit: number) {
      requirePasswordSession(user);
      const { rows, total } = await store.listSessions(db, user.userId, new Date(clock()), page, limit);
      return { sessions: rows.map((row) => presentRow(row, user.sessionId)), ...pagingOf(page, limit, total) };
    },

    /** Throws 403 for a single sign-on session, 404 if the session to end is over or another user's. */
    async revoke(db: Db, user: SignedIn, id: string) {
      requirePasswordSession(user);
      await db.transaction(async (tx) => {
        const isRevoked = isUuid(id) && (await store.revokeSession(tx, user.userId, id, new Date(clock())));
        if (!isRevoked) throw notFound("session");
        await auditAccount(tx, user, { action: "user.session_revoke", changes: { session: { from: id, to: null } } });
      });
      return { _id: id, deleted: true as const };
    },

    async end(db: Db, { userId, sessionId }: Pick<SignedIn, "userId" | "sessionId">): Promise<void> {
      await store.revokeSession(db, userId, sessionId, new Date(clock()));
    },

    /**
     * Ends every session and access token of the user, and every sign-in that waits for its second factor. Runs in
     * the transaction of the change that requires it. `keptId`: the session to keep.
     */
    async endAll(tx: Db, userId: string, keptId?: string): Promise<void> {
      const now = new Date(clock());
      // Challenges first: this waits for a sign-in that is being completed, whose new session is then ended with the
      // others.
      await endChallenges(tx, userId, now);
      await store.revokeSessions(tx, userId, now, keptId);
      await endAccessTokens(tx, userId, now);
    },
  };

  /**
   * Creates a session in the caller's transaction. `ssoOrgId` is the organization whose identity provider vouched for
   * the user.
   */
  async function open(
    tx: Db,
    user: UserRow,
    { ip, userAgent }: Caller,
    ssoOrgId: string | null = null,
  ): Promise<AuthSession> {
    const id = Bun.randomUUIDv7();
    const [now, expiresAt] = [new Date(clock()), new Date(clock() + SESSION_SECONDS * 1000)];
    await store.insertSession(tx, { id, userId: user.id, ssoOrgId, ip, userAgent, createdAt: now, expiresAt });
    await store.endOldest(tx, { userId: user.id, ssoOrgId }, SESSIONS_MAX, now);
    const token = await tokens.sign({ sub: user.id, sid: id });
    return {
      token,
      user: await sessionUser(tx, { user, ssoOrgId }, rules),
      organizations: await organizations.ofUser(tx, user.id, ssoOrgId),
    };
  }
}

const presentRow = (row: store.SessionRow, currentId: string): Session => ({
  ...wordsOf(row.userAgent),
  _id: row.id,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  ip: row.ip ?? undefined,
  userAgent: row.userAgent ?? undefined,
  ssoOrgId: row.ssoOrgId ?? undefined,
  isCurrent: row.id === currentId,
});

/** The browser and operating system by which people recognize a session. */
function wordsOf(userAgent: string | null): Pick<Session, "browser" | "os"> {
  const { browser, os } = parseUserAgent(userAgent ?? "");
  return { browser, os };
}
