/** Stores the reports of one organization. */
import { and, count, desc, eq } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { reports } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type ReportRow = typeof reports.$inferSelect;
export type ReportValues = Pick<ReportRow, "name" | "description" | "filters" | "metrics">;

const one = (orgId: OrgId, id: string) => and(eq(reports.orgId, orgId), eq(reports.id, id));

export async function countReports(db: Db, orgId: OrgId): Promise<number> {
  const [counted] = await db.select({ total: count() }).from(reports).where(eq(reports.orgId, orgId));
  return counted?.total ?? 0;
}

export async function insertReport(tx: Db, orgId: OrgId, report: Omit<typeof reports.$inferInsert, "orgId">) {
  const [row] = await tx
    .insert(reports)
    .values({ ...report, orgId })
    .returning();
  if (!row) throw new Error("An inserted report was not returned");
  return row;
}

export async function listReports(db: Db, orgId: OrgId, page: number, limit: number) {
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(reports)
      .where(eq(reports.orgId, orgId))
      .orderBy(desc(reports.id))
      .limit(limit)
      .offset((page - 1) * limit),
    countReports(db, orgId),
  ]);
  return { rows, total };
}

export async function findReport(db: Db, orgId: OrgId, id: string): Promise<ReportRow | undefined> {
  return (await db.select().from(reports).where(one(orgId, id)).limit(1))[0];
}

/** Like `findReport`, but locks the row until the transaction ends. */
export async function lockReport(tx: Db, orgId: OrgId, id: string): Promise<ReportRow | undefined> {
  return (await tx.select().from(reports).where(one(orgId, id)).for("update").limit(1))[0];
}

export async function updateReport(tx: Db, orgId: OrgId, id: string, values: Partial<ReportValues>, now: Date) {
  const [row] = await tx
    .update(reports)
    .set({ ...values, updatedAt: now })
    .where(one(orgId, id))
    .returning();
  if (!row) throw new Error("A locked report could not be updated");
  return row;
}

/** Deletes a report and returns it, or undefined if there was none. */
export async function deleteReport(tx: Db, orgId: OrgId, id: string): Promise<ReportRow | undefined> {
  return (await tx.delete(reports).where(one(orgId, id)).returning())[0];
}
