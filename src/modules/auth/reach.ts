/**
 * Which organizations a session reaches: one rule, for requests and for streams that stay open. An identity provider is
 * in the hands of its organization's owners, so what it vouches for reaches that organization alone. The other way round,
 * a membership that single sign-on made is reached through it alone: nobody but the provider has ever shown that the
 * account's email is that of the member, whereas anybody may have registered with it. Where single sign-on is enforced
 * that holds for all members but owners, whom a broken provider must not lock out.
 */
import { sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { forbidden, notFound } from "@/http/errors";
import { memberships, ssoConfigurations } from "@/platform/db/schema";
import { isMadeBySso } from "@/platform/db/sso-members";

/** Tells whether a membership is reached only by single sign-on. */
export const needsSso = sql<boolean>`(
  ${isMadeBySso}
  or ${memberships.role} <> 'owner' and exists (
    select 1 from ${ssoConfigurations} where ${ssoConfigurations.orgId} = ${memberships.orgId} and ${ssoConfigurations.enforce}
  ))`;

export interface Reached {
  orgId: OrgId;
  needsSso: boolean;
}

/** `ssoOrgId` is the organization whose identity provider opened the session. */
export const isReached = (ssoOrgId: string | null, { orgId, needsSso }: Reached): boolean =>
  ssoOrgId === null ? !needsSso : ssoOrgId === orgId;

/** Throws 404 for an organization that the session's provider has nothing to say about, 403 for want of its own. */
export function checkReach(ssoOrgId: string | null, membership: Reached): void {
  if (isReached(ssoOrgId, membership)) return;
  if (ssoOrgId !== null) throw notFound("organization");
  throw forbidden("This organization requires single sign-on; sign in with its identity provider");
}
