/**
 * Reads the figures of custom events: number and value, in total, by bucket and by name. Also reads those of leads,
 * which are stored among them under names of their own, one for people's and one for bots'.
 */
import type { OrgId } from "@/core/ids";
import { COUNTED } from "@/platform/db/figure-constants";
import { BOT_LEADS_NAME, LEADS_NAME } from "@/platform/db/schema/events";
import { type FiguresScope, type Reader, scopeFragments, sourcesOf, unionAll } from "./scope";

const NAMES_MAX = 10;

export interface EventFigures {
  count: number;
  value: number;
  leads: number;
  /** By the bucket's start in Unix milliseconds; buckets without events or leads are absent. */
  byBucket: Map<number, { count: number; value: number; leads: number }>;
  /** The `NAMES_MAX` most frequent names first, ties in the order of the names. */
  byName: { name: string; count: number; value: number }[];
}

interface EventRow {
  /** `at` is set only in the row of a bucket, `name` only in the row of a name. */
  at: number | null;
  name: string | null;
  count: number;
  value: number;
  leads: number;
}

export async function readEvents(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<EventFigures> {
  const { eventsIn, partialHourEvents, bucketOf, ofHumansByKey } = scopeFragments(sql, orgId, scope);
  const ofThese = scope.includeBots ? sql`` : sql`and name <> ${BOT_LEADS_NAME}`;
  const rows = await sql<EventRow[]>`
    with counted as (
      select null::timestamptz as bucket, '' as name, 0::bigint as count, 0::numeric as value where false
      ${unionAll(
        sql,
        sourcesOf(scope.buckets),
        (source) => sql`
          select ${bucketOf(source.start)}, name, count, value from ${sql(source.events)}
          where ${eventsIn(source)} ${ofThese}`,
      )}
      ${unionAll(
        sql,
        partialHourEvents,
        (partialHour) =>
          sql`select ${bucketOf("occurred_at")}, name, 1, coalesce(value, 0) from events where ${partialHour}`,
      )}
      ${unionAll(
        sql,
        partialHourEvents,
        (partialHour) => sql`
          select ${bucketOf("occurred_at")}, ${LEADS_NAME}, 1, 0
          from (
            select org_id, link_id, created_at as occurred_at from leads where ${sql.unsafe(COUNTED)} ${ofHumansByKey}
          ) as leads where ${partialHour}`,
      )}
    ), summed as (
      select bucket, name, sum(count) filter (where not is_lead) as count, sum(value) filter (where not is_lead) as value,
        sum(count) filter (where is_lead) as leads,
        row_number() over (
          partition by grouping(name), bool_and(is_lead) order by sum(count) desc, name collate "C"
        ) as place
      from (select *, name in (${LEADS_NAME}, ${BOT_LEADS_NAME}) as is_lead from counted) as counted
      group by grouping sets ((), (bucket), (name))
    )
    select extract(epoch from bucket)::float8 * 1000 as at, name, coalesce(count, 0)::float8 as count,
      coalesce(value, 0)::float8 as value, coalesce(leads, 0)::float8 as leads
    from summed where name is null or (name not in (${LEADS_NAME}, ${BOT_LEADS_NAME}) and place <= ${NAMES_MAX}) order by place`;
  const whole = rows.find(({ at, name }) => at === null && name === null);
  return {
    count: whole?.count ?? 0,
    value: whole?.value ?? 0,
    leads: whole?.leads ?? 0,
    byBucket: new Map(
      rows.flatMap(({ at, count, value, leads }) => (at === null ? [] : [[at, { count, value, leads }]])),
    ),
    byName: rows.flatMap(({ name, count, value }) => (name === null ? [] : [{ name, count, value }])),
  };
}
