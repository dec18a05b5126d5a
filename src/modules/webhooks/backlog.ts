/**
 * Counts and bounds the deliveries that wait for webhooks. If more than `PENDING_MAX` deliveries of a webhook are
 * waiting, or some have waited for `PENDING_DAYS_MAX` days, the oldest are dropped. Dropped deliveries stay in the
 * log, and the webhook counts them. Works in batches with a transaction each, so that any number of deliveries blocks
 * nothing.
 */
import { sql } from "drizzle-orm";
import { DELIVERIES_COUNTED_MAX, PENDING_MAX } from "@/contract/webhooks";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Drizzle } from "@/platform/db/client";
import type { Db } from "@/platform/db/tx";
import type { WebhookBacklog } from "./present";
import { UNTRIED } from "./queue-store";
import type { WebhookRow } from "./store";

const PENDING_DAYS_MAX = 5;
/** Maximum number of deliveries over the bound that one round drops from a webhook. Rounds are a minute apart. */
const BEYOND_MAX = 500_000;
const BATCH_ROWS = 5_000;

/**
 * Returns the backlog of each webhook. Above `DELIVERIES_COUNTED_MAX`, returns the last count of `boundBacklogs`
 * instead of counting.
 */
export async function backlogsOf(
  db: Db,
  webhooks: readonly Pick<WebhookRow, "id" | "pendingCounted">[],
): Promise<Map<string, WebhookBacklog>> {
  const rows: unknown = await db.execute(sql`
    select w.id, counted.pending, oldest.seconds as "oldestPendingSeconds"
    from unnest(${arrayLiteral(webhooks.map(({ id }) => id))}::text::uuid[]) as w (id)
    cross join lateral (
      select count(*)::int as pending from (
        select 1 from webhook_deliveries where webhook_id = w.id and status = 'pending'
        limit ${DELIVERIES_COUNTED_MAX + 1}::int) found
    ) counted
    left join lateral (
      select greatest(0, extract(epoch from statement_timestamp() - created_at))::int as seconds from webhook_deliveries
      where webhook_id = w.id and status = 'pending' order by id limit 1
    ) oldest on true`);
  const found = new Map((rows as (WebhookBacklog & { id: string })[]).map((row) => [row.id, row]));
  return new Map(
    webhooks.map(({ id, pendingCounted }) => {
      const { pending = 0, oldestPendingSeconds = null } = found.get(id) ?? {};
      const isMore = pending > DELIVERIES_COUNTED_MAX;
      return [id, { pending: isMore ? Math.max(pending, pendingCounted) : pending, oldestPendingSeconds }];
    }),
  );
}

export interface BoundOptions {
  db: Drizzle;
  /** Ends the round early when aborted. */
  signal: AbortSignal;
  /** Set by tests. */
  pendingMax?: number;
  batchRows?: number;
}

/** Drops the oldest deliveries beyond the bounds. Returns the number dropped. */
export async function boundBacklogs(options: BoundOptions): Promise<number> {
  const { db, signal, pendingMax = PENDING_MAX } = options;
  let dropped = 0;
  for (const { webhookId, pending, old } of await countPending(db, pendingMax + BEYOND_MAX)) {
    if (signal.aborted) break;
    const beyond = Math.max(0, pending - pendingMax);
    dropped += await dropOldest(
      options,
      webhookId,
      beyond,
      `more than ${pendingMax.toLocaleString("en")} deliveries were waiting`,
    );
    if (old > beyond) {
      dropped += await dropOldest(options, webhookId, old - beyond, `waited longer than ${PENDING_DAYS_MAX} days`);
    }
  }
  return dropped;
}

interface Counted {
  webhookId: string;
  pending: number;
  /** How many of these have waited for too long. */
  old: number;
}

/**
 * Lowest id of the deliveries that have not waited for too long. Ids contain their creation time, so an index is
 * enough to find older deliveries.
 */
