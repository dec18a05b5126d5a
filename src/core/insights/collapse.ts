/**
 * Finds links that have lost their visitors. The visits of the last three whole days are compared with the medians of
 * the same weekdays before. A collapse is reported if at least 20 visits were expected, at most a fifth of them came,
 * and chance alone would need a difference of 4 deviations (Anscombe's transform, 1948: 2√(x + 3/8) has a deviation
 * of 1 at any level).
 *
 * Those who were turned away while the link was out of use, for example unsafe or used up, have not been lost: they
 * count as visits. Where people took the link out of use, for example paused it, fewer visits are expected, and such
 * days do not show what is usual.
 */
import { number, plural } from "../plural";
import { DAY_MS } from "../time/time-range";
import type { BrokenQuestion, Check, DayCount, ExaminedLink } from "./broken/fault";
import { nounOf } from "./described-link";
import { type LinkStop, shareInUse } from "./link-stops";
import { median } from "./statistics/robust";
import { nameOf } from "./words";

const RECENT_DAYS = 3;
const EXPECTED_MIN = 20;
const SHARE = 0.2;
const DEVIATIONS = 4;
const WEEKDAYS_MIN = 3;

/**
 * True if a link may have lost its visitors, judged by its clicks alone: `collapse` reports no others. When it was out
 * of use has to be known only of these.
 */
export function mayHaveCollapsed({ days }: Pick<ExaminedLink, "days">, { to }: Pick<BrokenQuestion, "to">): boolean {
  const { recent, before } = divided(days, to);
  const most = RECENT_DAYS * Math.max(0, ...before.map(({ count }) => count));
  return most >= EXPECTED_MIN && total(recent) <= SHARE * most;
}

export const collapse: Check = ({ link, days, stops = [], turnedAway = NOBODY }, { to }) => {
  const visits = days.map(({ at, count }) => ({ at, count: count + (turnedAway.get(at) ?? 0) }));
  const { recent, before } = divided(visits, to);
  const count = total(recent);
  const inUse = recent.map(({ at }) => shareOf(stops, at));
  const usual = before.filter(({ at }) => shareOf(stops, at) === 1 || turnedAway.has(at));
  const expected = recent.reduce((sum, { at }, index) => sum + usualOn(usual, at) * (inUse[index] ?? 1), 0);
  const hoursStopped = Math.round(inUse.reduce((sum, share) => sum + 24 * (1 - share), 0));
  const noun = recent.some(({ at }) => turnedAway.has(at)) ? "visit" : "click";
  const deviations = anscombe(expected) - anscombe(count);
  if (!(expected >= EXPECTED_MIN) || count > SHARE * expected || deviations < DEVIATIONS) return [];
  return [
    {
      type: "traffic_collapse",
      severity: count === 0 || expected >= 10 * EXPECTED_MIN ? "high" : "medium",
      lostADay: (expected - count) / RECENT_DAYS,
      title: `${nameOf(link)} has lost its visitors`,
      summary: `It had ${plural(count, noun)} in its last ${RECENT_DAYS} whole days instead of about ${number(expected)}.`,
      recommendation:
        `Open the ${nounOf(link)} yourself, then check that it is still where people found it: the mail, the post or the ` +
        "ad.",
      evidence: [
        `Since ${new Date(recent[0]?.at ?? 0).toISOString().slice(0, 10)}: ${recent.map((each) => number(each.count)).join(", ")} ${noun}s a day` +
          (noun === "visit" ? ", with those that it turned away while it was out of use" : ""),
        `About ${number(expected)} expected: the medians of the same weekdays in the ${plural(usual.length, "day")} ` +
          `before${usual.length < before.length ? " in which it was in use" : ""}` +
          (hoursStopped > 0 ? `, less those of ${plural(hoursStopped, "hour")} in which it was out of use` : ""),
        `${number(deviations)} deviations below that by Anscombe's transform, reported from ${DEVIATIONS}`,
      ],
    },
  ];
};

const NOBODY: ReadonlyMap<number, number> = new Map();

/** Divides the whole days since the first visit into the last ones and those before. */
function divided(all: readonly DayCount[], to: number) {
  const days = all.filter(({ at }) => at + DAY_MS <= to);
  const begun = days.slice(
    Math.max(
      0,
      days.findIndex(({ count }) => count > 0),
    ),
  );
  return { recent: begun.slice(-RECENT_DAYS), before: begun.slice(0, -RECENT_DAYS) };
}

const total = (days: readonly DayCount[]): number => days.reduce((sum, { count }) => sum + count, 0);

const shareOf = (stops: readonly LinkStop[], at: number): number => shareInUse(stops, { from: at, to: at + DAY_MS });

const anscombe = (count: number): number => 2 * Math.sqrt(count + 3 / 8);

/** Returns NaN if there are too few days of the same weekday. */
function usualOn(days: readonly DayCount[], at: number): number {
  const same = days.filter((other) => (at - other.at) % (7 * DAY_MS) === 0).map(({ count }) => count);
  return same.length < WEEKDAYS_MIN ? Number.NaN : median(same);
}
