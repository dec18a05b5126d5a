/** Clicks and opens by what is known about them: the ten greatest values of every dimension. */
import { greatestOf, type Sum } from "@/core/ranked-sums";
import { codeOf, FIGURE_DIMENSIONS, metricOf, rollupDimensionOf, valueIdOf } from "@/platform/db/figure-keys";
import type { RollupDimension } from "@/platform/db/schema/clicks";
import type { EdgeFigures } from "./edges";
import type { FiguresRow } from "./packed";
import { sumsOf } from "./row-sums";
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
  const { standing, more } = sumsOf(await rows);
  (await edges).counts.forEach(more.add);
  const greatest = greatestOf(standing, more, VALUES_MAX);
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
