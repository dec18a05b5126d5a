/** Clicks and opens by what is known about them: the ten greatest values of every dimension. */
import type { CountSums } from "@/core/counts";
import type { OrgId } from "@/core/ids";
import {
  codeOf,
  FIGURE_DIMENSIONS,
  figureKey,
  metricOf,
  rollupDimensionOf,
  valueIdOf,
} from "@/platform/db/figure-keys";
import type { RollupDimension } from "@/platform/db/schema/clicks";
import { sumOfCounts } from "./chunk-sums";
import type { FiguresRow } from "./packed";
import { type FiguresScope, type Reader, scopeFragments, unionAll } from "./scope";

const VALUES_MAX = 10;

export interface BreakdownRow {
  kind: "clicks" | "opens";
  dimension: RollupDimension;
  /** Empty for unknown. */
  value: string;
  count: number;
}

/**
 * The greatest first within each kind and dimension, ties in the order of their names. A value whose clicks have all left
 * by verdicts has a sum of nothing.
 *
 * `rows` are those of the whole spans. Packed counts are summed here by the numbers of their values; only of those that may be among the greatest the values
 * themselves are asked for.
 */
export async function readBreakdowns(
  sql: Reader,
  orgId: OrgId,
  scope: FiguresScope,
  rows: Promise<FiguresRow[]>,
): Promise<BreakdownRow[]> {
  const [whole, edges] = await Promise.all([rows, readEdges(sql, orgId, scope)]);
  const sums = sumOfCounts(whole);
  for (const { valueId, code, count } of edges) sums.add(figureKey(valueId, code), count);
  const greatest = greatestOf(sums);
  const values = await readValues(sql, greatest);
  return FIGURE_DIMENSIONS.flatMap((_, code) =>
    greatest
      .filter(({ key }) => codeOf(key) === code)
      .map(({ key, sum }) => ({ value: values.get(valueIdOf(key)) ?? "", count: sum }))
      .sort((a, b) => b.count - a.count || compareBytes(a.value, b.value))
      .slice(0, VALUES_MAX)
      .map((row) => ({ ...kindOf(code), ...row })),
  );
}

interface EdgeCount {
  code: number;
  valueId: number;
  count: number;
}

/**
 * Raw clicks and opens as figures would count them. Their values have numbers, since they were counted; these are looked
 * up one by one (a join would be planned to read all the values there are).
 */
function readEdges(sql: Reader, orgId: OrgId, scope: FiguresScope) {
  const { clickEdges, openEdges } = scopeFragments(sql, orgId, scope);
  return sql<EdgeCount[]>`
    with fact as (
      select code, value, count(*)::float8 as count from (
        select 0 as code, '' as value where false
      ${unionAll(sql, clickEdges, (edge) => sql`${clickValues(sql)} where ${edge}`)}
      ${unionAll(sql, openEdges, (edge) => sql`${openValues(sql)} where ${edge}`)}
      ) as facts group by code, value
    )
    select code, known.id as "valueId", count
    from fact cross join lateral (
      select id from figure_values where dimension = fact.code and value = fact.value offset 0
    ) as known`;
}

const codeOfDimension = (name: (typeof FIGURE_DIMENSIONS)[number]) => FIGURE_DIMENSIONS.indexOf(name);

const CLICK_COLUMNS = {
  platform: "platform",
  country: "country",
  city: "city",
  device: "device_type",
  browser: "browser",
  os: "os",
  referrer: "referrer",
  language: "language",
} as const;

const CLICK_FACTS = (Object.keys(CLICK_COLUMNS) as (keyof typeof CLICK_COLUMNS)[])
  .map((name) => `(${codeOfDimension(name)}, ${CLICK_COLUMNS[name]})`)
  .join(", ");

const clickValues = (sql: Reader) => sql`
  select fact.code, coalesce(fact.value, '') from clicks
  cross join lateral (values ${sql.unsafe(CLICK_FACTS)}) as fact (code, value)`;

const OPEN_FACTS = `(${codeOfDimension("open_platform")}, platform), (${codeOfDimension("open_source")}, source)`;

const openValues = (sql: Reader) => sql`
  select fact.code, fact.value from opens
  cross join lateral (values ${sql.unsafe(OPEN_FACTS)}) as fact (code, value)`;

interface Sum {
  key: number;
  sum: number;
}

/** Of each dimension those with the ten greatest sums, and whatever equals the last of these. */
function greatestOf(sums: CountSums): Sum[] {
  const byCode: Sum[][] = FIGURE_DIMENSIONS.map(() => []);
  sums.forEach((key, sum) => {
    if (sum > 0) byCode[codeOf(key)]?.push({ key, sum });
  });
  return byCode.flatMap((all) => {
    const least = leastOfGreatest(all);
    return all.filter(({ sum }) => sum >= least);
  });
}

/** The tenth greatest sum, or that of the least where there are fewer. */
function leastOfGreatest(all: readonly Sum[]): number {
  const greatest: number[] = [];
  for (const { sum } of all) {
    if (greatest.length === VALUES_MAX && sum <= (greatest[0] ?? 0)) continue;
    greatest.push(sum);
    greatest.sort((a, b) => a - b);
    if (greatest.length > VALUES_MAX) greatest.shift();
  }
  return greatest[0] ?? 0;
}

async function readValues(sql: Reader, sums: readonly Sum[]): Promise<Map<number, string>> {
  if (sums.length === 0) return new Map();
  const ids = [...new Set(sums.map(({ key }) => valueIdOf(key)))];
  const rows = await sql<{ id: number; value: string }[]>`
    select id, value from figure_values where id = any(${`{${ids.join(",")}}`}::text::int[])`;
  return new Map(rows.map(({ id, value }) => [id, value]));
}

function kindOf(code: number): Pick<BreakdownRow, "kind" | "dimension"> {
  const dimension = FIGURE_DIMENSIONS[code] ?? "platform";
  const kind = metricOf(dimension, false) === "opens" ? "opens" : "clicks";
  return { kind, dimension: rollupDimensionOf(dimension) };
}

/** As Postgres compares under the collation "C". */
const compareBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