const firstKeptId = sql`(lpad(to_hex((extract(epoch from
  statement_timestamp() - ${`${PENDING_DAYS_MAX} days`}::text::interval) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/** Each webhook that has pending deliveries. */
const waiting = sql`
  (select webhook_id from webhook_deliveries where status = 'pending' order by webhook_id, due_at limit 1)
  union all
  select next.webhook_id from waiting cross join lateral (
    select webhook_id from webhook_deliveries
    where status = 'pending' and webhook_id > waiting.webhook_id order by webhook_id, due_at limit 1) next`;

/**
 * Makes deliveries due that would wait for longer than any of them does: they were written while the clock of Postgres was
 * ahead. Returns their number.
 */
export async function bringMisdatedForward({ db, signal, batchRows = BATCH_ROWS }: BoundOptions): Promise<number> {
  let brought = 0;
  while (!signal.aborted) {
    const rows = await db.execute(sql`
      with recursive waiting (webhook_id) as (${waiting}),
      misdated as (
        select late.id from waiting cross join lateral (
          select id from webhook_deliveries where webhook_id = waiting.webhook_id and status = 'pending'
            and due_at > statement_timestamp() + ${UNTRIED}::interval
          order by due_at limit ${batchRows}::int) late
        limit ${batchRows}::int
      )
      update webhook_deliveries d set due_at = statement_timestamp() from misdated
      where d.id = misdated.id and d.status = 'pending' returning d.id`);
    brought += rows.length;
    if (rows.length < batchRows) break;
  }
  return brought;
}

/**
 * Counts the pending deliveries of each webhook that has any, up to `max`, and stores the count for `backlogsOf`.
 * Reads only the index of states: reading the heap with its bodies every minute would evict pages that everything
 * else needs.
 */
async function countPending(db: Drizzle, max: number): Promise<Counted[]> {
  return db.execute<Counted & Record<string, unknown>>(sql`
    with recursive waiting (webhook_id) as (${waiting}),
    counted as materialized (
      select webhook_id, pending, old from waiting cross join lateral (
        select count(*)::int as pending from (
          select 1 from webhook_deliveries d where d.webhook_id = waiting.webhook_id and d.status = 'pending'
          limit ${max}::int) found
      ) all_pending
      cross join lateral (
        select count(*)::int as old from (
          select 1 from webhook_deliveries d
          where d.webhook_id = waiting.webhook_id and d.status = 'pending' and d.id < ${firstKeptId}
          limit ${max}::int) found
      ) old_pending
    ),
    noted as (
      update webhooks w set pending_counted = c.pending from counted c
      where w.id = c.webhook_id and w.pending_counted <> c.pending and c.pending > ${DELIVERIES_COUNTED_MAX}::int
    )
    select webhook_id as "webhookId", pending, old from counted`);
}

/** Locks the webhook before its deliveries: see `lockWebhook`. */
async function dropOldest(options: BoundOptions, webhookId: string, count: number, why: string): Promise<number> {
  const { db, signal, batchRows = BATCH_ROWS } = options;
  let left = count;
  while (left > 0 && !signal.aborted) {
    const [batch] = await db.execute<{ rows: number }>(sql`
      with owner as (select 1 from webhooks where id = ${webhookId}::text::uuid for no key update),
      dropped as (
        update webhook_deliveries set status = 'dropped', due_at = null, error = ${`Dropped without being sent: ${why}`}
        where id in (
          select id from webhook_deliveries
          where webhook_id = ${webhookId}::text::uuid and status = 'pending' and exists (select 1 from owner)
          order by id limit ${Math.min(left, batchRows)}::int for update skip locked)
        returning 1
      ),
      counted as (select count(*)::int as rows from dropped),
      noted as (
        update webhooks set dropped = dropped + rows from counted where id = ${webhookId}::text::uuid and rows > 0
      )
      select rows from counted`);
    const rows = batch?.rows ?? 0;
    if (rows === 0) break;
    left -= rows;
  }
  return count - Math.max(0, left);
}
