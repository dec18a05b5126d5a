/** Builds every metric of every bucket of a range, for overviews and exports. */
import type { SeriesMetric } from "@/contract/analytics/series";
import { bucketStarts, type TimeRange } from "@/core/time/time-range";
import type { EventFigures } from "@/figures/read/events";
import type { BucketFigures } from "@/figures/read/series";
import type { UniqueVisitors } from "@/figures/read/uniques";

export type Bucket = Record<SeriesMetric, number> & {
  /** The bucket's start in ISO 8601. */
  at: string;
};

export interface BucketSources {
  series: BucketFigures[];
  uniques: UniqueVisitors;
  events: EventFigures;
  /** Installs by bucket start in Unix milliseconds; buckets without installs are absent. */
  installs: Map<number, number>;
}

/** Returns all buckets of the range without gaps. */
export function bucketsOf(range: TimeRange, { series, uniques, events, installs }: BucketSources): Bucket[] {
  const figuresAt = new Map(series.map((bucket) => [bucket.at, bucket]));
  return bucketStarts(range).map((at) => ({
    at: new Date(at).toISOString(),
    clicks: figuresAt.get(at)?.clicks ?? 0,
    // The sketch only estimates visitors and may slightly exceed the clicks.
    uniqueVisitors: Math.min(uniques.byBucket.get(at) ?? 0, figuresAt.get(at)?.clicks ?? 0),
    opens: figuresAt.get(at)?.opens ?? 0,
    installs: installs.get(at) ?? 0,
    leads: events.byBucket.get(at)?.leads ?? 0,
    events: events.byBucket.get(at)?.count ?? 0,
    eventValue: events.byBucket.get(at)?.value ?? 0,
  }));
}
