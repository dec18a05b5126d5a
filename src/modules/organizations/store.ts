import { and, eq, not } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { isMadeBySso } from "@/platform/db/accounts/sso-members";
import { keepLockOrder } from "@/platform/db/locks";
import { memberships, organizations, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type OrganizationRow = typeof organizations.$inferSelect;
/** The fields that admins may change. */
export type OrganizationValues = Pick<OrganizationRow, "name" | "branding" | "settings">;

/** Inserts an organization; its id then counts as checked. */
export async function insertOrganization(
  tx: Db,
  organization: typeof organizations.$inferInsert,
): Promise<OrganizationRow & { id: OrgId }> {
  const [row] = await tx.insert(organizations).values(organization).returning();
  if (!row) throw new Error("An inserted organization was not returned");
  return { ...row, id: row.id as OrgId };
}

export const insertOwner = (tx: Db, orgId: OrgId, userId: string) =>
  tx.insert(memberships).values({ id: Bun.randomUUIDv7(), orgId, userId, role: "owner" });

export async function findOrganization(db: Db, orgId: OrgId): Promise<OrganizationRow | undefined> {
  return (await db.select().from(organizations).where(eq(organizations.id, orgId)).limit(1))[0];
}

/** Does the same, and locks the row until the transaction ends. */
export async function lockOrganization(tx: Db, orgId: OrgId): Promise<OrganizationRow | undefined> {
  keepLockOrder(tx, "organization");
  const found = tx.select().from(organizations).where(eq(organizations.id, orgId));
  return (await found.for("no key update").limit(1))[0];
}

export async function updateOrganization(
  tx: Db,
  orgId: OrgId,
  values: Partial<OrganizationValues>,
  now: Date,
): Promise<OrganizationRow> {
  const changed = tx.update(organizations).set({ ...values, updatedAt: now });
  const [row] = await changed.where(eq(organizations.id, orgId)).returning();
  if (!row) throw new Error("A locked organization could not be updated");
  return row;
}

/** Lists the organization of the identity provider, or else those the user joined, oldest first. */
export async function listOrganizationsOf(db: Db, userId: string, ssoOrgId: string | null): Promise<OrganizationRow[]> {
  const isTold = ssoOrgId === null ? not(isMadeBySso) : eq(memberships.orgId, ssoOrgId);
  const rows = await db
    .select({ organization: organizations })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(and(eq(memberships.userId, userId), isTold))
    .orderBy(organizations.id);
  return rows.map(({ organization }) => organization);
}

/** Locks the user until the transaction ends, so that creating organizations takes turns and their count stays true. */
export async function lockUserRow(tx: Db, userId: string): Promise<void> {
  keepLockOrder(tx, "user");
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

/**
 * Lists the organizations the user owns, except those whose identity provider made the user a member, with or without
 * the user's consent.
 */
export async function listOwned(db: Db, userId: string): Promise<OrgId[]> {
  const owned = and(eq(memberships.userId, userId), eq(memberships.role, "owner"), not(isMadeBySso));
  const rows = await db.select({ orgId: memberships.orgId }).from(memberships).where(owned);
  return rows.map(({ orgId }) => orgId as OrgId);
}
