/** Clicks and opens by bucket. */
import type { OrgId } from "@/core/ids";
import type { PartialHourFigures } from "./partial-hours";
import { type FiguresScope, type Reader, scopeFragments, sourcesOf, unionAll } from "./scope";

export interface BucketFigures {
  /** The start of the bucket in Unix milliseconds. */
  at: number;
  clicks: number;
  opens: number;
}

/** Of the whole spans and the partial hours. Buckets without any are absent. */
export async function readSeries(
  sql: Reader,
  orgId: OrgId,
  scope: FiguresScope,
  partialHours: Promise<PartialHourFigures>,
): Promise<BucketFigures[]> {
  const { figuresIn, bucketOf } = scopeFragments(sql, orgId, scope);
  const whole = await sql<BucketFigures[]>`
    select extract(epoch from bucket)::float8 * 1000 as at, sum(clicks)::float8 as clicks, sum(opens)::float8 as opens
    from (
      select null::timestamptz as bucket, 0::numeric as clicks, 0::numeric as opens where false
      ${unionAll(
        sql,
        sourcesOf(scope.buckets),
        (source) => sql`
          select ${bucketOf(source.start)}, sum(clicks), sum(opens)
          from ${sql(source.figures)} where ${figuresIn(source)} group by 1`,
      )}
    ) as figures
    group by bucket`;
  return sumOfBuckets([...whole, ...(await partialHours).series]);
}

function sumOfBuckets(parts: readonly BucketFigures[]): BucketFigures[] {
  const buckets = new Map<number, BucketFigures>();
  for (const { at, clicks, opens } of parts) {
    const sum = buckets.get(at) ?? { at, clicks: 0, opens: 0 };
    buckets.set(at, { at, clicks: sum.clicks + clicks, opens: sum.opens + opens });
  }
  return [...buckets.values()];
}
