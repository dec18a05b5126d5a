/**
 * What an archive of an organization contains of each table. Tables are found in the schema, so that a new one is
 * included unless it is named here. They are in the order in which they can be restored: first those that others
 * refer to.
 */
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as schema from "../db/schema";
import { organizationTables } from "./organization-tables";

export const ARCHIVE_FORMAT = "waymark-archive";
export const ARCHIVE_VERSION = 1;
/** The name of the files with clicks of which no table tells (`expired-days`). */
export const EXPIRED_DAYS = "expired_click_days";

/** Tables whose rows only mean something to the server that wrote them, or only for a short while. */
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
  "unserved_visits",
  "visit_windows",
  "webhook_deliveries",
];
/**
 * The number of a link, the certificate of a domain, the version by which servers know an organization, and the times of
 * what a server plans to do next, belong to that server; `address_key` is made from an address.
 */
const LEFT_OUT_COLUMNS: Record<string, string[]> = {
  clicks: ["address_key"],
  domains: ["certificate", "checked_at"],
  links: ["number", "destinations_ask_at", "destinations_checked_at", "safety_checked_at"],
  organizations: ["routing_version", "routing_updated_at"],
  webhooks: ["leased_by", "leased_until", "pending_counted"],
};
/**
 * Secret columns that are included nevertheless: this one is in the customer's public DNS, and a domain that moves
 * keeps its record.
 */
const PUBLIC_COLUMNS: Record<string, string[]> = { domains: ["verification_token"] };

/** Without its secret, nobody could sign in with it, and where it is enforced nobody could sign in at all. */
const LOCKED = ["sso_configurations"];

/** Identities follow memberships at once: without its own, a membership would be one that its account joined. */
const FIRST = ["organizations", "users", "memberships", "sso_identities", "domains", "app_profiles", "links"];

/**
 * Domains are read in the order in which they were added, and not by their ids: one that was deleted and added again
 * has its former id.
 */
const KEYS: Record<string, string[]> = { domains: ["created_at", "id"] };

export interface ArchivedTable {
  name: string;
  columns: string[];
  /** The key along which rows are read: each read goes on where the previous one ended. */
  key: { name: string; type: string }[];
  rowsOf: "itself" | "members" | "identities" | "organization";
  /** References to other tables. A row whose parent is missing cannot be restored. */
  parents: { column: string; table: string; key: string }[];
  /** False if rows cannot exist without a secret that the archive does not contain. */
  isRestored: boolean;
}

/** All that is included of an account: who it is. */
const ACCOUNT = ["id", "email", "name", "created_at"];

const configs = new Map(
  Object.values<unknown>(schema)
    .filter((entry) => is(entry, PgTable))
    .map((table) => getTableConfig(table))
    .map((config) => [config.name, config] as const),
);

export const archivedTables: ArchivedTable[] = [
  {
    name: "organizations",
    columns: carried("organizations", tableColumns("organizations")),
    rowsOf: "itself" as const,
  },
  { name: "users", columns: ACCOUNT, rowsOf: "members" as const },
  ...organizationTables
    .filter(({ name, isDerived }) => !isDerived && !LEFT_OUT.includes(name))
    .map(({ name, columns }) => ({
      name,
      columns: carried(name, [...columns, ...(PUBLIC_COLUMNS[name] ?? [])]),
      rowsOf: name === "sso_identities" ? ("identities" as const) : ("organization" as const),
    })),
]
  .sort((one, other) => placeOf(one.name) - placeOf(other.name))
  .map((table) => ({ ...table, ...constraintsOf(table.name, table.columns) }));

/** Identifies what archives contain. Versions that write the same tables and columns in the same order share it. */
export const ARCHIVE_SHAPE = Bun.hash(
  JSON.stringify([ARCHIVE_VERSION, KEYS, EXPIRED_DAYS, archivedTables.map(({ name, columns }) => [name, columns])]),
).toString(36);

function carried(name: string, columns: readonly string[]): string[] {
  return columns.filter((column) => !LEFT_OUT_COLUMNS[name]?.includes(column));
}

function placeOf(name: string): number {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}

function constraintsOf(name: string, given: readonly string[]): Pick<ArchivedTable, "key" | "parents" | "isRestored"> {
  const { columns, primaryKeys, foreignKeys } = configOf(name);
  // Compared by name: the columns that a table's extras are given do not know their types.
  const keyed = KEYS[name] ?? primaryKeys[0]?.columns.map((column) => column.name);
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
          given.includes(column.name) || !column.notNull || column.hasDefault || column.getSQLType().endsWith("serial"),
      ),
  };
}

/** Returns all columns of a table, also those that archives do not contain. */
export function tableColumns(name: string): string[] {
  return configOf(name).columns.map((column) => column.name);
}

function configOf(name: string) {
  const config = configs.get(name);
  if (!config) throw new Error(`There is no table ${name}`);
  return config;
}
