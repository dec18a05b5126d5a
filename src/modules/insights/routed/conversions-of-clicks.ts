/** Finds the clicks that the newest leads and events of links refer to. */
import { setImmediate } from "node:timers/promises";
import type { ISql } from "postgres";
import type { OrgId } from "@/core/ids";
import { arrayLiteral } from "@/platform/db/array-literals";
import { type ByClick, type Conversions, idAt } from "./first-days";
import { ID_BYTES } from "./sample";

export interface AskedConversions {
  linkId: string;
  /** Unix milliseconds. */
  since: number;
  /** Maximum number of leads, and of events, to read. */
  most: number;
}

/** Ids counted per event-loop turn, since redirects are served on the same thread. */
const COUNTED_A_TURN = 10_000;
/** A UUID with hyphens; some programs write it in capitals. An id in any other form does not refer to a click. */
const WRITTEN_ID = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";

const NONE: ByClick = new Map();
const NO_IDS = new Map<string, Buffer | null>();

/** Reads the conversions of all links and returns a function that counts those of one link. */
export async function readConversions(
  sql: ISql,
  orgId: OrgId,
  asked: readonly AskedConversions[],
): Promise<(linkId: string) => Promise<Conversions>> {
  if (asked.length === 0) return async () => ({ leads: NONE, events: NONE });
  const [leads = NO_IDS, events = NO_IDS] = (
    await Promise.all([selectLeads(sql, orgId, asked), selectEvents(sql, orgId, asked)])
  ).map((rows) => new Map(rows.map(({ linkId, named }) => [linkId, named])));
  return async (linkId) => ({
    leads: await countsOf(leads.get(linkId) ?? null),
    events: await countsOf(events.get(linkId) ?? null),
  });
}

interface NamedRow {
  linkId: string;
  /** Click ids in the binary format of `uuid`, one for each time a click is referred to. */
  named: Buffer | null;
}

/** Leads and events may be stored on different servers, so each has its own query. */
function selectLeads(sql: ISql, orgId: OrgId, asked: readonly AskedConversions[]) {
  return sql<NamedRow[]>`
    select asked.id as "linkId", (
      select string_agg(uuid_send(click_id), '') from (
        select click_id from leads where org_id = ${orgId} and link_id = asked.id and created_at >= asked.since
        order by created_at desc limit asked.most
      ) as newest
    ) as named from ${rowsOf(sql, asked)}`;
}

function selectEvents(sql: ISql, orgId: OrgId, asked: readonly AskedConversions[]) {
  return sql<NamedRow[]>`
    select asked.id as "linkId", (
      select string_agg(case when visitor_id ~* ${WRITTEN_ID} then uuid_send(visitor_id::uuid) end, '') from (
        select visitor_id from events where org_id = ${orgId} and link_id = asked.id and occurred_at >= asked.since
        order by occurred_at desc limit asked.most
      ) as newest where length(visitor_id) = 36
    ) as named from ${rowsOf(sql, asked)}`;
}

const rowsOf = (sql: ISql, asked: readonly AskedConversions[]) => sql`
  unnest(
    ${arrayLiteral(asked.map(({ linkId }) => linkId))}::text::uuid[],
    ${arrayLiteral(asked.map(({ since }) => new Date(since).toISOString()))}::text::timestamptz[],
    ${arrayLiteral(asked.map(({ most }) => most))}::text::int[]
  ) as asked (id, since, most)`;

async function countsOf(ids: Buffer | null): Promise<ByClick> {
  if (!ids) return NONE;
  const counts = new Map<string, number>();
  for (let place = 0; place < ids.length / ID_BYTES; place++) {
    const id = idAt(ids, place);
    counts.set(id, (counts.get(id) ?? 0) + 1);
    if (place % COUNTED_A_TURN === COUNTED_A_TURN - 1) await setImmediate();
  }
  return counts;
}
