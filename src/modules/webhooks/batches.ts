/**
 * Combines the messages that wait for an endpoint with batches: one transaction replaces rows of single messages by
 * one row that holds them, so that each message is in exactly one row whatever crashes. From then on, the batch is an
 * ordinary delivery: it is sent, signed, retried and shown as a whole.
 */
import { sql } from "drizzle-orm";
import { BATCH_EVENT, BATCH_MESSAGES_MAX, batchBody, batchesOf } from "@/core/webhooks/batch";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Drizzle } from "@/platform/db/client";
import { webhookDeliveries } from "@/platform/db/schema";

/** Maximum time that the oldest message waits for others. */
const GATHERED = "1 second";
/** Maximum number of messages that are gathered in one transaction, unless one webhook alone has more. */
const TOGETHER_MAX = 5_000;

export interface Gathering {
  webhookId: string;
  /** Maximum number of batches to make. */
  room: number;
}

/**
 * Selects single messages that were never tried, longest due first. Selects none if no batch is full and the oldest
 * message may still wait, or if the webhook has no batches any more, which whoever has its line may not know yet.
 */
const ripe = (gatherings: readonly Gathering[]) => sql`
  select due.ids from unnest(
    ${arrayLiteral(gatherings.map(({ webhookId }) => webhookId))}::text::uuid[],
    ${arrayLiteral(gatherings.map(({ room }) => room * BATCH_MESSAGES_MAX))}::text::int[]
  ) as g (webhook_id, messages)
  join webhooks w on w.id = g.webhook_id and w.batch
  cross join lateral (
    select json_agg(id) as ids, count(*) as count, min(due_at) as due_at from (
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
  webhookId: string;
  body: string;
  dueAt: string;
}

/**
 * Makes batches. Each is due when its first message was. Webhooks share transactions: a server may be far from Postgres,
 * and hundreds of webhooks may have messages.
 */
export async function gatherDeliveries(db: Drizzle, gatherings: readonly Gathering[]): Promise<void> {
  if (gatherings.length === 0) return;
  const found = await db.execute<{ ids: string[] }>(ripe(gatherings));
  let together: string[] = [];
  for (const { ids } of found) {
    if (together.length > 0 && together.length + ids.length > TOGETHER_MAX) {
      await gather(db, together);
      together = [];
    }
    together.push(...ids);
  }
  if (together.length > 0) await gather(db, together);
}

/**
 * Messages that have ended or were erased meanwhile are no longer included. The condition is on `due_at`: with one on
 * `status`, some statistics would make Postgres scan the index of all lines instead of looking up the ids.
 */
async function gather(db: Drizzle, ids: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    const singles = await tx.execute<Single>(sql`
      with gone as (
        delete from webhook_deliveries where id = any(${arrayLiteral(ids)}::text::uuid[]) and due_at is not null and attempts = 0
        returning id, org_id, webhook_id, body, due_at
      )
      select id, org_id as "orgId", webhook_id as "webhookId", body, due_at::text as "dueAt"
      from gone order by due_at, id`);
    const byWebhook = Map.groupBy(singles, ({ webhookId }) => webhookId);
    const rows = [...byWebhook.values()].flatMap((own) => batchesOf(own).map(batchRow));
    if (rows.length > 0) await tx.insert(webhookDeliveries).values(rows);
  });
}

function batchRow(members: readonly Single[]) {
  const messageId = Bun.randomUUIDv7();
  const { orgId = "", webhookId = "", dueAt = "" } = members[0] ?? {};
  const body = batchBody(
    messageId,
    members.map((member) => member.body),
  );
  const place = { id: Bun.randomUUIDv7(), orgId, webhookId, dueAt: sql`${dueAt}::text::timestamptz` };
  return { ...place, event: BATCH_EVENT, messages: members.length, messageId, body };
}
