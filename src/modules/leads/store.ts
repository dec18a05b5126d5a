/** Stores the leads of one link. An erased lead keeps its row, because figures count it, but no personal data. */
import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import { type OrgId, timeOfId } from "@/core/ids";
import type { Drizzle } from "@/platform/db/client";
import { type Paging, readPage } from "@/platform/db/read-page";
import { clicks, leads } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type LeadRow = typeof leads.$inferSelect;

const ERASED = { visitorId: "", fields: {} };

const listed = (orgId: OrgId, linkId: string) =>
  and(eq(leads.orgId, orgId), eq(leads.linkId, linkId), ne(leads.visitorId, ERASED.visitorId));

/**
 * Returns how the visit's click counts; undefined if it is not in Postgres yet. Waits for a verdict that is being given,
 * and holds up others until the transaction ends.
 */
export async function clickOfLead(tx: Db, orgId: string, linkId: string, clickId: string) {
  const at = timeOfId(clickId);
  if (at === undefined) return undefined;
  const { id, verdict, isBot, occurredAt } = clicks;
  const [click] = await tx
    .select({ verdict, isBot })
    .from(clicks)
    .where(and(eq(clicks.orgId, orgId), eq(occurredAt, new Date(at)), eq(id, clickId), eq(clicks.linkId, linkId)))
    .for("share");
  return click;
}

/** Returns false if the visit has left a lead before. Waits for one that is being recorded. */
export async function insertLead(tx: Db, lead: typeof leads.$inferInsert): Promise<boolean> {
  const visit = { target: [leads.linkId, leads.clickId] };
  return (await tx.insert(leads).values(lead).onConflictDoNothing(visit).returning({ id: leads.id })).length > 0;
}

const newestFirst = [desc(leads.createdAt), desc(leads.id)];

/** Lists the newest first. Pages through the ids first, which the index holds. */
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

/**
 * Returns up to `limit` leads, newest first, starting after `after`. A row comparison lets the index scan start there.
 */
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

/** Returns the names of all fields that any lead has, in code point order. */
export async function fieldNames(db: Drizzle, orgId: OrgId, linkId: string): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    select distinct name collate "C" as name from ${leads}, jsonb_object_keys(${leads.fields}) as name
    where ${listed(orgId, linkId)} order by 1`);
  return rows.map(({ name }) => name);
}

/** Returns false if there is no such lead. */
export async function eraseLead(tx: Db, orgId: OrgId, linkId: string, id: string): Promise<boolean> {
  const one = and(listed(orgId, linkId), eq(leads.id, id));
  return (await tx.update(leads).set(ERASED).where(one).returning({ id: leads.id })).length > 0;
}
