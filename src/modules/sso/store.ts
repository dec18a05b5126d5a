/** Stores single sign-on configurations by organization, and ends the sessions that follow from them. */
import { and, eq, inArray, isNotNull, isNull, ne, not } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { isIndependentOwner } from "@/platform/db/accounts/owners";
import { isMadeBySso } from "@/platform/db/accounts/sso-members";
import { memberships, organizations, sessions, ssoConfigurations, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type ConfigurationRow = typeof ssoConfigurations.$inferSelect;
export type ConfigurationValues = Omit<ConfigurationRow, "orgId" | "createdAt" | "updatedAt">;

/**
 * A configuration that lets users in. Its organization id counts as checked: the identity provider must vouch for
 * everything that follows.
 */
export interface EnabledConfiguration extends ConfigurationRow {
  orgId: OrgId;
  issuer: string;
  clientId: string;
}

const one = (orgId: OrgId) => eq(ssoConfigurations.orgId, orgId);

export async function findConfiguration(db: Db, orgId: OrgId): Promise<ConfigurationRow | undefined> {
  return (await db.select().from(ssoConfigurations).where(one(orgId)))[0];
}

/** Returns the configuration, creating it if there is none, and locks it until the transaction ends. */
export async function lockConfiguration(tx: Db, orgId: OrgId, now: Date): Promise<ConfigurationRow> {
  await tx.insert(ssoConfigurations).values({ orgId, createdAt: now, updatedAt: now }).onConflictDoNothing();
  return written((await tx.select().from(ssoConfigurations).where(one(orgId)).for("update"))[0]);
}

export async function updateConfiguration(tx: Db, orgId: OrgId, values: ConfigurationValues, now: Date) {
  const changed = tx.update(ssoConfigurations).set({ ...values, updatedAt: now });
  return written((await changed.where(one(orgId)).returning())[0]);
}

/** Returns the enabled configuration of the organization with this slug. */
export async function findEnabledBySlug(db: Db, slug: string): Promise<EnabledConfiguration | undefined> {
  const rows = await db
    .select({ row: ssoConfigurations })
    .from(ssoConfigurations)
    .innerJoin(organizations, eq(organizations.id, ssoConfigurations.orgId))
    .where(eq(organizations.slug, slug));
  return enabled(rows[0]?.row);
}

export async function isAnyEnabled(db: Db): Promise<boolean> {
  const { enabled: isEnabled, orgId } = ssoConfigurations;
  return (await db.select({ orgId }).from(ssoConfigurations).where(eq(isEnabled, true)).limit(1)).length > 0;
}

/** Returns the enabled configuration of the organization that a sign-in in progress names. */
export async function findEnabled(db: Db, orgId: string): Promise<EnabledConfiguration | undefined> {
  return enabled((await db.select().from(ssoConfigurations).where(eq(ssoConfigurations.orgId, orgId)))[0]);
}

/** Does the same, and keeps the configuration from changing until the transaction ends. */
export async function lockEnabled(tx: Db, orgId: OrgId): Promise<EnabledConfiguration | undefined> {
  return enabled((await tx.select().from(ssoConfigurations).where(one(orgId)).for("share"))[0]);
}

/** Reports whether an owner can sign in without the identity provider. */
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
 * Ends the sessions that members other than owners opened with their own credentials. Members who never reached the
 * organization with those keep their sessions: a provider can make anybody a member whose email it knows.
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

/** Ends the sessions that the organization's identity provider vouched for, except `keptId`. */
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
  if (!row) throw new Error("The written configuration could not be read back");
  return row;
}
