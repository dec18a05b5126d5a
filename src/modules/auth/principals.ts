/** Who is calling, and what they may reach: read for each request, never kept in a token. */
import { isUuid, type OrgId } from "@/core/ids";
import type { Membership, SignedIn } from "@/http/access";
import type { Caller } from "@/http/caller";
import { notFound, unauthenticated } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import { actorOf } from "./present";
import { checkReach } from "./reach";
import type { SessionUse } from "./sessions/session-use";
import { findMemberSessions, findSession } from "./sessions/store";
import type { SessionTokens } from "./sessions/tokens";
import * as store from "./store";

export interface PrincipalsOptions {
  db: Db;
  clock: Clock;
  tokens: SessionTokens;
  sessionUse: SessionUse;
}

export const createPrincipals = ({ db, clock, tokens, sessionUse }: PrincipalsOptions) => ({
  /** Returns the user behind a session token. Throws 401. */
  async signedIn(token: string, caller: Caller): Promise<SignedIn> {
    const claims = await tokens.verify(token);
    const found = claims && (await findSession(db, claims.sid, new Date(clock())));
    if (!found || found.user.id !== claims.sub) throw unauthenticated();
    const { session, user } = found;
    sessionUse.note(session);
    return {
      userId: user.id,
      sessionId: session.id,
      ssoOrgId: session.ssoOrgId,
      token,
      actor: actorOf(user, caller),
      signal: caller.signal,
    };
  },

  /** The organization a user asks for, if a member. Throws 404, and 403 where it takes single sign-on. */
  async member(user: SignedIn, orgId: string): Promise<Membership> {
    const membership = isUuid(orgId) ? await store.findMembership(db, user.userId, orgId) : undefined;
    if (!membership) throw notFound("organization");
    checkReach(user.ssoOrgId, membership);
    const { role, plan } = membership;
    return { orgId: membership.orgId, role, plan, actor: user.actor };
  },

  /** Which of these sessions are still in force, of users who are still members, and reach the organization. */
  membersAmong: (orgId: OrgId, sessionIds: string[]): Promise<Set<string>> =>
    findMemberSessions(db, orgId, sessionIds, new Date(clock())),
});
