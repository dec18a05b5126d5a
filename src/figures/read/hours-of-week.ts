/** Reads clicks by hour of the week, from hourly figures and the partial hours at the ends of the range. */
import { HOURS_OF_WEEK } from "@/contract/analytics/dimensions";
import type { OrgId } from "@/core/ids";
import { HOUR_MS, type Span } from "@/core/time/time-range";
import { ByRows, splitByAge } from "./by-rows";
import type { FiguresRow } from "./packed";
import type { PartialHourFigures } from "./partial-hours";
import { type FiguresScope, type Reader, type Source, scopeFragments } from "./scope";

/** The first hour of 1970 was on a Thursday; a week begins on Monday. */
const FIRST_HOUR = 3 * 24;

/** Returns the hour of the week of an instant in Unix milliseconds. */
export const hourOfWeek = (at: number): number => (Math.floor(at / HOUR_MS) + FIRST_HOUR) % HOURS_OF_WEEK;

/** Returns the same in SQL, for a column. */
export const hourOfWeekInSql = (column: "hour" | "occurred_at"): string =>
  `((floor(extract(epoch from ${column}) / 3600)::int8 + ${FIRST_HOUR}) % ${HOURS_OF_WEEK})::int`;

export interface HourOfWeekRow {
  hourOfWeek: number;
  count: number;
}

const sumsOfDays = new ByRows<Float64Array>();

/**
 * Returns counts in the order of the week; hours without clicks are absent. `rows` are those of the whole spans. What
 * changes the hours of a day also renews the day's rows, so the sums of days are cached with their rows, separately
 * for the newest day and for those before it.
 */
export async function readHoursOfWeek(
  sql: Reader,
  orgId: OrgId,
  scope: FiguresScope,
  rows: Promise<FiguresRow[]>,
  partialHours: Promise<PartialHourFigures>,
): Promise<HourOfWeekRow[]> {
  const { days } = scope.whole;
  const all = await rows;
  const isOfDay = ({ start }: FiguresRow) => start >= days.from && start < days.to;
  const { standing, fresh } = splitByAge(all.filter(isOfDay));
  const newest = fresh[0]?.start ?? days.to;
  const sumDays = async (some: readonly FiguresRow[], span: Span) =>
    sumsOfDays.find(some) ?? sumsOfDays.keep(some, await sumHours(sql, orgId, scope, span));
  const [past, last, { hoursOfWeek: inPartialHours }] = await Promise.all([
    sumDays(standing, { from: days.from, to: newest }),
    sumDays(fresh, { from: newest, to: days.to }),
    partialHours,
  ]);
  const sums = inPartialHours.map((count, hour) => count + (past[hour] ?? 0) + (last[hour] ?? 0));
  for (const row of all)
    if (!isOfDay(row)) sums[hourOfWeek(row.start)] = (sums[hourOfWeek(row.start)] ?? 0) + row.clicks;
  return hoursOf(Array.from(sums, (count, hour) => ({ hourOfWeek: hour, count })));
}

/** Sums the hourly figures of whole days. */
async function sumHours(sql: Reader, orgId: OrgId, scope: FiguresScope, span: Span): Promise<Float64Array> {
  const sums = new Float64Array(HOURS_OF_WEEK);
  if (span.from >= span.to) return sums;
  const { figuresIn } = scopeFragments(sql, orgId, scope);
  const rows = await sql<HourOfWeekRow[]>`
    select ${sql.unsafe(hourOfWeekInSql("hour"))} as "hourOfWeek", sum(clicks)::float8 as count
    from figures_hourly where ${figuresIn({ ...HOURLY, span })} group by 1`;
  for (const { hourOfWeek: hour, count } of rows) sums[hour] = count;
  return sums;
}

export const hoursOf = (rows: readonly HourOfWeekRow[]): HourOfWeekRow[] =>
  rows.filter(({ count }) => count > 0).sort((a, b) => a.hourOfWeek - b.hourOfWeek);

const HOURLY: Omit<Source, "span"> = { figures: "figures_hourly", events: "event_rollups_hourly", start: "hour" };
