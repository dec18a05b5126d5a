/**
 * Figures that overviews do not have, of several links at once: installs and events, and which destination raw clicks were
 * sent to. Every query starts from the organization and reads short ranges of an index.
 */
import { and, count, eq, isNull } from "drizzle-orm";
import type { ISql, Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import type { LinkTotals, RoutedClicks } from "@/core/insights/destination-figures";
import type { Span } from "@/core/time/time-range";
import { COUNTED, WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

const WORK_MEMORY = "32MB";

/** To be joined with, rather than compared with as an array, which would be read anew for each row. */
export const asked = (sql: ISql, ids: readonly (string | null)[]) =>
  sql`unnest(${idsOf(ids)}::text::uuid[]) as asked (id)`;
const idsOf = (ids: readonly (string | null)[]) => `{${ids.map((id) => id ?? WHOLE_ORGANIZATION).join(",")}}`;

/** Counts only bots, over whole days. */
export async function countBotClicks(sql: Sql, orgId: OrgId, linkId: string | null, { from, to }: Span) {
  const [row] = await sql<{ clicks: number }[]>`
    select coalesce(sum(clicks), 0)::float8 as clicks from figures_daily
    where org_id = ${orgId} and link_id = ${linkId ?? WHOLE_ORGANIZATION} and is_bot
      and day >= ${new Date(from)} and day < ${new Date(to)}`;
  return row?.clicks ?? 0;
}

/** Live ones, up to `most`: who has so many has enough. */
export async function countLinks(db: Db, orgId: OrgId, most: number): Promise<number> {
  const live = and(eq(links.orgId, orgId), eq(links.kind, "link"), isNull(links.deletedAt));
  const counted = db.select({ id: links.id }).from(links).where(live).limit(most).as("counted");
  const [row] = await db.select({ count: count() }).from(counted);
  return row?.count ?? 0;
}

export interface DestinationQuery {
  /** Each with how many of its newest clicks are looked at. */
  links: readonly { linkId: string; clicksMax: number }[];
  span: Span;
  includeBots: boolean;
  /** Times as many of a link's newest leads, and newest events, are looked at. */
  conversionsAClick: number;
}

export interface RoutedRow extends RoutedClicks {
  linkId: string;
  /** The time of the oldest, in Unix milliseconds. */
  since: number;
}

/**
 * Of the newest clicks of each link, by where they were sent and the day of the visitor's first, and what came since the oldest
 * of them. A lead
 * names its click; an event does where its `visitorId` is the click's id, as `wm_cid` hands it to the destination.
 *
 * Postgres takes every link for a middling one and would sort all clicks of the busiest: without bitmaps it goes along the
 * index, newest first, and stops. It also takes the visitors for few, who would be grouped on the disk. Counts are integers,
 * since sums of bigints are numerics, and days become numbers once they are grouped: both would cost tens of milliseconds.
 */
export function readRoutedClicks(sql: Sql, orgId: OrgId, query: DestinationQuery): Promise<RoutedRow[]> {
  return sql.begin("read only", async (tx) => {
    const planning = tx`
      select set_config('enable_bitmapscan', 'off', true), set_config('work_mem', ${WORK_MEMORY}, true)`.execute();
    const [rows] = await Promise.all([selectRoutedClicks(tx, orgId, query), planning]);
    return rows;
  });
}

function selectRoutedClicks(sql: ISql, orgId: OrgId, query: DestinationQuery) {
  const { links, span, includeBots, conversionsAClick } = query;
  const most = `{${links.map(({ clicksMax }) => clicksMax).join(",")}}`;
  const ids = idsOf(links.map(({ linkId }) => linkId));
  return sql<RoutedRow[]>`
    with sample as materialized (
      select newest.*, most from unnest(${ids}::text::uuid[], ${most}::text::int[]) as asked (id, most) cross join lateral (
        select id, link_id, occurred_at, visitor, route_kind, rule_index, split_key, destination_url from clicks
        where org_id = ${orgId} and link_id = asked.id
          and occurred_at >= ${new Date(span.from)} and occurred_at < ${new Date(span.to)}
          and ${sql.unsafe(COUNTED)} ${includeBots ? sql`` : sql`and not is_bot`}
        order by occurred_at desc limit asked.most
      ) as newest
    ), begun as materialized (
      select link_id, min(occurred_at) as at, ${conversionsAClick}::int * max(most) as most from sample group by 1
    ), of_leads as materialized (
      select newest.link_id, click_id, count(*)::int as count from begun cross join lateral (
        select link_id, click_id from leads
        where org_id = ${orgId} and link_id = begun.link_id and created_at >= begun.at
        order by created_at desc limit begun.most
      ) as newest
      group by 1, 2
    ), of_events as materialized (
      select newest.link_id, visitor_id, count(*)::int as count from begun cross join lateral (
        select link_id, visitor_id from events
        where org_id = ${orgId} and link_id = begun.link_id and occurred_at >= begun.at
        order by occurred_at desc limit begun.most
      ) as newest
      where length(visitor_id) = 36
      group by 1, 2
    ), of_visitors as not materialized (
      select sample.link_id, route_kind, rule_index, split_key, destination_url, visitor, min(occurred_at) as first,
        count(*)::int as clicks, (count(*) filter (where of_leads.count > 0 or of_events.count > 0))::int as converted,
        coalesce(sum(of_leads.count), 0)::int as leads, coalesce(sum(of_events.count), 0)::int as events
      from sample
        left join of_leads on of_leads.link_id = sample.link_id and of_leads.click_id = sample.id
        left join of_events on of_events.link_id = sample.link_id and of_events.visitor_id = sample.id::text
      group by 1, 2, 3, 4, 5, 6
    )
    select link_id as "linkId", route_kind as "routeKind", rule_index as "ruleIndex", split_key as "splitKey",
      destination_url as "destinationUrl",
      extract(epoch from date_bin('1 day', first, 'epoch'))::float8 * 1000 as day,
      extract(epoch from min(first))::float8 * 1000 as since,
      count(*)::float8 as visitors, (count(*) filter (where converted > 0))::float8 as "visitorsConverted",
      sum(clicks)::float8 as clicks, sum(converted)::float8 as converted,
      sum(leads)::float8 as leads, sum(events)::float8 as events
    from of_visitors
    group by 1, 2, 3, 4, 5, date_bin('1 day', first, 'epoch')`;
}

export interface TotalsQuery {
  /** Each with the instant from which on it is asked for, Unix milliseconds. */
  links: readonly { linkId: string; since: number }[];
  to: number;
  /** More of a kind and link are not counted. */
  most: number;
}

/** Reads the installs and custom events of each link. */
export async function readInsightTotals(sql: Sql, orgId: OrgId, query: TotalsQuery): Promise<Map<string, LinkTotals>> {
  const { links, to, most } = query;
  const sinces = `{${links.map(({ since }) => new Date(since).toISOString()).join(",")}}`;
  const within = (table: "opens" | "events") => sql`
    ${sql(table)} where org_id = ${orgId} and link_id = asked.id
      and occurred_at >= asked.since and occurred_at < ${new Date(to)}`;
  const rows = await sql<({ linkId: string } & LinkTotals)[]>`
    select asked.id as "linkId",
      (select count(*) from (select 1 from ${within("opens")} and source = 'deferred' and not is_bot limit ${most}) as o)::float8 as installs,
      (select count(*) from (select 1 from ${within("events")} limit ${most}) as e)::float8 as events
    from unnest(${idsOf(links.map(({ linkId }) => linkId))}::text::uuid[], ${sinces}::text::timestamptz[]) as asked (id, since)`;
  return new Map(rows.map(({ linkId, ...totals }) => [linkId, totals]));
}
