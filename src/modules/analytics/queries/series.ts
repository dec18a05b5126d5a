/** Clicks and opens by bucket. */
import type { OrgId } from "@/core/ids";
import { type FiguresScope, type Reader, type Source, scopeFragments, sourcesOf, unionAll } from "./scope";

export interface BucketFigures {
  /** Start of the bucket, Unix milliseconds. */
  at: number;
  clicks: number;
  opens: number;
}

/** Buckets without any are absent. */
export async function readSeries(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<BucketFigures[]> {
  const { figuresIn, clickEdges, openEdges, bucketOf } = scopeFragments(sql, orgId, scope);
  const bucket = bucketOf("occurred_at");
  const rolledUp = (source: Source) => sql`
    select ${bucketOf(source.start)}, sum(clicks), sum(opens)
    from ${sql(source.figures)} where ${figuresIn(source)} group by 1`;
  return sql<BucketFigures[]>`
    select extract(epoch from bucket)::float8 * 1000 as at, sum(clicks)::float8 as clicks, sum(opens)::float8 as opens
    from (
      select null::timestamptz as bucket, 0::numeric as clicks, 0::numeric as opens where false
      ${unionAll(sql, sourcesOf(scope.buckets), rolledUp)}
      ${unionAll(sql, clickEdges, (edge) => sql`select ${bucket}, count(*), 0 from clicks where ${edge} group by 1`)}
      ${unionAll(sql, openEdges, (edge) => sql`select ${bucket}, 0, count(*) from opens where ${edge} group by 1`)}
    ) as figures
    group by bucket`;
}
