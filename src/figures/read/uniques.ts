/**
 * Counts distinct visitors by bucket and over the whole range, from the sketches of stored rows and of partial hours.
 */
import { bucketMs, type TimeRange } from "@/core/time/time-range";
import { createSketch, estimate, mergeInto, PRECISION, type Sketch } from "../uniques";
import { ByRows, inOrder, splitByAge } from "./by-rows";
import type { FiguresRow } from "./packed";

export interface UniqueVisitors {
  total: number;
  /** By start of the bucket; buckets without visitors are absent. */
  byBucket: ReadonlyMap<number, number>;
}

const standingVisitors = new ByRows<Sketch>();
const distinctOfBucket = new ByRows<number>();
/** A quiet range has the same rows for hours as for days. */
const countedBefore = { hour: new ByRows<UniqueVisitors>(), day: new ByRows<UniqueVisitors>() };

/**
 * Rows of links from a former release lower the precision of the total, if they have too many visitors to be exact.
 * Rows are shared with other requests, so visitors are always merged into new sketches.
 */
export function countUniques(
  rows: readonly FiguresRow[],
  edgeVisitors: ReadonlyMap<number, Sketch>,
  granularity: TimeRange["granularity"],
): UniqueVisitors {
  const counted = inOrder(rows.filter(({ sketch }) => sketch));
  return countedBefore[granularity].of(
    counted,
    () => count(counted, edgeVisitors, bucketMs(granularity)),
    edgeVisitors,
  );
}

function count(
  rows: readonly FiguresRow[],
  edgeVisitors: ReadonlyMap<number, Sketch>,
  bucketLength: number,
): UniqueVisitors {
  const rowsOf = Map.groupBy(rows, ({ start }) => start - (start % bucketLength));
  const byBucket = new Map<number, number>();
  for (const at of new Set([...rowsOf.keys(), ...edgeVisitors.keys()])) {
    byBucket.set(at, distinctOf(rowsOf.get(at) ?? [], edgeVisitors.get(at)));
  }
  return { total: estimate(totalVisitors(rows, [...edgeVisitors.values()])), byBucket };
}

/** Merges the sketches of all rows and these others into a new one. */
function totalVisitors(rows: readonly FiguresRow[], others: readonly Sketch[]): Sketch {
  const { standing, fresh } = splitByAge(rows);
  return mergedSketch([standingVisitors.of(standing, visitorsOf), visitorsOf(fresh), ...others]);
}

function distinctOf(rows: readonly FiguresRow[], inPartialHours: Sketch | undefined): number {
  if (inPartialHours) return estimate(mergedSketch([visitorsOf(rows), inPartialHours]));
  const [only] = rows;
  if (only && rows.length === 1) return only.distinct;
  return distinctOfBucket.of(rows, (same) => estimate(visitorsOf(same)));
}

const visitorsOf = (rows: readonly FiguresRow[]): Sketch =>
  mergedSketch(rows.flatMap(({ sketch }) => (sketch ? [sketch] : [])));

/** Merges the sketches into a new one. */
export function mergedSketch(sketches: readonly Sketch[]): Sketch {
  const sum = createSketch(PRECISION);
  for (const sketch of sketches) mergeInto(sum, sketch);
  return sum;
}
