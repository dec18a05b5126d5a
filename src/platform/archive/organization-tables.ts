/** Every table that holds rows of an organization, found in the schema, so that none is forgotten. */
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as schema from "@/platform/db/schema";

const OWNER = "org_id";
/** Tables of sums and copies of what the others hold. */
const DERIVED =
  /^(figures_|event_rollups_|link_counters$|click_days$|leader_days$|former_click_sums$|listed_links$|link_tags$|tag_changes$)/;
/** Left out besides all columns of bytes, which hold hashes, sealed secrets and sketches. */
const SECRET_COLUMNS = ["password_hash", "verification_token"];

export interface OrganizationTable {
  name: string;
  /** The columns that may leave the service. */
  columns: string[];
  isDerived: boolean;
}

export const organizationTables: OrganizationTable[] = Object.values<unknown>(schema)
  .filter((entry) => is(entry, PgTable))
  .map((table) => getTableConfig(table))
  .filter(({ columns }) => columns.some(({ name }) => name === OWNER))
  .map(({ name, columns }) => ({
    name,
    columns: columns
      .filter((column) => column.getSQLType() !== "bytea" && !SECRET_COLUMNS.includes(column.name))
      .map((column) => column.name),
    isDerived: DERIVED.test(name),
  }))
  .sort((one, other) => (one.name < other.name ? -1 : 1));
