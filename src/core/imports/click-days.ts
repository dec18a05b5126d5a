/** The clicks of each day that a source tells of a link. */
import { parseInstant } from "../time/instant";
import { DAY_MS } from "../time/time-range";
import type { ClicksByDay, DroppedField } from "./old-link";
import type { SourceRecord } from "./record";

const FIELD = "clicksByDay";
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns at most `clicks` clicks, of the newest days: the log of a service keeps those of a link that had the same
 * address before, and those from before a counter was reset. Days that have not begun are left out.
 */
export function clicksByDayOf(
  record: SourceRecord,
  clicks: number | undefined,
  now: number,
  dropped: DroppedField[],
): ClicksByDay | undefined {
  const told = Object.entries(record.under(FIELD)?.values ?? {}).filter(isClicksOfDay);
  const days = told.filter(([day]) => Date.parse(day) <= now).sort(([one], [other]) => (one < other ? 1 : -1));
  if (days.length === 0 || clicks === undefined) return undefined;
  let left = clicks;
  const kept = days.flatMap(([day, count]) => {
    const fitting = Math.min(left, count);
    left -= fitting;
    return fitting > 0 ? [[day, fitting] as const] : [];
  });
  const count = days.reduce((sum, [, each]) => sum + each, 0);
  if (count > clicks)
    dropped.push({ field: FIELD, why: `the log has ${count} clicks, but the link ${clicks}: the oldest are left out` });
  return kept.length > 0 ? Object.fromEntries(kept.reverse()) : undefined;
}

const isClicksOfDay = (entry: [string, unknown]): entry is [string, number] =>
  DAY.test(entry[0]) && parseInstant(entry[0]) !== undefined && Number.isSafeInteger(entry[1]) && Number(entry[1]) > 0;

const DIGITS = 10;

/** Returns the day of a time such as `2019-04-02 11:21:00`, as the number of days since 1970. */
export function dayNumber(time: string): number | undefined {
  const day = time.slice(0, DIGITS);
  const instant = DAY.test(day) ? parseInstant(day) : undefined;
  return instant === undefined ? undefined : instant / DAY_MS;
}

export const dayNamed = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, DIGITS);
