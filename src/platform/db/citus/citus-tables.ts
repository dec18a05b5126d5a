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

/** Bounded by links, accounts and days, not by traffic; or work that any server takes, whatever its organization. */
export const COORDINATOR_TABLES = [
  ...[
    "access_tokens",
    "api_keys",
    "app_profiles",
    "audit_logs",
    "bio_pages",
    "claims",
    "deleted_organizations",
    "destination_checks",
    "domains",
  ],
  ...["epochs", "erased_visits", "export_parts", "figure_fills", "icons", "idempotent_answers", "import_chunks"],
  ...["import_rows", "imports", "leads", "link_admissions", "link_counters", "link_revisions", "link_tags", "links"],
  ...["listed_links", "login_challenges", "memberships", "organization_exports", "organizations", "password_resets"],
  ...["periodic_jobs", "recovery_codes", "reports", "request_usage", "secrets", "sessions", "spools", "sso_codes"],
  ...["sso_configurations", "sso_identities", "tag_changes", "unserved_visits", "users", "visit_windows"],
  ...["webhook_deliveries", "webhooks"],
];

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
