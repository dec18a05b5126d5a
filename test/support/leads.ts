/** Leads left as the edge leaves them once a form is sent, without the form. */
import { afterAll } from "bun:test";
import type { Sql } from "postgres";
import type { NewLead } from "@/core/lead-form";
import { createLeadRecorder } from "@/modules/leads/service";
import { openDatabase } from "@/platform/db/client";

export type LeadDraft = Pick<NewLead, "orgId" | "linkId"> & Partial<NewLead>;

/** Of a visit of its own unless it names one, now unless it says when. Ends with the test file. */
export function leadsIn(databaseUrl: string): (draft: LeadDraft) => Promise<NewLead> {
  const database = openDatabase(databaseUrl, { pool: "requests", name: "waymark test leads" });
  afterAll(() => database.close());
  const record = createLeadRecorder(database.db);
  return async (draft) => {
    const visit = { clickId: Bun.randomUUIDv7(), visitorId: "9f3c1e0b7a25d486", at: Date.now() };
    const lead = { ...visit, fields: { email: "ada@example.com" }, ...draft };
    await record(lead);
    return lead;
  };
}

/** Written straight into the database, and counted nowhere. */
export async function addLead({ sql }: { sql: Sql }, orgId: string, linkId: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`insert into leads (id, org_id, link_id, click_id, visitor_id, fields, created_at)
    values (${id}, ${orgId}, ${linkId}, ${Bun.randomUUIDv7()}, '9f3c1e0b7a25d486', '{"email": "ada@example.com"}', now())`;
  return id;
}
