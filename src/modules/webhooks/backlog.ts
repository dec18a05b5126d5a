/**
 * What waits for webhooks, and the bounds of it: beyond `PENDING_MAX` deliveries of a webhook, or after `PENDING_DAYS_MAX`
 * days, the oldest are dropped. They stay in the log as such, and the webhook counts them. Done a batch at a time, each a
 * transaction of its own, so that nothing is held up by however many there are.
 */
import { sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { DELIVERIES_COUNTED_MAX, PENDING_MAX } from "@/contract/webhooks";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Db } from "@/platform/db/tx";
import type { Backlog } from "./present";
import type { WebhookRow } from "./store";

const PENDING_DAYS_MAX = 5;
const BATCH_ROWS = 5_000;

/** Of each of the webhooks. Many are not counted anew: then it is as many as when they last were. */
export async function backlogsOf(
  db: Db,
  webhooks: readonly Pick<WebhookRow, "id" | "pendingCounted">[],
): Promise<Map<string, Backlog>> {
  const rows: unknown = await db.execute(sql`
    select w.id, counted.pending, oldest.seconds as "oldestPendingSeconds"
    from unnest(${arrayLiteral(webhooks.map(({ id }) => id))}::text::uuid[]) as w (id)
    cross join lateral (
      select count(*)::int as pending from (
        select from webhook_deliveries where webhook_id = w.id and status = 'pending'
        limit ${DELIVERIES_COUNTED_MAX + 1}::int) found
    ) counted
    left join lateral (
      select greatest(0, extract(epoch from statement_timestamp() - created_at))::int as seconds from webhook_deliveries
      where webhook_id = w.id and status = 'pending' order by id limit 1
    ) oldest on true`);
  const found = new Map((rows as (Backlog & { id: string })[]).map((row) => [row.id, row]));
  return new Map(
    webhooks.map(({ id, pendingCounted }) => {
      const { pending = 0, oldestPendingSeconds = null } = found.get(id) ?? {};
      const isMore = pending > DELIVERIES_COUNTED_MAX;
      return [id, { pending: isMore ? Math.max(pending, pendingCounted) : pending, oldestPendingSeconds }];
    }),
  );
}

export interface BoundOptions {
  sql: Sql;
  /** Ends early when told to. */
  signal: AbortSignal;
  /** For tests. */
  pendingMax?: number;
  batchRows?: number;
}

/** How many were dropped. */
export async function boundBacklogs(options: BoundOptions): Promise<number> {
  const { sql, signal, pendingMax = PENDING_MAX } = options;
  let dropped = 0;
  for (const { webhookId, pending, old } of await countPending(sql)) {
    if (signal.aborted) break;
    const beyond = Math.max(0, pending - pendingMax);
    dropped += await dropOldest(options, webhookId, beyond, `More than ${pendingMax.toLocaleString("en")} waited`);
    if (old > beyond) {
      dropped += await dropOldest(options, webhookId, old - beyond, `It waited for ${PENDING_DAYS_MAX} days`);
    }
  }
  return dropped;
}

interface Counted {
  webhookId: string;
  pending: number;
  /** Of these, how many have waited for too long. */
  old: number;
}

/** Of each webhook for which anything waits; noted for those who look at it. */
async function countPending(sql: Sql): Promise<Counted[]> {
  return sql<Counted[]>`
    with recursive waiting (webhook_id) as (
      (select webhook_id from webhook_deliveries where status = 'pending' order by webhook_id, due_at limit 1)
      union all
      select next.webhook_id from waiting cross join lateral (
        select webhook_id from webhook_deliveries
        where status = 'pending' and webhook_id > waiting.webhook_id order by webhook_id, due_at limit 1) next
    ),
    counted as materialized (
      select webhook_id, pending, old from waiting cross join lateral (
        select count(*)::int as pending from webhook_deliveries d
        where d.webhook_id = waiting.webhook_id and d.status = 'pending'
      ) all_pending
      cross join lateral (
        select count(*)::int as old from webhook_deliveries d
        where d.webhook_id = waiting.webhook_id and d.status = 'pending'
          and d.created_at < statement_timestamp() - ${`${PENDING_DAYS_MAX} days`}::interval
      ) old_pending
    ),
    noted as (
      update webhooks w set pending_counted = c.pending from counted c
      where w.id = c.webhook_id and w.pending_counted <> c.pending and c.pending > ${DELIVERIES_COUNTED_MAX}::int
    )
    select webhook_id as "webhookId", pending, old from counted`;
}

async function dropOldest(options: BoundOptions, webhookId: string, count: number, why: string): Promise<number> {
  const { sql, signal, batchRows = BATCH_ROWS } = options;
  let left = count;
  while (left > 0 && !signal.aborted) {
    const [batch] = await sql<{ rows: number }[]>`
      with dropped as (
        update webhook_deliveries set status = 'dropped', due_at = null, error = ${`Dropped unsent: ${why}`}
        where id in (
          select id from webhook_deliveries where webhook_id = ${webhookId} and status = 'pending'
          order by id limit ${Math.min(left, batchRows)} for update skip locked)
        returning 1
      ),
      counted as (select count(*)::int as rows from dropped),
      noted as (update webhooks set dropped = dropped + rows from counted where id = ${webhookId} and rows > 0)
      select rows from counted`;
    const rows = batch?.rows ?? 0;
    if (rows === 0) break;
    left -= rows;
  }
  return count - Math.max(0, left);
}
