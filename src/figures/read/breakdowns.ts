/** Breaks clicks and opens down into the greatest values of every dimension. */
import { compareText } from "../compare-text";
import { CLICK_DIMENSIONS } from "../dimensions";
import { CODES_END, codeOf, dimensionOf, type FigureDimension, figureDimensionCode } from "../keys";
import { greatestOf, type Sum } from "../ranked-sums";
import { ByRows, inOrder } from "./by-rows";
import type { FiguresRow } from "./packed";
import type { PartialHourFigures } from "./partial-hours";
import { type RowSums, sumsOf } from "./row-sums";
import type { Reader } from "./scope";
import type { ValueText, ValueTexts } from "./value-texts";

/** The number of values that an overview shows of each dimension. */
export const VALUES_MAX = 10;

export interface BreakdownRow extends ValueText {
  dimension: FigureDimension;
  count: number;
}

interface CountedIn {
  /** The rows of whole hours and days. */
  rows: Promise<FiguresRow[]>;
  partialHours: Promise<PartialHourFigures>;
}

const UNKNOWN: ValueText = { value: "", name: "" };

/**
 * Returns the greatest values of each dimension first, ties in the order of their names. Values whose clicks were all
 * removed by verdicts are left out. In dimensions that do not count blank values, the clicks without a value are the
 * difference from all clicks. There is one value more than `max` if there is one, because whoever shows them may join
 * two of them.
 *
 * Counts are summed by value number. The values themselves are queried only for those that may be among the greatest.
 */
export async function readBreakdowns(
  sql: Reader,
  texts: ValueTexts,
  { rows, partialHours }: CountedIn,
  max = VALUES_MAX,
): Promise<BreakdownRow[]> {
  const { greatest, blankCounts } = greatestIn(...(await Promise.all([rows, partialHours])), max);
  const values = await texts.read(
    sql,
    greatest.map(({ key }) => key),
  );
  const byCode = Map.groupBy(greatest, ({ key }) => codeOf(key));
  return [...new Set([...byCode.keys(), ...blankCounts.keys()])].flatMap((code) =>
    [
      ...(byCode.get(code) ?? []).map(({ key, sum }) => ({ ...(values.get(key) ?? UNKNOWN), count: sum })),
      ...(blankCounts.has(code) ? [{ ...UNKNOWN, count: blankCounts.get(code) ?? 0 }] : []),
    ]
      .sort((a, b) => b.count - a.count || compareText(a.name, b.name))
      .slice(0, max + 1)
      .map((row) => ({ dimension: dimensionOf(code), ...row })),
  );
}

interface GreatestValues {
  greatest: readonly Sum[];
  /** By code, the number of clicks without a value. */
  blankCounts: ReadonlyMap<number, number>;
}

const foundBefore = new ByRows<GreatestValues>();

function greatestIn(rows: readonly FiguresRow[], partialHours: PartialHourFigures, max: number): GreatestValues {
  const find = () => {
    const sums = sumsOf(rows);
    partialHours.counts.forEach(sums.more.add);
    return { greatest: greatestOf(sums.standing, sums.more, max), blankCounts: blankCountsOf(sums) };
  };
  return max === VALUES_MAX ? foundBefore.of(inOrder(rows), find, partialHours) : find();
}

/** Returns, by code, the clicks without a value in the dimensions that do not count blank values. */
function blankCountsOf({ standing, more }: RowSums): Map<number, number> {
  const totals = Float64Array.from({ length: CODES_END }, (_, code) => standing.totals[code] ?? 0);
  more.forEach((key, sum) => {
    const code = codeOf(key);
    totals[code] = (totals[code] ?? 0) + sum;
  });
  const clicks = totals[figureDimensionCode("platform")] ?? 0;
  return new Map(
    Object.values(CLICK_DIMENSIONS).flatMap(({ code, countsBlank }): [number, number][] => {
      const left = clicks - (totals[code] ?? 0);
      return countsBlank || left <= 0 ? [] : [[code, left]];
    }),
  );
}
