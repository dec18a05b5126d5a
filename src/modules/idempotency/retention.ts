/** Deletes, in batches, the stored responses that are no longer returned: some may show a secret, though sealed. */
import type { Sql } from "postgres";
import { KEPT_MS } from "./store";

export interface AnswerRetentionOptions {
  sql: Sql;
  now: number;
  /** Aborting it stops the deletion after the current batch. */
  signal: AbortSignal;
  /** Rows per batch. Tests lower it. */
  batchRows?: number;
}

const BATCH_ROWS = 5_000;

/** Returns how many it deleted. It can stop and start again at any point. */
export async function deleteOldAnswers({
  sql,
  now,
  signal,
  batchRows = BATCH_ROWS,
}: AnswerRetentionOptions): Promise<number> {
  let deleted = 0;
  for (let last = batchRows; last === batchRows && !signal.aborted; deleted += last) {
    const rows = await sql`
      delete from idempotent_answers where (org_id, operation, key_hash) in (
        select org_id, operation, key_hash from idempotent_answers
        where created_at <= ${new Date(now - KEPT_MS)} limit ${batchRows} for update skip locked)`;
    last = rows.count;
  }
  return deleted;
}
