/**
 * Gathers what waits for an endpoint that wants its messages together: rows of single messages become one row that holds
 * them, in one transaction, so that each message is in one of them whatever dies in between. From then on it is a delivery
 * like any: sent, signed, tried again and shown as a whole.
 */
import { sql } from "drizzle-orm";
import { BATCH_EVENT, BATCH_MESSAGES_MAX, batchBody, batchesOf } from "@/core/webhooks/batch";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Drizzle } from "@/platform/db/client";
import { webhookDeliveries } from "@/platform/db/schema";

/** What the oldest waits for others. */
const GATHERED = "1 second";

export interface Gathering {
  webhookId: string;
  /** Batches that there is room for. */
  room: number;
}

/** Single messages that were never tried, the longest due first; none while the oldest may wait and no batch is full. */
const ripe = (gatherings: readonly Gathering[]) => sql`
  select g.webhook_id as "webhookId", due.ids from unnest(
    ${arrayLiteral(gatherings.map(({ webhookId }) => webhookId))}::text::uuid[],
    ${arrayLiteral(gatherings.map(({ room }) => room * BATCH_MESSAGES_MAX))}::text::int[]
  ) as g (webhook_id, messages)
  cross join lateral (
    select array_agg(id)::text as ids, count(*) as count, min(due_at) as due_at from (
      select id, due_at from webhook_deliveries
      where webhook_id = g.webhook_id and status = 'pending' and attempts = 0 and event <> ${BATCH_EVENT}
        and due_at <= statement_timestamp()
      order by due_at, id limit g.messages
    ) oldest
  ) due
  where due.count >= ${BATCH_MESSAGES_MAX}::int or due.due_at <= statement_timestamp() - ${GATHERED}::interval`;

interface Single extends Record<string, unknown> {
  id: string;
  orgId: string;
  body: string;
  dueAt: string;
}

/** They are due when the first message of each was. */
export async function gatherDeliveries(db: Drizzle, gatherings: readonly Gathering[]): Promise<void> {
  if (gatherings.length === 0) return;
  const found = await db.execute<{ webhookId: string; ids: string }>(ripe(gatherings));
  for (const { webhookId, ids } of found) await gatherOf(db, webhookId, ids);
}

/**
 * `ids`: an array as Postgres writes it. What has ended meanwhile, or was erased, is not among them any more; it is told by
 * `due_at`, so that no statistics make Postgres walk the index of all lines instead of looking the ids up.
 */
async function gatherOf(db: Drizzle, webhookId: string, ids: string): Promise<void> {
  await db.transaction(async (tx) => {
    const singles = await tx.execute<Single>(sql`
      with gone as (
        delete from webhook_deliveries where id = any(${ids}::text::uuid[]) and due_at is not null and attempts = 0
        returning id, org_id, body, due_at
      )
      select id, org_id as "orgId", body, due_at::text as "dueAt" from gone order by due_at, id`);
    const rows = batchesOf(singles).map((members) => batchRow(webhookId, members));
    if (rows.length > 0) await tx.insert(webhookDeliveries).values(rows);
  });
}

function batchRow(webhookId: string, members: readonly Single[]) {
  const messageId = Bun.randomUUIDv7();
  const { orgId = "", dueAt = "" } = members[0] ?? {};
  const body = batchBody(
    messageId,
    members.map((member) => member.body),
  );
  const place = { id: Bun.randomUUIDv7(), orgId, webhookId, dueAt: sql`${dueAt}::text::timestamptz` };
  return { ...place, event: BATCH_EVENT, messages: members.length, messageId, body };
}
