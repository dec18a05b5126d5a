/** Reads an organization's plan, and how many it has of the resources that plans limit. */
import { and, count, eq, gt, isNotNull, isNull, or, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Plan } from "@/contract/accounts/plans";
import type { Resource } from "@/core/entitlements";
import type { OrgId } from "@/core/ids";
import { OrganizationDeleted } from "@/platform/db/faults";
import { apiKeys, domains, listedLinks, memberships, organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/** Throws `OrganizationDeleted`. */
export async function findPlan(db: Db, orgId: OrgId): Promise<Plan> {
  const [row] = await db.select({ plan: organizations.plan }).from(organizations).where(eq(organizations.id, orgId));
  if (!row) throw new OrganizationDeleted("An organization was deleted while its plan was being read");
  return row.plan;
}

/** Counts what counts against the plan. */
export async function countLive(db: Db, orgId: OrgId, resource: Resource, now: Date): Promise<number> {
  const { table, where } = liveOnes(orgId, now)[resource];
  const [counted] = await db.select({ total: count() }).from(table).where(where);
  return counted?.total ?? 0;
}

const liveOnes = (orgId: OrgId, now: Date): Record<Resource, { table: PgTable; where: SQL | undefined }> => ({
  links: { table: listedLinks, where: eq(listedLinks.orgId, orgId) },
  domains: { table: domains, where: eq(domains.orgId, orgId) },
  members: {
    table: memberships,
    where: and(eq(memberships.orgId, orgId), or(isNotNull(memberships.userId), gt(memberships.inviteExpiresAt, now))),
  },
  apiKeys: {
    table: apiKeys,
    where: and(
      eq(apiKeys.orgId, orgId),
      isNull(apiKeys.revokedAt),
      or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
    ),
  },
});
