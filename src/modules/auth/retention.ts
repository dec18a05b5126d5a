/**
 * Deletes, in batches, what signing in leaves behind: challenges and password resets as soon as they expire, sessions
 * 30 days after they expire, and access tokens 90 days after.
 */
import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";

export interface SignInRetentionOptions {
  sql: Sql;
  now: number;
  /** Aborting it stops the deletion after the current batch. */
  signal: AbortSignal;
  /** Rows per batch. Tests lower it. */
  batchRows?: number;
}

export const SESSIONS_KEPT_DAYS = 30;
/** Milliseconds that rows of each table are kept after they expire. */
const KEPT_MS = {
  login_challenges: 0,
  password_resets: 0,
  sessions: SESSIONS_KEPT_DAYS * DAY_MS,
  access_tokens: 90 * DAY_MS,
};
const BATCH_ROWS = 5_000;

/** Returns how many rows of each table it deleted. */
export async function deleteOldSignIns(options: SignInRetentionOptions): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const [table, keptMs] of Object.entries(KEPT_MS)) deleted[table] = await deleteRows(options, table, keptMs);
  return deleted;
}

async function deleteRows(options: SignInRetentionOptions, table: string, keptMs: number): Promise<number> {
  const { sql, now, signal, batchRows = BATCH_ROWS } = options;
  let deleted = 0;
  for (let rows = batchRows; rows === batchRows && !signal.aborted; deleted += rows) {
    const batch = await sql`
      delete from ${sql(table)} where id in (
        select id from ${sql(table)} where expires_at < ${new Date(now - keptMs)} limit ${batchRows})`;
    rows = batch.count;
  }
  return deleted;
}
