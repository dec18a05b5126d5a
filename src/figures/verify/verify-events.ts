/**
 * Compares the figures of custom events on one day of an organization with the events themselves, and those of leads,
 * which are stored among them under blank names, with the leads: by hour and by day, for links and for the whole
 * organization. Postgres sums both sides in one statement. During a repair, nothing may be counted: it holds every
 * lane of the organization, so that requests wait for it.
 */
import type { TransactionSql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";
import { COUNTED, WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { takeAllLanes } from "@/platform/db/lanes";
import { BOT_LEADS_NAME, LEADS_NAME } from "@/platform/db/schema/events";
import type { FigureLevel } from "../write/figure-rows";
import { statementsOf } from "./standstill";
import type { UnitDifference } from "./unit-figures";

export interface EventDifference extends UnitDifference {
  unit: FigureLevel["unit"];
  /** The start of the hour or day in Unix milliseconds. */
  start: number;
}

interface Compared {
  start: number;
  linkId: string;
  name: string;
  count: number;
  shouldCount: number;
  value: number;
  shouldValue: number;
  /** The same as `shouldValue` with all its digits. */
  exactValue: string;
}

const UNITS = ["hour", "day"] as const;
/** The lane of the rows that a repair writes. Any lane will do, because the repair holds them all. */
const MENDED_LANE = 0;

export async function eventDifferences(tx: TransactionSql, orgId: string, day: number): Promise<EventDifference[]> {
  const found: EventDifference[] = [];
  for (const unit of UNITS) {
    const rows = await tx.unsafe<Compared[]>(comparison(unit), parametersOf(orgId, day));
    for (const row of rows) found.push(...differencesOf(unit, row));
  }
  return found;
}

/** Replaces what differs. Returns how many hours and days had differences. */
export async function mendEvents(tx: TransactionSql, orgId: string, day: number): Promise<number> {
  await takeAllLanes(statementsOf(tx), orgId);
  let mended = 0;
  for (const unit of UNITS) {
    const rows = await tx.unsafe<Compared[]>(comparison(unit), parametersOf(orgId, day));
    for (const row of rows) await replace(tx, unit, orgId, row);
    mended += new Set(rows.map(({ start }) => start)).size;
  }
  return mended;
}

const parametersOf = (orgId: string, day: number) => [
  orgId,
  new Date(day).toISOString(),
  new Date(day + DAY_MS).toISOString(),
];

/** Selects only rows that differ. `$1` is the organization; `$2` and `$3` are the start and end of the day. */
const comparison = (unit: FigureLevel["unit"]) => `
  with raw as (
    select date_bin('1 ${unit}', occurred_at, 'epoch') as start, link_id, name, value from events
    where org_id = $1::text::uuid and occurred_at >= $2::text::timestamptz and occurred_at < $3::text::timestamptz
    union all select date_bin('1 ${unit}', created_at, 'epoch'), link_id,
      case when is_bot then '${BOT_LEADS_NAME}' else '${LEADS_NAME}' end, 0 from leads
    where org_id = $1::text::uuid and created_at >= $2::text::timestamptz and created_at < $3::text::timestamptz
      and ${COUNTED}
  ), should as (
    select start, link_id, name, count(*) as count, coalesce(sum(value), 0) as value from (
      select start, '${WHOLE_ORGANIZATION}'::uuid as link_id, name, value from raw
      union all select * from raw where link_id is not null
    ) as counted group by 1, 2, 3
  ), have as (
    select ${unit} as start, link_id, name, sum(count) as count, sum(value) as value
    from event_rollups_${unit === "day" ? "daily" : "hourly"}
    where org_id = $1::text::uuid and ${unit} >= $2::text::timestamptz and ${unit} < $3::text::timestamptz
    group by 1, 2, 3
  )
  select extract(epoch from start)::float8 * 1000 as start, link_id as "linkId", name,
    coalesce(have.count, 0)::float8 as count, coalesce(should.count, 0)::float8 as "shouldCount",
    coalesce(have.value, 0)::float8 as value, coalesce(should.value, 0)::float8 as "shouldValue",
    coalesce(should.value, 0)::text as "exactValue"
  from should full join have using (start, link_id, name)
  where (have.count, have.value) is distinct from (should.count, should.value)
    and (coalesce(have.count, 0), coalesce(have.value, 0)) <> (coalesce(should.count, 0), coalesce(should.value, 0))
  order by start, link_id, name`;

function differencesOf(unit: FigureLevel["unit"], row: Compared): EventDifference[] {
  const { start, linkId, name, count, shouldCount, value, shouldValue } = row;
  const isLeads = name === LEADS_NAME || name === BOT_LEADS_NAME;
  const about = { unit, start, linkId, dimension: isLeads ? "total" : "name", value: name };
  return [
    { ...about, metric: isLeads ? "leads" : "events", have: count, should: shouldCount },
    { ...about, metric: isLeads ? "lead_value" : "event_value", have: value, should: shouldValue },
  ].filter(({ have, should }) => have !== should);
}

async function replace(tx: TransactionSql, unit: FigureLevel["unit"], orgId: string, row: Compared): Promise<void> {
  const table = unit === "day" ? "event_rollups_daily" : "event_rollups_hourly";
  const { linkId, name, shouldCount: count, exactValue: value } = row;
  const start = new Date(row.start).toISOString();
  await tx`
    delete from ${tx(table)}
    where org_id = ${orgId} and link_id = ${linkId} and ${tx(unit)} = ${start} and name = ${name}`;
  if (count === 0) return;
  const mended = { org_id: orgId, link_id: linkId, [unit]: start, name, lane: MENDED_LANE, count, value };
  await tx`insert into ${tx(table)} ${tx(mended)}`;
}
