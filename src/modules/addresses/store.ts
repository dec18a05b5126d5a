/** Domains as something may stand on them, and rows of `links` by their address. */
import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { domains, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type AddressDomain = typeof domains.$inferSelect;
export type LinkRow = typeof links.$inferSelect;
export type LinkValues = Omit<typeof links.$inferInsert, "number" | "createdAt" | "updatedAt">;

/** Finds an organization's own domain, or the shared one. */
export async function findAddressDomain(db: Db, orgId: OrgId, id: string): Promise<AddressDomain | undefined> {
  const usable = or(eq(domains.orgId, orgId), isNull(domains.orgId));
  return (
    await db
      .select()
      .from(domains)
      .where(and(eq(domains.id, id), usable))
      .limit(1)
  )[0];
}

/** Finds the primary verified domain, or else the shared one. */
export async function findDefaultDomain(db: Db, orgId: OrgId): Promise<AddressDomain | undefined> {
  const isOwnPrimary = and(eq(domains.orgId, orgId), eq(domains.isPrimary, true), eq(domains.isVerified, true));
  const rows = await db
    .select()
    .from(domains)
    .where(or(isOwnPrimary, isNull(domains.orgId)))
    .orderBy(sql`${domains.orgId} nulls last`)
    .limit(1);
  return rows[0];
}

/**
 * The database's clock, which all servers share: one that missed changes asks for those since an instant (`link-cache`).
 * The same within a statement.
 */
const changedNow = sql`statement_timestamp()`;

/**
 * An address is free as long as nothing live stands there, or on the shared domain looks like it; the rows of addresses
 * that are not free are left out, and so is the second of two at one. The same holds for external ids.
 */
export const insertUnlessTaken = (tx: Db, orgId: OrgId, rows: LinkValues[]): Promise<LinkRow[]> =>
  tx
    .insert(links)
    .values(rows.map((values) => ({ ...values, orgId, createdAt: changedNow, updatedAt: changedNow })))
    .onConflictDoNothing()
    .returning();

export async function isTaken(db: Db, domainId: string, prefixKey: string, slugKey: string): Promise<boolean> {
  const rows = await db
    .select({ id: links.id })
    .from(links)
    .where(
      and(
        eq(links.domainId, domainId),
        eq(links.prefixKey, prefixKey),
        eq(links.slugKey, slugKey),
        isNull(links.deletedAt),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Finds the live link that the organization knows by this id. */
export async function findIdByExternalId(db: Db, orgId: OrgId, externalId: string): Promise<string | undefined> {
  const rows = await db
    .select({ id: links.id })
    .from(links)
    .where(and(eq(links.orgId, orgId), eq(links.externalId, externalId), isNull(links.deletedAt)))
    .limit(1);
  return rows[0]?.id;
}
