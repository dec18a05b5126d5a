/** Reads what the organization counts as conversions, by day and in total. */
import { eq } from "drizzle-orm";
import type { Sql } from "postgres";
import { conversionKinds } from "@/core/conversions";
import type { OrgId } from "@/core/ids";
import type { DayFigures } from "@/core/insights/prediction";
import type { Span } from "@/core/time/time-range";
import { type FiguresScope, partsOf, scopeFragments, sourcesOf, unionAll } from "@/figures/read/scope";
import { organizations } from "@/platform/db/schema";
import { BOT_LEADS_NAME, LEADS_NAME } from "@/platform/db/schema/events";
import type { Db } from "@/platform/db/tx";
import { type InsightWorkspace, totalsOf, wholeDays } from "./workspace";

export async function countedConversions({ sql, db }: { sql: Sql; db: Db }, workspace: InsightWorkspace) {
  const { orgId, range, now, isOfLink, links, overview } = workspace;
  const linkId = isOfLink ? links[0]?.link._id : undefined;
  const scope = { linkId, includeBots: false, ...partsOf(range, now) };
  const [kinds, valued] = await Promise.all([readKinds(db, orgId), readValuedEvents(sql, orgId, scope, range)]);
  const counts = (kind: (typeof kinds)[number]) => kinds.includes(kind);
  const ofEvents = (events: number, ofValue: number) => {
    if (counts("events")) return events;
    return counts("valued_events") ? Math.min(events, ofValue) : 0;
  };
  const totals = totalsOf(overview);
  const allValued = [...valued.values()].reduce((sum, count) => sum + count, 0);
  return {
    kinds,
    totals: {
      clicks: totals.clicks,
      installs: counts("installs") ? totals.installs : 0,
      leads: counts("leads") ? totals.leads : 0,
      events: ofEvents(totals.events, allValued),
    },
    days: wholeDays(workspace).map(
      ({ at, clicks, installs, leads, events }): DayFigures => ({
        at,
        clicks,
        conversions:
          (counts("installs") ? installs : 0) + (counts("leads") ? leads : 0) + ofEvents(events, valued.get(at) ?? 0),
      }),
    ),
  };
}

async function readKinds(db: Db, orgId: OrgId) {
  const { id, settings } = organizations;
  const [row] = await db.select({ settings }).from(organizations).where(eq(id, orgId));
  return conversionKinds(row?.settings.conversions);
}

/**
 * Returns the events of the range by day, counting only names that have a positive value on that day: a purchase is a
 * conversion, and so is one that is refunded later, but a refund under a name of its own is not. Figures store sums of
 * values, which refunds cancel. So negative values are taken out again, for as long as the events are kept: what
 * remains is above 0 if any value was.
 */
async function readValuedEvents(sql: Sql, orgId: OrgId, scope: FiguresScope, { from, to }: Span) {
  const { eventsIn, partialHourEvents } = scopeFragments(sql, orgId, scope);
  const dayOf = (column: "day" | "hour" | "occurred_at") => sql`date_bin('1 day', ${sql(column)}, 'epoch')`;
  const days = await sql<{ at: number; count: number }[]>`
    with named as (
      select day, name, sum(count) as count, sum(value) as value from (
        select null::timestamptz as day, '' as name, 0::bigint as count, 0::numeric as value where false
        ${unionAll(
          sql,
          sourcesOf(scope.whole),
          (source) => sql`
          select ${dayOf(source.start)}, name, count, value from ${sql(source.events)} where ${eventsIn(source)}`,
        )}
        ${unionAll(
          sql,
          partialHourEvents,
          (rows) => sql`
          select ${dayOf("occurred_at")}, name, 1, coalesce(value, 0) from events where ${rows}`,
        )}
      ) as counted where name not in (${LEADS_NAME}, ${BOT_LEADS_NAME}) group by 1, 2
    ), refunded as (
      select ${dayOf("occurred_at")} as day, name, sum(value) as value from events
      where org_id = ${orgId} ${scope.linkId === undefined ? sql`` : sql`and link_id = ${scope.linkId}`}
        and occurred_at >= ${new Date(from)} and occurred_at < ${new Date(to)} and value < 0
      group by 1, 2
    )
    select extract(epoch from day)::float8 * 1000 as at, sum(count)::float8 as count
    from named left join refunded using (day, name)
    where named.value > coalesce(refunded.value, 0) group by 1`;
  return new Map(days.map(({ at, count }) => [at, count]));
}
