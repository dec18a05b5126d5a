import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";
import { ATTRIBUTION_VALID_MS } from "./validity";

/** A day longer than tokens are valid, so that a server whose clock is slow cannot accept a token a second time. */
const KEPT_MS = ATTRIBUTION_VALID_MS + DAY_MS;
const BATCH_ROWS = 5_000;

export interface ClaimRetentionOptions {
  sql: Sql;
  now: number;
  /** Aborting it stops the deletion after the current batch. */
  signal: AbortSignal;
  /** Rows per batch. Tests lower it. */
  batchRows?: number;
}

/**
 * Deletes, in batches, claims whose tokens would now be rejected for their age, and returns their number. Figures keep
 * counting these claims.
 */
export async function deleteOldClaims(options: ClaimRetentionOptions): Promise<number> {
  const { sql, now, signal, batchRows = BATCH_ROWS } = options;
  const before = new Date(now - KEPT_MS);
  let deleted = 0;
  for (let rows = batchRows; rows === batchRows && !signal.aborted; deleted += rows) {
    const batch = await sql`delete from claims where token_hash in (
      select token_hash from claims where clicked_at < ${before} order by clicked_at limit ${batchRows})`;
    rows = batch.count;
  }
  return deleted;
}
