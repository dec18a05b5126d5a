/** Reads the days of several links: clicks, and each kind of conversion on the day it happened. */
import type { Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import type { LinkFigures } from "@/core/insights/campaign-insights";
import type { LinkDay } from "@/core/insights/measured";
import type { Span } from "@/core/time/time-range";
import type { AnalyticsService } from "@/modules/analytics/service";
import { BOT_LEADS_NAME, LEADS_NAME } from "@/platform/db/schema/events";
import { readClickSeries } from "./click-series";
import { idTable } from "./store";

interface Sources {
  sql: Sql;
  analytics: Pick<AnalyticsService, "dailyClicks" | "dailyInstalls">;
}

export interface LinkDaysQuery {
  links: readonly { link: LinkFigures["link"]; clicks: number }[];
  /** Covers whole days. */
  span: Span;
  includeBots: boolean;
  /** Whether any of the links may have installs. */
  hasInstalls: boolean;
}

/** Returns the figures in the order of the links; their days have no gaps. */
export async function readLinkDays(sources: Sources, orgId: OrgId, query: LinkDaysQuery): Promise<LinkFigures[]> {
  const { links, span, includeBots } = query;
  const ids = links.map(({ link }) => link._id);
  const [series, conversions, installs] = await Promise.all([
    readClickSeries(sources, orgId, { linkIds: ids, granularity: "day", span, includeBots }),
    readConversions(sources.sql, orgId, ids, { ...span, includeBots }),
    query.hasInstalls ? sources.analytics.dailyInstalls(orgId, { linkIds: ids, days: span, includeBots }) : NO_INSTALLS,
  ]);
  return links.map(({ link, clicks }, index) => ({
    ...{ link, clicks },
    days: (series[index] ?? []).map(({ at, count }): LinkDay => {
      const { leads = 0, events = 0 } = conversions.get(`${link._id} ${at}`) ?? {};
      return { at, clicks: count, leads, events, installs: installs.get(link._id)?.get(at) ?? 0 };
    }),
  }));
}

const NO_INSTALLS: ReadonlyMap<string, ReadonlyMap<number, number>> = new Map();

interface DayConversions {
  leads: number;
  events: number;
}

/**
 * Groups conversions by link and day. If any event name has a value, only events with such names count: a sale is a
 * conversion, a page view is not. Figures store sums of values, which refunds cancel. So negative values are taken out
 * again, for as long as the events are kept: what remains is above 0 if any value was.
 */
async function readConversions(
  sql: Sql,
  orgId: OrgId,
  linkIds: readonly string[],
  { from, to, includeBots }: Span & Pick<LinkDaysQuery, "includeBots">,
) {
  const ofThese = includeBots ? sql`` : sql`and name <> ${BOT_LEADS_NAME}`;
  const isLead = sql`name in (${LEADS_NAME}, ${BOT_LEADS_NAME})`;
  const rows = await sql<({ linkId: string; at: number } & DayConversions)[]>`
    with named as materialized (
      select asked.id as link_id, events.*
      from ${idTable(sql, linkIds)} cross join lateral (
        select day, name, sum(count) as count, sum(value) as value from event_rollups_daily
        where org_id = ${orgId} and link_id = asked.id and day >= ${new Date(from)} and day < ${new Date(to)} ${ofThese}
        group by 1, 2
      ) as events
    ), refunded as (
      select name, sum(value) as value from events
      where org_id = ${orgId} and link_id in (select id from ${idTable(sql, linkIds)})
        and occurred_at >= ${new Date(from)} and occurred_at < ${new Date(to)} and value < 0
      group by 1
    ), worth as materialized (
      select name from named left join refunded using (name) where not ${isLead}
      group by 1 having sum(named.value) > coalesce(min(refunded.value), 0)
    )
    select link_id as "linkId", extract(epoch from day)::float8 * 1000 as at,
      coalesce(sum(count) filter (where ${isLead}), 0)::float8 as leads,
      coalesce(sum(count) filter (where not ${isLead} and (worth.name is not null or not exists (select 1 from worth))), 0)::float8 as events
    from named left join worth using (name)
    group by 1, 2`;
  return new Map(rows.map(({ linkId, at, leads, events }) => [`${linkId} ${at}`, { leads, events }]));
}
