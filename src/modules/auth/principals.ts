/** Finds out who is calling and what they may reach. Both are read on every request, never stored in a token. */
import { isUuid, type OrgId } from "@/core/ids";
import type { Membership, Principal, SignedIn } from "@/http/access";
import type { Caller } from "@/http/caller";
import { notFound, unauthenticated } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import { type AccessTokens, isAccessToken } from "./access-tokens/service";
import { findMemberTokens } from "./access-tokens/store";
import type { CredentialUse } from "./credential-use";
import { actorOf } from "./present";
import { checkReach } from "./reach";
import { findMemberSessions, findSession } from "./sessions/store";
import type { SessionTokens } from "./sessions/tokens";
import * as store from "./store";

export interface PrincipalsOptions {
  db: Db;
  clock: Clock;
  tokens: SessionTokens;
  sessionUse: CredentialUse;
  accessTokens: Pick<AccessTokens, "authenticate">;
}

export function createPrincipals({ db, clock, tokens, sessionUse, accessTokens }: PrincipalsOptions) {
  return {
    signedIn,

    /** Returns the user behind a session token or an access token. Throws 401. */
    user: (credential: string, caller: Caller): Promise<Principal> =>
      isAccessToken(credential) ? accessTokens.authenticate(credential, caller) : signedIn(credential, caller),

    /**
     * Returns the user's membership of the organization. Throws 404 if the user is not a member or the access token
     * is for another organization, 403 if the organization requires single sign-on.
     */
    async member(user: Principal, orgId: string): Promise<Membership> {
      const isReachable = user.accessToken === null || user.accessToken.orgId === orgId.toLowerCase();
      const membership = isReachable && isUuid(orgId) ? await store.findMembership(db, user.userId, orgId) : undefined;
      if (!membership) throw notFound("organization");
      checkReach(user.ssoOrgId, membership);
      const { role, plan } = membership;
      return { orgId: membership.orgId, role, plan, actor: user.actor };
    },

    /**
     * Returns the ids of those sessions and access tokens that are still active, belong to users who are still
     * members, and reach the organization.
     */
    async membersAmong(orgId: OrgId, credentialIds: string[]): Promise<Set<string>> {
      const now = new Date(clock());
      const [ofSessions, ofTokens] = await Promise.all([
        findMemberSessions(db, orgId, credentialIds, now),
        findMemberTokens(db, orgId, credentialIds, now),
      ]);
      return new Set([...ofSessions, ...ofTokens]);
    },
  };

  /** Returns the user behind a session token. Throws 401. */
  async function signedIn(token: string, caller: Caller): Promise<SignedIn> {
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
      accessToken: null,
      actor: actorOf(user, caller),
      signal: caller.signal,
    };
  }
}
