/** Reads clicks by hour or day of several links, or of the whole organization, without gaps. */
import type { Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import type { CountBucket } from "@/core/insights/seasonal";
import { bucketMs, type Span, type TimeRange } from "@/core/time/time-range";
import { PEOPLE_BY_KEY } from "@/figures/read/scope";
import type { AnalyticsService } from "@/modules/analytics/service";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { idTable } from "./store";

type Granularity = TimeRange["granularity"];

export interface SeriesSources {
  sql: Sql;
  analytics: Pick<AnalyticsService, "dailyClicks">;
}

export interface SeriesQuery {
  /** Null stands for the whole organization. */
  linkIds: readonly (string | null)[];
  granularity: Granularity;
  /** Covers whole buckets. */
  span: Span;
  includeBots: boolean;
}

/** Returns the buckets in the order of `linkIds`. */
export async function readClickSeries(
  sources: SeriesSources,
  orgId: OrgId,
  query: SeriesQuery,
): Promise<CountBucket[][]> {
  const { linkIds, granularity, span } = query;
  const links = linkIds.filter((id) => id !== null);
  const isDaily = granularity === "day" && !query.includeBots;
  const [ofLinks, others] = await Promise.all([
    isDaily ? sources.analytics.dailyClicks(orgId, links, span) : new Map<string, Map<number, number>>(),
    readBuckets(sources.sql, orgId, { ...query, linkIds: isDaily ? linkIds.filter((id) => id === null) : linkIds }),
  ]);
  return linkIds.map((id) => {
    const counts = others.get(id ?? WHOLE_ORGANIZATION) ?? (id === null ? undefined : ofLinks.get(id));
    return withoutGaps(counts, granularity, span);
  });
}

/**
 * Reads the figures of each link separately, because they are adjacent in the key: a join with a hundred links would
 * make Postgres read the figures of all links. Aggregates each link into one row, because receiving a row per day
 * would cost more than finding it.
 */
async function readBuckets(sql: Sql, orgId: OrgId, { linkIds, granularity, span, includeBots }: SeriesQuery) {
  if (linkIds.length === 0) return new Map<string, Map<number, number>>();
  const start = sql(granularity);
  const rows = await sql<{ linkId: string; starts: string; counts: string }[]>`
    select asked.id as "linkId", string_agg(start::text, ',') as starts, string_agg(clicks::text, ',') as counts
    from ${idTable(sql, linkIds)} cross join lateral (
      select date_part('epoch', ${start}) * 1000 as start, sum(clicks) as clicks
      from ${sql(granularity === "day" ? "figures_daily" : "figures_hourly")}
      where org_id = ${orgId} and link_id = asked.id
        and ${start} >= ${new Date(span.from)} and ${start} < ${new Date(span.to)}
        ${includeBots ? sql`` : sql`and ${sql.unsafe(PEOPLE_BY_KEY)}`}
      group by ${start}
    ) as figures group by 1`;
  return new Map(rows.map(({ linkId, starts, counts }) => [linkId, bucketsOf(starts, counts)]));
}

function bucketsOf(starts: string, counts: string): Map<number, number> {
  const each = counts.split(",");
  return new Map(starts.split(",").map((start, place) => [Number(start), Number(each[place])]));
}

function withoutGaps(counts: ReadonlyMap<number, number> = new Map(), granularity: Granularity, { from, to }: Span) {
  const length = bucketMs(granularity);
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / length)) }, (_, index): CountBucket => {
    const at = from + index * length;
    return { at, count: counts.get(at) ?? 0 };
  });
}
