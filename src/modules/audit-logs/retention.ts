/** Deletes, in batches, the audit entries that are older than the plan of their organization keeps them. */
import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";

export interface AuditRetentionOptions {
  sql: Sql;
  now: number;
  /** Days to keep entries, by plan. */
  auditDays: Record<string, number>;
  /** Aborting it stops the deletion after the current batch. */
  signal: AbortSignal;
  /** Rows per batch. Tests lower it. */
  batchRows?: number;
}

const BATCH_ROWS = 5_000;

/** Returns how many entries it deleted. It can stop and start again at any point. */
export async function deleteOldAuditLogs({
  sql,
  now,
  auditDays,
  signal,
  batchRows = BATCH_ROWS,
}: AuditRetentionOptions) {
  let deleted = 0;
  for (const [plan, days] of Object.entries(auditDays)) {
    const before = new Date(now - days * DAY_MS);
    for (let last = batchRows; last === batchRows && !signal.aborted; deleted += last) {
      // Reads each organization's oldest entries from its own part of the index, which has the time after the
      // organization.
      const rows = await sql`
        delete from audit_logs where id in (
          select old.id from organizations cross join lateral (
            select id from audit_logs where org_id = organizations.id and created_at < ${before}
            order by created_at, id limit ${batchRows}
          ) as old where plan = ${plan} limit ${batchRows})`;
      last = rows.count;
    }
  }
  return deleted;
}
