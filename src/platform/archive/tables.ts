/**
 * What an archive of an organization holds of each table, found in the schema, so that a new table is in it unless it is
 * named here. Tables come in the order in which they can be brought back: what others refer to first.
 */
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as schema from "../db/schema";
import { organizationTables } from "./organization-tables";

export const ARCHIVE_FORMAT = "waymark-archive";
export const ARCHIVE_VERSION = 1;

/** Rows that mean something to the server they were written by alone, or for a short while. */
const LEFT_OUT = [
  "destination_checks",
  "figure_fills",
  "idempotent_answers",
  "import_chunks",
  "import_rows",
  "imports",
  "organization_exports",
  "raw_retention",
  "request_usage",
  "sso_codes",
  "sso_identities",
  "unserved_visits",
  "visit_windows",
  "webhook_deliveries",
];
/** The number of a link, and what a server plans to do next, are the server's own; `address_key` is made of an address. */
const LEFT_OUT_COLUMNS: Record<string, string[]> = {
  clicks: ["address_key"],
  links: ["number", "destinations_ask_at", "destinations_checked_at", "safety_checked_at"],
  webhooks: ["leased_by", "leased_until", "pending_counted"],
};
/** Stands in the customer's public DNS, and a domain that moves keeps its record. */
const PUBLIC_COLUMNS: Record<string, string[]> = { domains: ["verification_token"] };

/** Without its secret nobody could sign in by it, and where it is enforced nobody at all. */
const LOCKED = ["sso_configurations"];

const FIRST = ["organizations", "users", "memberships", "domains", "app_profiles", "links"];

export interface ArchivedTable {
  name: string;
  columns: string[];
  /** By which its rows are read on from where they were read to. */
  key: { name: string; type: string }[];
  rowsOf: "itself" | "members" | "organization";
  /** Rows whose parent is not there cannot be brought back. */
  parents: { column: string; table: string; key: string }[];
  /** Not where a secret is missing without which there is no row. */
  isRestored: boolean;
}

/** Of accounts no more than who they are. */
const ACCOUNT = ["id", "email", "name", "created_at"];

const configs = new Map(
  Object.values<unknown>(schema)
    .filter((entry) => is(entry, PgTable))
    .map((table) => getTableConfig(table))
    .map((config) => [config.name, config] as const),
);

export const archivedTables: ArchivedTable[] = [
  { name: "organizations", columns: columnsOf("organizations"), rowsOf: "itself" as const },
  { name: "users", columns: ACCOUNT, rowsOf: "members" as const },
  ...organizationTables
    .filter(({ name, isDerived }) => !isDerived && !LEFT_OUT.includes(name))
    .map(({ name, columns }) => ({
      name,
      columns: [...columns, ...(PUBLIC_COLUMNS[name] ?? [])].filter(
        (column) => !LEFT_OUT_COLUMNS[name]?.includes(column),
      ),
      rowsOf: "organization" as const,
    })),
]
  .sort((one, other) => placeOf(one.name) - placeOf(other.name))
  .map((table) => ({ ...table, ...constraintsOf(table.name, table.columns) }));

function placeOf(name: string): number {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}

function constraintsOf(
  name: string,
  carried: readonly string[],
): Pick<ArchivedTable, "key" | "parents" | "isRestored"> {
  const { columns, primaryKeys, foreignKeys } = configOf(name);
  // By their names: the columns that a table's extras are given do not know their types.
  const keyed = primaryKeys[0]?.columns.map((column) => column.name);
  const own = (column: (typeof columns)[number]) => keyed?.includes(column.name) ?? column.primary;
  const typed = columns.filter(own).map((column) => ({ name: column.name, type: column.getSQLType() }));
  const order = keyed ?? typed.map((column) => column.name);
  return {
    key: typed.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name)),
    parents: foreignKeys.flatMap((key) => {
      const { columns: from, foreignColumns: to, foreignTable } = key.reference();
      const [column, parent] = [from[0]?.name ?? "", to[0]?.name ?? ""];
      return column === "org_id" ? [] : [{ column, table: getTableConfig(foreignTable).name, key: parent }];
    }),
    isRestored:
      !LOCKED.includes(name) &&
      columns.every(
        (column) =>
          carried.includes(column.name) ||
          !column.notNull ||
          column.hasDefault ||
          column.getSQLType().endsWith("serial"),
      ),
  };
}

function columnsOf(name: string): string[] {
  return configOf(name).columns.map((column) => column.name);
}

function configOf(name: string) {
  const config = configs.get(name);
  if (!config) throw new Error(`There is no table ${name}`);
  return config;
}
