/** Clicks and opens by bucket. */
import type { OrgId } from "@/core/ids";
import { type FiguresScope, type Reader, scopeFragments, unionEdges } from "./scope";

export interface BucketFigures {
  /** Start of the bucket, Unix milliseconds. */
  at: number;
  clicks: number;
  opens: number;
}

/** Buckets without any are absent. */
export async function readSeries(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<BucketFigures[]> {
  const { rollups, edges, bucketOf } = scopeFragments(sql, orgId, scope);
  const bucket = bucketOf("occurred_at");
  return sql<BucketFigures[]>`
    select extract(epoch from bucket)::float8 * 1000 as at, sum(clicks)::float8 as clicks, sum(opens)::float8 as opens
    from (
      select ${bucketOf("hour")} as bucket,
        coalesce(sum(count) filter (where metric in ('clicks', 'bot_clicks')), 0) as clicks,
        coalesce(sum(count) filter (where metric in ('opens', 'bot_opens')), 0) as opens
      from rollups_hourly where ${rollups} and dimension = 'total'
      group by 1
      ${unionEdges(sql, edges, (edge) => sql`select ${bucket}, count(*), 0 from clicks where ${edge} group by 1`)}
      ${unionEdges(sql, edges, (edge) => sql`select ${bucket}, 0, count(*) from opens where ${edge} group by 1`)}
    ) as figures
    group by bucket`;
}
