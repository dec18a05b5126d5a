/** Who is calling, and what they may reach: read for each request, never kept in a token (product §3). */
import type { Role } from "@/contract/access";
import { isUuid, type OrgId, roleAllows } from "@/core/ids";
import type { SignedIn } from "@/http/access";
import type { Caller } from "@/http/caller";
import { forbidden, notFound, unauthenticated } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import { actorOf } from "./present";
import * as store from "./store";
import type { SessionTokens } from "./tokens";

export interface PrincipalsOptions {
  db: Db;
  clock: Clock;
  tokens: SessionTokens;
}

export const createPrincipals = ({ db, clock, tokens }: PrincipalsOptions) => ({
  /** The user behind a session token. Throws 401. */
  async signedIn(token: string, caller: Caller): Promise<SignedIn> {
    const claims = await tokens.verify(token);
    const user = claims && (await store.findSessionUser(db, claims.sid, new Date(clock())));
    if (!claims || !user || user.id !== claims.sub) throw unauthenticated();
    return { userId: user.id, sessionId: claims.sid, token, actor: actorOf(user, caller) };
  },

  /** The organization a user asks for, if a member. Throws 404, or 403 when the role does not allow it. */
  async member(user: SignedIn, orgId: string, needed: Role) {
    const membership = isUuid(orgId) ? await store.findMembership(db, user.userId, orgId) : undefined;
    if (!membership) throw notFound("organization");
    if (!roleAllows(membership.role, needed))
      throw forbidden(`This needs the role ${needed}; yours is ${membership.role}`);
    return { orgId: membership.orgId, role: membership.role, actor: user.actor };
  },

  /** Which of these sessions are still in force, of users who are still members. */
  membersAmong: (orgId: OrgId, sessionIds: string[]): Promise<Set<string>> =>
    store.findMemberSessions(db, orgId, sessionIds, new Date(clock())),
});
