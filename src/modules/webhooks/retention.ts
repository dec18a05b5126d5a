/**
 * Deletes deliveries older than 30 days, whatever their status, and those of deleted webhooks, in batches that each
 * have their own transaction.
 */
import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";

export interface DeletionOptions {
  sql: Sql;
  /** Ends the deletion early when aborted. */
  signal: AbortSignal;
  /** Set by tests. */
  batchRows?: number;
}

export interface DeliveryRetentionOptions extends DeletionOptions {
  now: number;
}

const KEPT_MS = 30 * DAY_MS;
const BATCH_ROWS = 5_000;

/** Returns the number of deleted deliveries. */
export async function deleteOldDeliveries(options: DeliveryRetentionOptions): Promise<number> {
  const { sql, now, signal, batchRows = BATCH_ROWS } = options;
  const before = new Date(now - KEPT_MS);
  let deleted = 0;
  for (let rows = batchRows; rows === batchRows && !signal.aborted; deleted += rows) {
    const batch = await sql`
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries where created_at < ${before} order by created_at limit ${batchRows})`;
    rows = batch.count;
  }
  return deleted;
}

/**
 * Deletes deliveries of webhooks that were deleted, whether alone or with their organization. Returns the number of
 * deleted deliveries.
 */
export async function deleteOrphanedDeliveries({
  sql,
  signal,
  batchRows = BATCH_ROWS,
}: DeletionOptions): Promise<number> {
  let deleted = 0;
  for (const { webhookId } of await findOrphaned(sql)) {
    for (let rows = batchRows; rows === batchRows && !signal.aborted; deleted += rows) {
      const batch = await sql`
        delete from webhook_deliveries where id in (
          select id from webhook_deliveries where webhook_id = ${webhookId} order by id limit ${batchRows})`;
      rows = batch.count;
    }
  }
  return deleted;
}

/** Takes one step in the index for each webhook that has deliveries. */
const findOrphaned = (sql: Sql) => sql<{ webhookId: string }[]>`
  with recursive told (webhook_id) as (
    (select webhook_id from webhook_deliveries order by webhook_id limit 1)
    union all
    select next.webhook_id from told cross join lateral (
      select webhook_id from webhook_deliveries where webhook_id > told.webhook_id order by webhook_id limit 1) next
  )
  select webhook_id as "webhookId" from told where not exists (select 1 from webhooks w where w.id = told.webhook_id)`;
