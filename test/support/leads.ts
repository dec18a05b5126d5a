/** Records leads in the same way as the edge does when a form is sent, but without the form. */
import { afterAll } from "bun:test";
import type { Sql } from "postgres";
import type { NewLead } from "@/core/pages/lead-form";
import { createLeadRecorder } from "@/modules/leads/service";
import { openDatabase } from "@/platform/db/client";

export type LeadDraft = Pick<NewLead, "orgId" | "linkId"> & Partial<NewLead>;

/**
 * Returns a function that records a lead. Unless the draft says otherwise, the lead belongs to a new visit and is dated
 * now. The connection closes after the test file.
 */
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

/** Inserts a lead directly into the database, without counting it in the figures, and returns its id. */
export async function addLead({ sql }: { sql: Sql }, orgId: string, linkId: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`insert into leads (id, org_id, link_id, click_id, visitor_id, fields, created_at)
    values (${id}, ${orgId}, ${linkId}, ${Bun.randomUUIDv7()}, '9f3c1e0b7a25d486', '{"email": "ada@example.com"}', now())`;
  return id;
}
