/** Stores the app profiles of one organization. */
import { and, count, desc, eq, isNull, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { appProfiles, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type AppRow = typeof appProfiles.$inferSelect;
export type AppValues = Pick<AppRow, "name" | "pathPrefix" | "ios" | "android" | "fallback" | "iconUrl" | "subtitle">;

const one = (orgId: OrgId, id: string) => and(eq(appProfiles.orgId, orgId), eq(appProfiles.id, id));

export async function countApps(db: Db, orgId: OrgId): Promise<number> {
  const [counted] = await db.select({ total: count() }).from(appProfiles).where(eq(appProfiles.orgId, orgId));
  return counted?.total ?? 0;
}

export async function listApps(db: Db, orgId: OrgId, page: number, limit: number) {
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(appProfiles)
      .where(eq(appProfiles.orgId, orgId))
      .orderBy(desc(appProfiles.id))
      .limit(limit)
      .offset((page - 1) * limit),
    countApps(db, orgId),
  ]);
  return { rows, total };
}

export async function insertApp(tx: Db, orgId: OrgId, app: Omit<typeof appProfiles.$inferInsert, "orgId">) {
  const [row] = await tx
    .insert(appProfiles)
    .values({ ...app, orgId })
    .returning();
  if (!row) throw new Error("An inserted app profile was not returned");
  return row;
}

export async function findProfile(db: Db, orgId: OrgId, id: string): Promise<AppRow | undefined> {
  return (await db.select().from(appProfiles).where(one(orgId, id)).limit(1))[0];
}

/**
 * Finds a profile and locks it until the transaction ends: to change it, or to delete it. A deletion waits for links
 * that are being written with the profile, and they for it.
 */
export async function lockApp(tx: Db, orgId: OrgId, id: string, to: "change" | "delete"): Promise<AppRow | undefined> {
  const strength = to === "delete" ? "update" : "no key update";
  return (await tx.select().from(appProfiles).where(one(orgId, id)).for(strength).limit(1))[0];
}

export async function updateApp(tx: Db, orgId: OrgId, id: string, values: AppValues, now: Date): Promise<AppRow> {
  const [row] = await tx
    .update(appProfiles)
    .set({ ...values, updatedAt: now })
    .where(one(orgId, id))
    .returning();
  if (!row) throw new Error("A locked app profile could not be updated");
  return row;
}

export const deleteApp = (tx: Db, orgId: OrgId, id: string) => tx.delete(appProfiles).where(one(orgId, id));

/** Counts the live links that name the profile, and the archived ones among them. */
export async function countLinksOf(tx: Db, orgId: OrgId, id: string) {
  const naming = and(eq(links.orgId, orgId), eq(links.appProfileId, id), isNull(links.deletedAt));
  const archived = sql<number>`(count(*) filter (where ${links.isArchived}))::int`;
  const [counted] = await tx.select({ total: count(), archived }).from(links).where(naming);
  return counted ?? { total: 0, archived: 0 };
}
