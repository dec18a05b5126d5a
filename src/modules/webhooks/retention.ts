/** Deletes, in batches, the deliveries of 30 days ago and before, whatever came of them. */
import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time-range";

export interface DeliveryRetentionOptions {
  sql: Sql;
  now: number;
  /** Ends early when told to. */
  signal: AbortSignal;
  /** For tests. */
  batchRows?: number;
}

const KEPT_MS = 30 * DAY_MS;
const BATCH_ROWS = 5_000;

/** How many. */
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
