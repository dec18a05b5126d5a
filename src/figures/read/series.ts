/** Clicks and opens by bucket. */
import { bucketMs, type TimeRange } from "@/core/time/time-range";
import type { FiguresRow } from "./packed";
import type { PartialHourFigures } from "./partial-hours";

export interface BucketFigures {
  /** The start of the bucket in Unix milliseconds. */
  at: number;
  clicks: number;
  opens: number;
}

/** Sums the partial hours and `rows`, which are those of whole buckets. Buckets without visits are absent. */
export function seriesOf(
  rows: readonly FiguresRow[],
  { series }: PartialHourFigures,
  granularity: TimeRange["granularity"],
): BucketFigures[] {
  const length = bucketMs(granularity);
  const buckets = new Map<number, BucketFigures>();
  const add = (at: number, { clicks, opens }: Pick<BucketFigures, "clicks" | "opens">) => {
    const sum = buckets.get(at) ?? { at, clicks: 0, opens: 0 };
    buckets.set(at, { at, clicks: sum.clicks + clicks, opens: sum.opens + opens });
  };
  for (const row of rows) add(row.start - (row.start % length), row);
  for (const bucket of series) add(bucket.at, bucket);
  return [...buckets.values()];
}

export const clicksOf = (series: readonly BucketFigures[]): number =>
  series.reduce((sum, { clicks }) => sum + clicks, 0);
