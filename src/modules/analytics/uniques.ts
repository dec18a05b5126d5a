/** Distinct visitors by bucket and over the whole range, out of sketches: of stored rows, and of the range's ends. */
import { bucketMs, type TimeRange } from "@/core/time-range";
import { createSketch, estimate, mergeInto, ORGANIZATION_PRECISION, type Sketch } from "@/core/uniques";
import type { FiguresRow } from "./queries/packed";

export interface UniqueVisitors {
  total: number;
  /** By start of the bucket; buckets without any are absent. */
  byBucket: Map<number, number>;
}

/**
 * Sketches of links fold the total down to their own precision, when they hold so many that it matters. Rows are shared
 * with other requests: what is merged into is always a sketch of our own.
 */
export function countUniques(
  rows: readonly FiguresRow[],
  edgeVisitors: ReadonlyMap<number, Sketch>,
  granularity: TimeRange["granularity"],
): UniqueVisitors {
  const length = bucketMs(granularity);
  const byBucket = new Map<number, number>();
  const total = createSketch(ORGANIZATION_PRECISION);
  const rowsOf = Map.groupBy(
    rows.filter(({ sketch }) => sketch),
    ({ start }) => start - (start % length),
  );
  for (const at of new Set([...rowsOf.keys(), ...edgeVisitors.keys()])) {
    const [ofBucket, visitors] = [rowsOf.get(at) ?? [], edgeVisitors.get(at)];
    const [only] = ofBucket;
    if (only?.sketch && ofBucket.length === 1 && !visitors) {
      byBucket.set(at, only.distinct);
      mergeInto(total, only.sketch);
    } else {
      const sketch = sketchOf(ofBucket, visitors);
      byBucket.set(at, estimate(sketch));
      mergeInto(total, sketch);
    }
  }
  return { total: estimate(total), byBucket };
}

function sketchOf(rows: readonly FiguresRow[], visitors: Sketch | undefined): Sketch {
  const sum = createSketch(ORGANIZATION_PRECISION);
  for (const { sketch } of rows) if (sketch) mergeInto(sum, sketch);
  if (visitors) mergeInto(sum, visitors);
  return sum;
}
