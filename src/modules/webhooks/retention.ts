/**
 * Deletes, in batches that are transactions of their own, the deliveries of 30 days ago and before, whatever came of them,
 * and those of webhooks that are gone.
 */
import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";

export interface DeletionOptions {
  sql: Sql;
  /** Ends early when told to. */
  signal: AbortSignal;
  /** For tests. */
  batchRows?: number;
}

export interface DeliveryRetentionOptions extends DeletionOptions {
  now: number;
}

const KEPT_MS = 30 * DAY_MS;
const BATCH_ROWS = 5_000;

/** Returns how many it deleted. */
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

/** Deletes deliveries of webhooks that were deleted, alone or with their organization. Returns how many. */
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

/** One step in the index for each webhook that was ever told anything. */
const findOrphaned = (sql: Sql) => sql<{ webhookId: string }[]>`
  with recursive told (webhook_id) as (
    (select webhook_id from webhook_deliveries order by webhook_id limit 1)
    union all
    select next.webhook_id from told cross join lateral (
      select webhook_id from webhook_deliveries where webhook_id > told.webhook_id order by webhook_id limit 1) next
  )
  select webhook_id as "webhookId" from told where not exists (select 1 from webhooks w where w.id = told.webhook_id)`;
