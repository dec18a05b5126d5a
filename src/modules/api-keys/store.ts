import { and, count, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Plan } from "@/contract/accounts/plans";
import type { OrgId } from "@/core/ids";
import { memoizePerDb } from "@/platform/db/memoize-per-db";
import { apiKeys, organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export const insertApiKey = async (db: Db, key: typeof apiKeys.$inferInsert & { orgId: OrgId }): Promise<ApiKeyRow> => {
  const [row] = await db.insert(apiKeys).values(key).returning();
  if (!row) throw new Error("An inserted API key was not returned");
  return row;
};

export async function listApiKeys(db: Db, orgId: OrgId, page: number, limit: number) {
  const ofOrganization = eq(apiKeys.orgId, orgId);
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(apiKeys)
      .where(ofOrganization)
      .orderBy(desc(apiKeys.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ total: count() }).from(apiKeys).where(ofOrganization),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** Revokes a key and returns it; undefined if there is no unrevoked key with this id. */
export async function revokeApiKey(db: Db, orgId: OrgId, id: string, now: Date): Promise<ApiKeyRow | undefined> {
  const rows = await db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.orgId, orgId), eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning();
  return rows[0];
}

const keyByHash = memoizePerDb((db) =>
  db
    .select({ key: apiKeys, plan: organizations.plan })
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.orgId))
    .where(eq(apiKeys.hash, sql.placeholder("hash")))
    .limit(1)
    .prepare("api_key"),
);

/**
 * Finds a key by its hash, revoked and expired ones too; its organization id then counts as checked. Runs on every
 * request, so Postgres plans it once per connection.
 */
export async function findApiKey(
  db: Db,
  hash: Uint8Array,
): Promise<(ApiKeyRow & { orgId: OrgId; plan: Plan }) | undefined> {
  const [row] = await keyByHash(db).execute({ hash });
  return row && { ...row.key, plan: row.plan, orgId: row.key.orgId as OrgId };
}

export const touchApiKey = (db: Db, id: string, now: Date) =>
  db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(
      and(
        eq(apiKeys.id, id),
        or(
          isNull(apiKeys.lastUsedAt),
          lt(apiKeys.lastUsedAt, sql`${now.toISOString()}::timestamptz - interval '1 minute'`),
        ),
      ),
    );
