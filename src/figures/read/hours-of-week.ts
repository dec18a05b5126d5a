/** Clicks by hour of the week, from the figures by hour and the range's ends. */
import { HOURS_OF_WEEK } from "@/contract/analytics/dimensions";
import type { OrgId } from "@/core/ids";
import { HOUR_MS, type Span } from "@/core/time/time-range";
import { ByRows, splitByAge } from "./by-rows";
import type { FiguresRow } from "./packed";
import type { PartialHourFigures } from "./partial-hours";
import { type FiguresScope, type Reader, type Source, scopeFragments, unionAll } from "./scope";

/** The first hour of 1970 was a Thursday's. */
const FIRST_HOUR = 3 * 24;

/** Returns the hour of the week of an instant in Unix milliseconds. */
export const hourOfWeek = (at: number): number => (Math.floor(at / HOUR_MS) + FIRST_HOUR) % HOURS_OF_WEEK;

/** Does the same in SQL, for a column. */
export const hourOfWeekInSql = (column: "hour" | "occurred_at"): string =>
  `((floor(extract(epoch from ${column}) / 3600)::int8 + ${FIRST_HOUR}) % ${HOURS_OF_WEEK})::int`;

export interface HourOfWeekRow {
  hourOfWeek: number;
  count: number;
}

const sumsOfPastDays = new ByRows<Float64Array>();

/**
 * In the order of the week; hours without any are absent. `rows` are those of the whole spans: what changes the hours of a
 * day changes its rows, so that past days are summed once and kept beside theirs.
 */
export async function readHoursOfWeek(
  sql: Reader,
  orgId: OrgId,
  scope: FiguresScope,
  rows: Promise<FiguresRow[]>,
  partialHours: Promise<PartialHourFigures>,
): Promise<HourOfWeekRow[]> {
  const { days, hours } = scope.whole;
  const ofDays = (await rows).filter(({ start }) => start >= days.from && start < days.to);
  const { standing, fresh } = splitByAge(ofDays);
  const newest = fresh[0]?.start ?? days.to;
  const past =
    sumsOfPastDays.find(standing) ??
    sumsOfPastDays.keep(standing, await sumHours(sql, orgId, scope, [{ from: days.from, to: newest }]));
  const others = await sumHours(sql, orgId, scope, [{ from: newest, to: days.to }, ...hours]);
  const { hoursOfWeek: inPartialHours } = await partialHours;
  return hoursOf(
    Array.from(past, (count, hour) => ({
      hourOfWeek: hour,
      count: count + (others[hour] ?? 0) + (inPartialHours[hour] ?? 0),
    })),
  );
}

async function sumHours(sql: Reader, orgId: OrgId, scope: FiguresScope, spans: readonly Span[]): Promise<Float64Array> {
  const sums = new Float64Array(HOURS_OF_WEEK);
  const parts = spans.filter(({ from, to }) => from < to);
  if (parts.length === 0) return sums;
  const { figuresIn } = scopeFragments(sql, orgId, scope);
  const rows = await sql<HourOfWeekRow[]>`
    select "hourOfWeek", sum(clicks)::float8 as count
    from (
      select 0 as "hourOfWeek", 0 as clicks where false
      ${unionAll(
        sql,
        parts,
        (span) => sql`
          select ${sql.unsafe(hourOfWeekInSql("hour"))}, clicks from figures_hourly
          where ${figuresIn({ ...HOURLY, span })}`,
      )}
    ) as figures group by 1`;
  for (const { hourOfWeek: hour, count } of rows) sums[hour] = count;
  return sums;
}

export const hoursOf = (rows: readonly HourOfWeekRow[]): HourOfWeekRow[] =>
  rows.filter(({ count }) => count > 0).sort((a, b) => a.hourOfWeek - b.hourOfWeek);

const HOURLY: Omit<Source, "span"> = { figures: "figures_hourly", events: "event_rollups_hourly", start: "hour" };
