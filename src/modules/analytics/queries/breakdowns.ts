/** Clicks and opens by what is known about them: the ten greatest values of every dimension. */
import type { CountSums } from "@/core/counts";
import { codeOf, FIGURE_DIMENSIONS, metricOf, rollupDimensionOf, valueIdOf } from "@/platform/db/figure-keys";
import type { RollupDimension } from "@/platform/db/schema/clicks";
import { sumOfCounts } from "./chunk-sums";
import type { EdgeFigures } from "./edges";
import type { FiguresRow } from "./packed";
import type { Reader } from "./scope";

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
 * `rows` are those of the whole spans. Counts are summed by the numbers of their values; only of those that may be among
 * the greatest the values themselves are asked for.
 */
export async function readBreakdowns(
  sql: Reader,
  rows: Promise<FiguresRow[]>,
  edges: Promise<EdgeFigures>,
): Promise<BreakdownRow[]> {
  const sums = sumOfCounts(await rows);
  (await edges).counts.forEach(sums.add);
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

interface Sum {
  key: number;
  sum: number;
}

/**
 * Of each dimension those with the ten greatest sums, and whatever equals the last of these. There may be tens of thousands
 * of values: they are gone through twice, and only those that are wanted become objects.
 */
function greatestOf(sums: CountSums): Sum[] {
  const greatest: number[][] = FIGURE_DIMENSIONS.map(() => []);
  /** By code, the tenth greatest sum so far; 0 where there are fewer. */
  const least = new Float64Array(greatest.length);
  sums.forEach((key, sum) => {
    const code = codeOf(key);
    if (sum > (least[code] ?? 0)) least[code] = insert(greatest[code] ?? [], sum);
  });
  const found: Sum[] = [];
  sums.forEach((key, sum) => {
    if (sum > 0 && sum >= (least[codeOf(key)] ?? 0)) found.push({ key, sum });
  });
  return found;
}

/** Into the ten greatest, ascending. The least of them then; 0 while there are fewer. */
function insert(greatest: number[], sum: number): number {
  const place = greatest.findIndex((other) => other >= sum);
  greatest.splice(place === -1 ? greatest.length : place, 0, sum);
  if (greatest.length > VALUES_MAX) greatest.shift();
  return greatest.length < VALUES_MAX ? 0 : (greatest[0] ?? 0);
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
