/**
 * Raw SQL contains names of tables and columns as plain text, which no type checks. Each name must exist in the
 * schema, so that a renamed column fails here before any statement runs.
 */
import { expect, test } from "bun:test";
import { literalsOf, namesIn, sqlTextsOf } from "@test/support/sql-texts";
import { Glob } from "bun";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as schema from "@/platform/db/schema";

const tables = Object.entries(schema).flatMap(([exported, table]) => {
  if (!is(table, PgTable)) return [];
  const { name, columns } = getTableConfig(table);
  return { exported, name, columns: columns.map((column) => column.name) };
});
const columns = new Set(tables.flatMap((table) => table.columns));

/** Files that create the tables, or that read the catalogues of Postgres. */
const OF_POSTGRES =
  /^(?:admin\/citus|platform\/db\/(?:citus|connection|embedded|migrate|search-index|schema)|clicks\/partitions)/;
/** Tables whose name is inserted into a statement and does not appear in the file. */
const FILLED_IN: Record<string, string> = {
  "figures/read/links/led-parts.ts": "figures_daily",
  "figures/read/links/link-figures.ts": "clicks",
  "figures/read/packed.ts": "clicks",
  "figures/write/erase-sketches.ts": "figures_daily",
};
/** A statement's own names that come from another file or are composed, and settings and catalogues of Postgres. */
const OWN: Record<string, string[]> = {
  "figures/columns/link-tags.ts": ["reltuples", "oid", "tagged", "materialized"],
  "clicks/retention.ts": ["child", "relname", "oid", "inhrelid", "inhparent", "at", "drop"],
  "figures/read/matching.ts": ["hour_of_week"],
  "figures/verify/verify-events.ts": ["event_rollups_"],
  "modules/addresses/store.ts": ["given"],
  "modules/analytics/clicks.ts": ["plan_cache_mode", "force_custom_plan"],
  "modules/analytics/sample/click-sample.ts": ["plan_cache_mode", "force_custom_plan"],
  "modules/analytics/unserved.ts": ["reason", "link_id", "hour"],
  "modules/insights/link-days.ts": ["asked"],
  "modules/insights/link-stops.ts": ["asked"],
  "modules/insights/out-of-use.ts": ["asked", "reason", "link_id", "hour"],
  "modules/links/list-order.ts": ["waymark_titles"],
  "modules/insights/store.ts": ["enable_bitmapscan", "off"],
  "platform/db/read-page.ts": [
    ...["n_live_tup", "relpages", "reltuples", "oid", "relid"],
    ...["last_analyze", "last_autoanalyze", "last_vacuum", "last_autovacuum"],
  ],
};

const files = await Promise.all(
  [...new Glob("**/*.{ts,tsx}").scanSync("src")]
    .filter((path) => !path.startsWith("dashboard/") && !OF_POSTGRES.test(path))
    .sort()
    .map(async (path) => ({ path, source: await Bun.file(`src/${path}`).text() })),
);

test("every name in raw SQL exists in the schema", () => {
  expect(files.flatMap(unknownIn)).toEqual([]);
});

test("no tagged template is missed", () => {
  const form = /\b(?:sql|tx)(?:<(?:(?!\b(?:sql|tx)\b)[^`])*>)?`/g;
  const tagged = (source: string) => source.replace(/\/\*\*[\s\S]*?\*\//g, "").match(form)?.length ?? 0;
  const found = (source: string) => literalsOf(source).filter(({ isTagged }) => isTagged).length;
  expect(files.filter(({ source }) => tagged(source) !== found(source)).map(({ path }) => path)).toEqual([]);
});

test("a module's store uses the query builder, unless it reads figures or sweeps over many rows", () => {
  const writesOut = files.filter(({ path, source }) => path.startsWith("modules/") && /from "postgres"/.test(source));
  const others = /^modules\/(?:analytics\/|insights\/|destinations\/(?:due|service)\.ts|\S+\/retention\.ts)/;
  expect(writesOut.map(({ path }) => path).filter((path) => !others.test(path))).toEqual([]);
});

test.each([
  ["a tagged template", "sql<Row[]>`select tagged_at from clicks`", "tagged_at"],
  ["a part of one", "sql`select id from clicks $" + "{isWanted ? sql`where tagged_at is null` : sql``}`", "tagged_at"],
  ["plain text", '"select tagged_at from clicks"', "tagged_at"],
  ["a part of plain text", '"org_id = $1 and tagged_at is null from clicks"', "tagged_at"],
  ["a qualified name", "sql`select c.tagged_at as at from clicks c`", "tagged_at"],
  ["a list to be inserted", "sql`insert into clicks (id, tagged_at) values (1, 2)`", "tagged_at"],
  ["a window", "sql`select row_number() over (order by tagged_at desc) as place from clicks`", "tagged_at"],
  [
    "a list that its source shares",
    "sql`insert into clicks (id, tagged_at) select * from f() as a (id, tagged_at)`",
    "tagged_at",
  ],
  ["the place of another table's", "sql`select hostname from clicks`", "hostname"],
])("a column that is not there is found in %s", (_, text, name) => {
  expect(unknownIn({ path: "x.ts", source: `read(${text});` })).toEqual([`x.ts: ${name}`]);
});

test.each([
  [
    "names of its own",
    "sql`with first as (select id as mine from clicks) select mine from first as f (a) where f.a > mine`",
  ],
  ["functions, types and text", "sql`select count(*)::float8, 'tagged_at', \"taggedAt\" from clicks`"],
])("a statement may have %s", (_, text) => {
  expect(unknownIn({ path: "x.ts", source: `read(${text});` })).toEqual([]);
});

function unknownIn({ path, source }: { path: string; source: string }): string[] {
  const known = namesKnownTo(path, source);
  const names = namesIn(sqlTextsOf(source, columns));
  return [...names].filter((name) => !known.has(name)).map((name) => `${path}: ${name}`);
}

/**
 * Returns the names in those tables that a file names, as in the schema or in Postgres; all tables if it names none.
 */
function namesKnownTo(path: string, source: string): Set<string> {
  const words = new Set(source.match(/\b\w+\b/g));
  const named = tables.filter(
    ({ exported, name }) => words.has(exported) || words.has(name) || FILLED_IN[path] === name,
  );
  const all = (named.length > 0 ? named : tables).flatMap(({ name, columns }) => [name, ...columns]);
  return new Set([...all, ...(OWN[path] ?? [])]);
}
