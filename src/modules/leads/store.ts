/** Leads of one link. One that was erased keeps its place, which figures go by, and nothing that tells of a person. */
import { and, count, desc, eq, lt, ne, or, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { Drizzle } from "@/platform/db/client";
import { leads } from "@/platform/db/schema";
import type { Db, Tx } from "@/platform/db/tx";

export type LeadRow = typeof leads.$inferSelect;

/** For another lead of the same visit, and for a lane of the organization's figures. */
const LOCK_WAIT = "5s";
const ERASED = { visitorId: "", fields: {} };

const listed = (orgId: OrgId, linkId: string) =>
  and(eq(leads.orgId, orgId), eq(leads.linkId, linkId), ne(leads.visitorId, ERASED.visitorId));

export async function boundWaits(tx: Tx): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${LOCK_WAIT}, true)`);
}

/** False for a visit that has left one before; waits for one that is being recorded. */
export async function insertLead(tx: Db, lead: typeof leads.$inferInsert): Promise<boolean> {
  const visit = { target: [leads.linkId, leads.clickId] };
  return (await tx.insert(leads).values(lead).onConflictDoNothing(visit).returning({ id: leads.id })).length > 0;
}

/** Newest first. */
export async function listLeads(db: Db, orgId: OrgId, linkId: string, page: number, limit: number) {
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(leads)
      .where(listed(orgId, linkId))
      .orderBy(desc(leads.createdAt), desc(leads.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ total: count() }).from(leads).where(listed(orgId, linkId)),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** As many as `limit`, newest first, from the one that follows `after`. */
export function leadsAfter(db: Db, orgId: OrgId, linkId: string, after: LeadRow | undefined, limit: number) {
  const isOlder =
    after &&
    or(lt(leads.createdAt, after.createdAt), and(eq(leads.createdAt, after.createdAt), lt(leads.id, after.id)));
  return db
    .select()
    .from(leads)
    .where(and(listed(orgId, linkId), isOlder))
    .orderBy(desc(leads.createdAt), desc(leads.id))
    .limit(limit);
}

/** The names of all fields that any lead has, in the order of their characters. */
export async function fieldNames(db: Drizzle, orgId: OrgId, linkId: string): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    select distinct name collate "C" as name from ${leads}, jsonb_object_keys(${leads.fields}) as name
    where ${listed(orgId, linkId)} order by 1`);
  return rows.map(({ name }) => name);
}

/** Whether there was one. */
export async function eraseLead(tx: Db, orgId: OrgId, linkId: string, id: string): Promise<boolean> {
  const one = and(listed(orgId, linkId), eq(leads.id, id));
  return (await tx.update(leads).set(ERASED).where(one).returning({ id: leads.id })).length > 0;
}
