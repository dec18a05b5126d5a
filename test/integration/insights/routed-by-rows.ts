/** The expected result of `RoutedSamples`, read by one statement over the raw rows without any cache. */
import type { Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import type { RoutedRow } from "@/modules/insights/routed/first-days";
import type { DestinationQuery } from "@/modules/insights/routed/routed-samples";
import { arrayLiteral } from "@/platform/db/array-literals";
import { COUNTED } from "@/platform/db/figure-constants";

export function routedByRows(sql: Sql, orgId: OrgId, query: DestinationQuery): Promise<RoutedRow[]> {
  const { links, span, includeBots, conversionsAClick } = query;
  const ids = arrayLiteral(links.map(({ linkId }) => linkId));
  const most = arrayLiteral(links.map(({ clicksMax }) => clicksMax));
  return sql<RoutedRow[]>`
    with sample as (
      select newest.*, most from unnest(${ids}::text::uuid[], ${most}::text::int[]) as asked (id, most) cross join lateral (
        select * from clicks
        where org_id = ${orgId} and link_id = asked.id
          and occurred_at >= ${new Date(span.from)} and occurred_at < ${new Date(span.to)}
          and ${sql.unsafe(COUNTED)} ${includeBots ? sql`` : sql`and not is_bot`}
        order by occurred_at desc, id desc limit asked.most
      ) as newest
    ), begun as (
      select link_id, min(occurred_at) as at, ${conversionsAClick}::int * max(most) as most from sample group by 1
    ), of_leads as (
      select newest.link_id, click_id, count(*)::int as count from begun cross join lateral (
        select link_id, click_id from leads
        where org_id = ${orgId} and link_id = begun.link_id and created_at >= begun.at
        order by created_at desc limit begun.most
      ) as newest group by 1, 2
    ), of_events as (
      select newest.link_id, visitor_id, count(*)::int as count from begun cross join lateral (
        select link_id, lower(visitor_id) as visitor_id from events
        where org_id = ${orgId} and link_id = begun.link_id and occurred_at >= begun.at
        order by occurred_at desc limit begun.most
      ) as newest group by 1, 2
    ), of_visitors as (
      select sample.link_id, route_kind, rule_index, split_key, destination_url, visitor, min(occurred_at) as first,
        count(*) as clicks, count(*) filter (where of_leads.count > 0 or of_events.count > 0) as converted,
        coalesce(sum(of_leads.count), 0) as leads, coalesce(sum(of_events.count), 0) as events,
        min(min(occurred_at)) filter (where route_kind = 'split')
          over (partition by sample.link_id, visitor) as first_of_split
      from sample
        left join of_leads on of_leads.link_id = sample.link_id and of_leads.click_id = sample.id
        left join of_events on of_events.link_id = sample.link_id and of_events.visitor_id = sample.id::text
      group by 1, 2, 3, 4, 5, 6
    )
    select link_id as "linkId", route_kind as "routeKind", rule_index as "ruleIndex", split_key as "splitKey",
      destination_url as "destinationUrl",
      extract(epoch from date_bin('1 day', first, 'epoch'))::float8 * 1000 as day,
      extract(epoch from min(first))::float8 * 1000 as since,
      (count(*) filter (where route_kind <> 'split' or first = first_of_split))::float8 as visitors,
      (count(*) filter (where converted > 0 and (route_kind <> 'split' or first = first_of_split)))::float8
        as "visitorsConverted",
      sum(clicks)::float8 as clicks, sum(converted)::float8 as converted,
      sum(leads)::float8 as leads, sum(events)::float8 as events
    from of_visitors
    group by 1, 2, 3, 4, 5, date_bin('1 day', first, 'epoch')`;
}
