/** Reads what the organization counts as conversions, by day and in total. */
import { eq } from "drizzle-orm";
import type { Sql } from "postgres";
import { conversionKinds } from "@/core/conversions";
import type { OrgId } from "@/core/ids";
import type { DayFigures } from "@/core/insights/prediction";
import { DAY_MS, type Span } from "@/core/time/time-range";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { organizations } from "@/platform/db/schema";
import { LEADS_NAME } from "@/platform/db/schema/events";
import type { Db } from "@/platform/db/tx";
import { type InsightWorkspace, totalsOf, wholeDays } from "./workspace";

/**
 * Events with a value are counted over whole UTC days, also at the ends of the range, but never exceed the range's
 * events.
 */
export async function countedConversions({ sql, db }: { sql: Sql; db: Db }, workspace: InsightWorkspace) {
  const { orgId, range, isOfLink, links, overview } = workspace;
  const linkId = isOfLink ? (links[0]?.link._id ?? null) : null;
  const days = { from: range.from - (range.from % DAY_MS), to: range.to };
  const [kinds, valued] = await Promise.all([readKinds(db, orgId), readValuedEvents(sql, orgId, linkId, days)]);
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

/** Returns the events by day, counting only names that have a value on that day. */
async function readValuedEvents(sql: Sql, orgId: OrgId, linkId: string | null, { from, to }: Span) {
  const rows = await sql<{ at: number; count: number }[]>`
    with named as (
      select day, name, sum(count) as count, sum(value) as value from event_rollups_daily
      where org_id = ${orgId} and link_id = ${linkId ?? WHOLE_ORGANIZATION} and name <> ${LEADS_NAME}
        and day >= ${new Date(from)} and day < ${new Date(to)}
      group by 1, 2
    )
    select extract(epoch from day)::float8 * 1000 as at, sum(count)::float8 as count from named
    where value <> 0 group by 1`;
  return new Map(rows.map(({ at, count }) => [at, count]));
}
