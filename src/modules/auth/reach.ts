/**
 * Decides which organizations a session reaches, with one rule for requests and for streams that stay open. An
 * identity provider is controlled by its organization's owners, so a session it opens reaches only that organization.
 * Conversely, a membership that single sign-on created is reached only through single sign-on: only the provider has
 * ever shown that the account's email is the member's, whereas anybody may have registered with it. Where single
 * sign-on is enforced, this holds for all members except owners, whom a broken provider must not lock out.
 */
import { sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { forbidden, notFound } from "@/http/errors";
import { isMadeBySso } from "@/platform/db/accounts/sso-members";
import { memberships, ssoConfigurations } from "@/platform/db/schema";

/** True if a membership is reached only through single sign-on. */
export const needsSso = sql<boolean>`(
  ${isMadeBySso}
  or ${memberships.role} <> 'owner' and exists (
    select 1 from ${ssoConfigurations} where ${ssoConfigurations.orgId} = ${memberships.orgId} and ${ssoConfigurations.enforce}
  ))`;

export interface Reached {
  orgId: OrgId;
  needsSso: boolean;
}

/** `ssoOrgId` is the organization whose identity provider opened the session; null for a session of the user's own. */
export const maySessionReach = (ssoOrgId: string | null, { orgId, needsSso }: Reached): boolean =>
  ssoOrgId === null ? !needsSso : ssoOrgId === orgId;

/**
 * Throws 404 if the session's identity provider belongs to another organization, 403 if the organization requires its
 * own.
 */
export function checkReach(ssoOrgId: string | null, membership: Reached): void {
  if (maySessionReach(ssoOrgId, membership)) return;
  if (ssoOrgId !== null) throw notFound("organization");
  throw forbidden("This organization requires single sign-on; sign in with its identity provider");
}
