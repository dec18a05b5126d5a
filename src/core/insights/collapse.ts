/**
 * Finds links that have lost their visitors. The clicks of the last three whole days are compared with the medians of
 * the same weekdays before. A collapse is reported if at least 20 clicks were expected, at most a fifth of them came,
 * and chance alone would need a difference of 4 deviations (Anscombe's transform, 1948: 2√(x + 3/8) has a deviation
 * of 1 at any level). Where people took the link out of use, for example paused it, fewer clicks are expected.
 */
import { number, plural } from "../plural";
import { DAY_MS } from "../time/time-range";
import type { Check, DayCount } from "./broken/fault";
import { nounOf } from "./described-link";
import { shareInUse } from "./link-stops";
import { median } from "./statistics/robust";
import { nameOf } from "./words";

const RECENT_DAYS = 3;
const EXPECTED_MIN = 20;
const SHARE = 0.2;
const DEVIATIONS = 4;
const WEEKDAYS_MIN = 3;

export const collapse: Check = ({ link, days: all, stops = [] }, { to }) => {
  const days = all.filter(({ at }) => at + DAY_MS <= to);
  const begun = days.slice(
    Math.max(
      0,
      days.findIndex(({ count }) => count > 0),
    ),
  );
  const recent = begun.slice(-RECENT_DAYS);
  const before = begun.slice(0, -RECENT_DAYS);
  const count = recent.reduce((sum, each) => sum + each.count, 0);
  const inUse = recent.map(({ at }) => shareInUse(stops, { from: at, to: at + DAY_MS }));
  const expected = recent.reduce((sum, { at }, index) => sum + usualOn(before, at) * (inUse[index] ?? 1), 0);
  const hoursStopped = Math.round(inUse.reduce((sum, share) => sum + 24 * (1 - share), 0));
  const deviations = anscombe(expected) - anscombe(count);
  if (!(expected >= EXPECTED_MIN) || count > SHARE * expected || deviations < DEVIATIONS) return [];
  return [
    {
      type: "traffic_collapse",
      severity: count === 0 || expected >= 10 * EXPECTED_MIN ? "high" : "medium",
      lostADay: (expected - count) / RECENT_DAYS,
      title: `${nameOf(link)} has lost its visitors`,
      summary: `It had ${plural(count, "click")} in its last ${RECENT_DAYS} whole days instead of about ${number(expected)}.`,
      recommendation:
        `Open the ${nounOf(link)} yourself, then check that it is still where people found it: the mail, the post or the ` +
        "ad.",
      evidence: [
        `Since ${new Date(recent[0]?.at ?? 0).toISOString().slice(0, 10)}: ${recent.map((each) => number(each.count)).join(", ")} clicks a day`,
        `About ${number(expected)} expected: the medians of the same weekdays in the ${plural(before.length, "day")} ` +
          `before${hoursStopped > 0 ? `, less those of ${plural(hoursStopped, "hour")} in which it was out of use` : ""}`,
        `${number(deviations)} deviations below that by Anscombe's transform, reported from ${DEVIATIONS}`,
      ],
    },
  ];
};

const anscombe = (count: number): number => 2 * Math.sqrt(count + 3 / 8);

/** Returns NaN if there are too few days of the same weekday. */
function usualOn(days: readonly DayCount[], at: number): number {
  const same = days.filter((other) => (at - other.at) % (7 * DAY_MS) === 0).map(({ count }) => count);
  return same.length < WEEKDAYS_MIN ? Number.NaN : median(same);
}
