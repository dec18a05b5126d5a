/** Leads of one link. One that was erased keeps its place, which figures go by, and nothing that tells of a person. */
import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { Drizzle } from "@/platform/db/client";
import { type Paging, readPage } from "@/platform/db/read-page";
import { leads } from "@/platform/db/schema";
import type { Db, Tx } from "@/platform/db/tx";

export type LeadRow = typeof leads.$inferSelect;

/** For another lead of the same visit, and for a lane of the organization's figures. */
const LOCK_WAIT = "5s";
const ERASED = { visitorId: "", fields: {} };

const listed = (orgId: OrgId, linkId: string) =>
  and(eq(leads.orgId, orgId), eq(leads.linkId, linkId), ne(leads.visitorId, ERASED.visitorId));

export async function boundLeadWaits(tx: Tx): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${LOCK_WAIT}, true)`);
}

/** False for a visit that has left one before; waits for one that is being recorded. */
export async function insertLead(tx: Db, lead: typeof leads.$inferInsert): Promise<boolean> {
  const visit = { target: [leads.linkId, leads.clickId] };
  return (await tx.insert(leads).values(lead).onConflictDoNothing(visit).returning({ id: leads.id })).length > 0;
}

const newestFirst = [desc(leads.createdAt), desc(leads.id)];

/** Newest first; ids first, since the index tells which those of a page are. */
export function listLeads(db: Drizzle, orgId: OrgId, linkId: string, paging: Paging) {
  const where = listed(orgId, linkId);
  const ids = db
    .select({ id: leads.id })
    .from(leads)
    .where(where)
    .orderBy(...newestFirst);
  return readPage(db, paging, {
    rows: (limit, offset) =>
      db
        .select()
        .from(leads)
        .where(and(where, inArray(leads.id, ids.limit(limit).offset(offset))))
        .orderBy(...newestFirst),
    among: sql`from ${leads} where ${where}`,
  });
}

/** As many as `limit`, newest first, from the one that follows `after`. A comparison of rows begins within the index. */
export function leadsAfter(db: Db, orgId: OrgId, linkId: string, after: LeadRow | undefined, limit: number) {
  const isOlder =
    after &&
    sql`(${leads.createdAt}, ${leads.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
  return db
    .select()
    .from(leads)
    .where(and(listed(orgId, linkId), isOlder))
    .orderBy(...newestFirst)
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
