import { expect, test } from "bun:test";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from "@/platform/db/citus/citus-tables";
import * as schema from "@/platform/db/schema";

const tables = Object.values<unknown>(schema)
  .filter((entry) => is(entry, PgTable))
  .map((table) => getTableConfig(table));

/**
 * Tables that stay on the coordinator, because they are bounded by links, accounts and days instead of traffic, or hold
 * work that any server takes.
 */
const COORDINATOR_TABLES = `
  access_tokens api_keys app_profiles audit_logs bio_pages claims deleted_organizations destination_checks
  domains epochs erased_visits export_parts figure_fills former_click_days former_click_sums icons idempotent_answers import_chunks import_rows
  imports leads link_admissions link_counters link_revisions link_tags links listed_links login_challenges
  memberships organization_exports organizations password_resets periodic_jobs recovery_codes released_hosts
  reports request_usage secrets sessions spools sso_codes sso_configurations sso_identities tag_changes
  unserved_visits users visit_windows webhook_deliveries webhooks
`
  .trim()
  .split(/\s+/);

test("every new table is assigned to the workers, to all machines or to the coordinator", () => {
  const listed = [...DISTRIBUTED_TABLES, ...REFERENCE_TABLES, ...COORDINATOR_TABLES];
  expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

test("a distributed table has the organization in its primary key, and no foreign key or unique constraint", () => {
  const distributed = tables.filter(({ name }) => DISTRIBUTED_TABLES.some((each) => each === name));
  const keys = distributed.map(({ name, primaryKeys }) => [
    name,
    primaryKeys.map(({ columns }) => columns.some((column) => column.name === "org_id")),
  ]);
  expect(keys).toEqual(distributed.map(({ name }) => [name, [true]]));
  expect(distributed.flatMap(({ foreignKeys, uniqueConstraints }) => [...foreignKeys, ...uniqueConstraints])).toEqual(
    [],
  );
});
