/** Reports visits that were turned away: the most frequent ones, with the reason and the time. */
import type { ISql, Sql } from "postgres";
import {
  UNSERVED_LIMIT,
  UNSERVED_STATUS,
  type UnservedQuery,
  type UnservedReason,
  type UnservedVisits,
} from "@/contract/analytics/unserved";
import type { OrgId } from "@/core/ids";
import { bucketMs, bucketStarts, type TimeRange } from "@/core/time/time-range";
import type { Clock } from "@/platform/clock";
import { type UnservedScope, unservedOf } from "@/platform/unserved/read";
import { checkDomain, checkLink, parseRange } from "./figures-query";
import { presentRange } from "./present";

/** Throws 400 for an invalid range, 404 for a link or domain that is not the organization's. */
export type ReadUnservedVisits = (orgId: OrgId, query: UnservedQuery) => Promise<UnservedVisits>;

export function createUnservedVisits({ sql, clock }: { sql: Sql; clock: Clock }): ReadUnservedVisits {
  return async (orgId, { from, to, limit = UNSERVED_LIMIT.default, ...narrowed }) => {
    const range = parseRange({ from, to }, clock());
    await checkLink(sql, orgId, narrowed.linkId);
    await checkDomain(sql, orgId, narrowed.domainId);
    const { total, reasons, series, visits } = await read(sql, orgId, { ...range, ...narrowed }, range, limit);
    const counts = new Map(series.map(({ at, count }) => [at, count]));
    return {
      range: presentRange(range),
      total,
      byReason: reasons.map(withStatus),
      timeseries: bucketStarts(range).map((at) => ({ at: new Date(at).toISOString(), count: counts.get(at) ?? 0 })),
      visits: visits.map(({ lastAt, ...visit }) => ({ ...withStatus(visit), lastAt: new Date(lastAt).toISOString() })),
    };
  };
}

const withStatus = <Row extends { reason: UnservedReason }>(row: Row) => ({
  ...row,
  status: UNSERVED_STATUS[row.reason],
});

interface Read {
  total: number;
  reasons: { reason: UnservedReason; count: number }[];
  /** Visits by bucket start in Unix milliseconds; empty buckets are absent. */
  series: { at: number; count: number }[];
  visits: {
    reason: UnservedReason;
    domainId: string;
    hostname: string | null;
    linkId: string | null;
    title: string | null;
    address: string | null;
    count: number;
    /** Unix milliseconds. */
    lastAt: number;
  }[];
}

/** Reads everything in one statement, so that the list and the sums agree while visits arrive. */
async function read(
  sql: ISql,
  orgId: OrgId,
  scope: UnservedScope,
  { granularity }: TimeRange,
  limit: number,
): Promise<Read> {
  const bucket = `${bucketMs(granularity)} milliseconds`;
  const [row] = await sql<Read[]>`
    with unserved as materialized (select * from ${unservedOf(sql, orgId, scope)}),
    reasons as (select reason, sum(count) as count from unserved group by reason order by count desc, reason),
    series as (
      select extract(epoch from date_bin(${bucket}::interval, hour, 'epoch'))::float8 * 1000 as at, sum(count) as count
      from unserved group by 1),
    top as (
      select reason, domain_id, link_id, address, sum(count) as count, max(hour) as last_hour
      from unserved group by reason, domain_id, link_id, address
      order by count desc, reason, domain_id, link_id, address limit ${limit}),
    visits as (
      select top.reason, top.domain_id as "domainId", domains.hostname, top.link_id as "linkId", links.title,
        coalesce(top.address, '/' || coalesce(nullif(links.path_prefix, '') || '/', '') || links.slug) as address,
        top.count, extract(epoch from last_hour)::float8 * 1000 as "lastAt"
      from top
      left join domains on domains.id = top.domain_id and (domains.org_id = ${orgId} or domains.org_id is null)
      left join links on links.id = top.link_id and links.org_id = ${orgId}
      order by top.count desc, top.reason, top.domain_id, top.link_id, top.address)
    select coalesce((select sum(count) from unserved), 0)::float8 as total,
      coalesce((select json_agg(reasons) from reasons), '[]') as reasons,
      coalesce((select json_agg(series) from series), '[]') as series,
      coalesce((select json_agg(visits) from visits), '[]') as visits`;
  if (!row) throw new Error("The query for unserved visits returned no row");
  return row;
}
