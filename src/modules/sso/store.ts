/** Configurations of single sign-on, by organization, and the sessions that follow from them. */
import { and, eq, inArray, isNotNull, isNull, ne, not } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { isIndependentOwner } from "@/platform/db/owners";
import { memberships, organizations, sessions, ssoConfigurations, users } from "@/platform/db/schema";
import { isMadeBySso } from "@/platform/db/sso-members";
import type { Db } from "@/platform/db/tx";

export type ConfigurationRow = typeof ssoConfigurations.$inferSelect;
export type ConfigurationValues = Omit<ConfigurationRow, "orgId" | "createdAt" | "updatedAt">;

/** One that lets users in. Whose it is counts as checked: its identity provider has to vouch for all that follows. */
export interface EnabledConfiguration extends ConfigurationRow {
  orgId: OrgId;
  issuer: string;
  clientId: string;
}

const one = (orgId: OrgId) => eq(ssoConfigurations.orgId, orgId);

export async function findConfiguration(db: Db, orgId: OrgId): Promise<ConfigurationRow | undefined> {
  return (await db.select().from(ssoConfigurations).where(one(orgId)))[0];
}

/** Made where there is none, and locked until the transaction ends. */
export async function lockConfiguration(tx: Db, orgId: OrgId, now: Date): Promise<ConfigurationRow> {
  await tx.insert(ssoConfigurations).values({ orgId, createdAt: now, updatedAt: now }).onConflictDoNothing();
  return written((await tx.select().from(ssoConfigurations).where(one(orgId)).for("update"))[0]);
}

export async function updateConfiguration(tx: Db, orgId: OrgId, values: ConfigurationValues, now: Date) {
  const changed = tx.update(ssoConfigurations).set({ ...values, updatedAt: now });
  return written((await changed.where(one(orgId)).returning())[0]);
}

/** Of the organization with this slug, where it is enabled. */
export async function findEnabledBySlug(db: Db, slug: string): Promise<EnabledConfiguration | undefined> {
  const rows = await db
    .select({ row: ssoConfigurations })
    .from(ssoConfigurations)
    .innerJoin(organizations, eq(organizations.id, ssoConfigurations.orgId))
    .where(eq(organizations.slug, slug));
  return enabled(rows[0]?.row);
}

/** As a sign-in under way names it. */
export async function findEnabled(db: Db, orgId: string): Promise<EnabledConfiguration | undefined> {
  return enabled((await db.select().from(ssoConfigurations).where(eq(ssoConfigurations.orgId, orgId)))[0]);
}

/** The same, which stays as it is until the transaction ends. */
export async function holdEnabled(tx: Db, orgId: OrgId): Promise<EnabledConfiguration | undefined> {
  return enabled((await tx.select().from(ssoConfigurations).where(one(orgId)).for("share"))[0]);
}

/** Whether an owner gets in without the identity provider. */
export async function hasIndependentOwner(tx: Db, orgId: OrgId): Promise<boolean> {
  const rows = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.orgId, orgId), isIndependentOwner))
    .limit(1);
  return rows.length > 0;
}

export async function findSlug(db: Db, orgId: OrgId): Promise<string> {
  const rows = await db.select({ slug: organizations.slug }).from(organizations).where(eq(organizations.id, orgId));
  return rows[0]?.slug ?? "";
}

/**
 * Ends the sessions that its members but for owners opened with credentials of their own. Who never reached it by those
 * keeps theirs: a provider can make a member of anybody whose email it knows.
 */
export const endOwnSessions = (tx: Db, orgId: OrgId, now: Date) =>
  tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      and(
        isNull(sessions.revokedAt),
        isNull(sessions.ssoOrgId),
        inArray(
          sessions.userId,
          tx
            .select({ userId: memberships.userId })
            .from(memberships)
            .where(
              and(
                eq(memberships.orgId, orgId),
                isNotNull(memberships.userId),
                ne(memberships.role, "owner"),
                not(isMadeBySso),
              ),
            ),
        ),
      ),
    );

/** Ends the sessions that the organization's identity provider vouched for, but for the one that is to stay. */
export const endProviderSessions = (tx: Db, orgId: OrgId, keptId: string, now: Date) =>
  tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(isNull(sessions.revokedAt), eq(sessions.ssoOrgId, orgId), ne(sessions.id, keptId)));

function enabled(row: ConfigurationRow | undefined): EnabledConfiguration | undefined {
  if (!row?.enabled || row.issuer === null || row.clientId === null) return undefined;
  return { ...row, orgId: row.orgId as OrgId, issuer: row.issuer, clientId: row.clientId };
}

function written(row: ConfigurationRow | undefined): ConfigurationRow {
  if (!row) throw new Error("A configuration that was written is not there");
  return row;
}
