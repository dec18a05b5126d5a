/** The clicks of an old link by day, as far as they can be counted. */
import { parseInstant } from "../time/instant";
import { DAY_MS } from "../time/time-range";
import type { ClicksByDay } from "./old-link";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_LENGTH = "2026-01-31".length;

/** Which clicks to leave out, if the days have more than the link. */
type LeftOut = "latest" | "oldest";

export interface FittedDays {
  /** In the order of days; undefined if none is left. */
  byDay: ClicksByDay | undefined;
  /** Whether something was left out that is not a day up to now, or not a number of clicks. */
  hasOdd: boolean;
  /** All clicks of the days, those left out because the link has fewer included. */
  told: number;
}

/** Returns the days of a record. What is no number is reported by `fitDays`. */
export const daysIn = (values: Readonly<Record<string, unknown>>): ClicksByDay =>
  Object.fromEntries(
    Object.entries(values).map(([day, count]) => [day, typeof count === "number" ? count : Number.NaN]),
  );

/** Adds up the days of two counts. */
export function summedDays(one: ClicksByDay, other: ClicksByDay): ClicksByDay {
  const sums: Record<string, number> = { ...one };
  for (const [day, count] of Object.entries(other)) sums[day] = (sums[day] ?? 0) + count;
  return sums;
}

/**
 * Leaves out what cannot be counted, and what exceeds all clicks of the link. Usually that is the latest: some may have
 * come in after all were counted. `now` is in Unix milliseconds.
 */
export function fitDays(byDay: ClicksByDay, clicks: number, now: number, leftOut: LeftOut = "latest"): FittedDays {
  const given = Object.entries(byDay);
  const sound = given.filter(([day, count]) => isPastDay(day, now) && Number.isSafeInteger(count) && count >= 0);
  const inOrder = sound.toSorted(([one], [other]) => (one < other ? -1 : 1));
  let left = clicks;
  const fitted = (leftOut === "latest" ? inOrder : inOrder.toReversed()).flatMap(([day, count]) => {
    const counted = Math.min(count, left);
    left -= counted;
    return counted > 0 ? [[day, counted] as const] : [];
  });
  const told = sound.reduce((sum, [, count]) => sum + count, 0);
  const hasOdd = sound.length < given.length;
  if (fitted.length === 0) return { byDay: undefined, hasOdd, told };
  return { byDay: Object.fromEntries(leftOut === "latest" ? fitted : fitted.reverse()), hasOdd, told };
}

function isPastDay(text: string, now: number): boolean {
  const at = instantOf(text);
  return at !== undefined && at <= now;
}

/** Returns the day of a time such as `2019-04-02 11:21:00`, as the number of days since 1970. */
export function dayNumber(time: string): number | undefined {
  const instant = instantOf(time.slice(0, DAY_LENGTH));
  return instant === undefined ? undefined : instant / DAY_MS;
}

export const dayNamed = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, DAY_LENGTH);

const instantOf = (day: string): number | undefined => (DAY.test(day) ? (parseInstant(day) ?? undefined) : undefined);
