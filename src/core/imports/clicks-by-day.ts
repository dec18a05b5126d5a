/** The clicks of an old link by day, as far as they can be counted. */
import { parseInstant } from "../time/instant";
import type { ClicksByDay } from "./old-link";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export interface FittedDays {
  /** In the order of days; undefined if none is left. */
  byDay: ClicksByDay | undefined;
  /** Whether something was left out that is not a day up to now, or not a number of clicks. */
  hasOdd: boolean;
}

/** Returns the days of a record. What is no number is reported by `fitDays`. */
export const daysIn = (values: Readonly<Record<string, unknown>>): ClicksByDay =>
  Object.fromEntries(
    Object.entries(values).map(([day, count]) => [day, typeof count === "number" ? count : Number.NaN]),
  );

/**
 * Leaves out what cannot be counted, and what exceeds all clicks of the link, the latest first: some may have come in
 * after these were counted. `now` is in Unix milliseconds.
 */
export function fitDays(byDay: ClicksByDay, clicks: number, now: number): FittedDays {
  const given = Object.entries(byDay);
  const sound = given.filter(([day, count]) => isPastDay(day, now) && Number.isSafeInteger(count) && count >= 0);
  const fitted: Record<string, number> = {};
  let left = clicks;
  for (const [day, count] of sound.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const counted = Math.min(count, left);
    if (counted > 0) fitted[day] = counted;
    left -= counted;
  }
  return { byDay: left < clicks ? fitted : undefined, hasOdd: sound.length < given.length };
}

function isPastDay(text: string, now: number): boolean {
  const at = DAY.test(text) ? parseInstant(text) : undefined;
  return at !== undefined && at <= now;
}
