/**
 * Where each table is stored once Citus spreads a database over several machines (`admin distribute`). Tables that
 * grow with traffic are distributed by organization: all of an organization's rows in them are on the same worker.
 * Tables that their statements join are copied to every machine. All other tables stay on the coordinator, where
 * transactions and triggers work as before.
 */
import type { ISql } from "postgres";

/** Distributed by `org_id`. The first is distributed first, and the others are placed where its rows are. */
export const DISTRIBUTED_TABLES = [
  "clicks",
  "opens",
  "events",
  "figures_hourly",
  "figures_daily",
  "event_rollups_hourly",
  "event_rollups_daily",
  "click_days",
  "leader_days",
] as const;

/** Small, rarely written, and joined by statements on the tables above. */
export const REFERENCE_TABLES = ["figure_values", "raw_retention"] as const;

/** Used by statements that run on workers, or by code that reads figures there. */
export const WORKER_FUNCTIONS = [
  "waymark_dimension(integer)",
  "waymark_counts(bytea)",
  "waymark_uniques(bytea)",
  "waymark_domain_of(uuid)",
] as const;

/** Reports whether rows may be on several machines, where no snapshot shows all of them at the same moment. */
export async function isOnCitus(sql: ISql): Promise<boolean> {
  const [row] = await sql<
    { isIt: boolean }[]
  >`select to_regclass('pg_catalog.pg_dist_partition') is not null as "isIt"`;
  return row?.isIt ?? false;
}
