/** Changes between the last 30 days and the 30 days before: what the assistant calls one, and what it does not. */
import { describe, expect, test } from "bun:test";
import { draftOf, figuresOf } from "@test/support/statistics/assistant";
import { type Random, seeded } from "@test/support/statistics/random";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import { DAY_MS } from "@/core/time/time-range";

const DAYS = 31;
const FROM = Date.UTC(2026, 9, 22);

interface Day {
  clicks: number;
  events?: number;
  leads?: number;
}

function overviewOf(days: readonly Day[]): AnalyticsOverview {
  const sum = (of: keyof Day) => days.reduce((total, day) => total + (day[of] ?? 0), 0);
  const [clicks, events, leads] = [sum("clicks"), sum("events"), sum("leads")];
  const timeseries = days.map((day, index) => ({
    at: new Date(FROM + index * DAY_MS).toISOString(),
    ...{ uniqueVisitors: day.clicks, opens: 0, installs: 0, leads: 0, events: 0, ...day },
  }));
  return { ...figuresOf({ clicks, events, leads }).current, timeseries };
}

const asked = (goal: string, now: readonly Day[], before: readonly Day[]) =>
  draftOf({ input: { goal }, figures: { ...figuresOf({}), current: overviewOf(now), previous: overviewOf(before) } });

const month = (day: (index: number) => Day) => Array.from({ length: DAYS }, (_, index) => day(index));

/** A day of real traffic, some of whose clicks lead to several events each. */
function burstDay(random: Random, rate: number): Day {
  const clicks = random.negativeBinomial(100, 20);
  const converted = Math.min(clicks, random.negativeBinomial(Math.max(0.1, clicks * rate), 20));
  let events = 0;
  for (let one = 0; one < converted; one++) events += 1 + random.whole(6);
  return { clicks, events };
}

/** Returns the share of 200 seeded pairs of months in which the assistant says that the rate has changed. */
function shareTold(rate: number, before: number): number {
  const random = seeded(5);
  const told = Array.from({ length: 200 }, () =>
    asked(
      "sales",
      month(() => burstDay(random, rate)),
      month(() => burstDay(random, before)),
    ),
  ).filter(({ recommendations }) => recommendations.some(({ title }) => /turn into|from click to/.test(title)));
  return told.length / 200;
}

describe("of a rate", () => {
  test("are not what events that come several at a time do by chance", () =>
    expect(shareTold(0.05, 0.05)).toBeLessThanOrEqual(0.05));

  test("are found if it halves, with the way in which the days were compared", () => {
    expect(shareTold(0.03, 0.06)).toBeGreaterThanOrEqual(0.9);
    const { recommendations } = asked(
      "leads",
      month((index) => ({ clicks: 100, leads: index % 3 })),
      month((index) => ({ clicks: 100, leads: 2 + (index % 3) })),
    );
    const { priority, evidence } =
      recommendations.find(({ title }) => title === "Fix the path from click to lead") ?? {};
    expect(priority).toBe("high");
    expect(evidence?.at(-1)).toContain("p ≤ 0.01");
  });

  test("are not worth a word if it is 1.02 times as high, however certain that is", () => {
    const { recommendations } = asked(
      "leads",
      month((index) => ({ clicks: 100_000, leads: 5_100 + (index % 3) })),
      month((index) => ({ clicks: 100_000, leads: 5_000 + (index % 3) })),
    );
    expect(recommendations.map(({ title }) => title).join()).not.toContain("turn into");
  });
});

describe("of clicks that came on few days", () => {
  const onDays = (days: number, clicks: number) => month((index) => ({ clicks: index < days ? clicks : 0 }));

  test.each([
    ["a first campaign", 4, 125, 0, 0, "; the 30 days before had 0."],
    ["a campaign that is over", 0, 0, 4, 125, "; the 30 days before had 500."],
    ["a campaign after a few visits", 4, 125, 1, 3, "; the 30 days before had 3, and a few days made the difference."],
    ["four mailings after five", 4, 200, 5, 200, "; the 30 days before had 1,000, no clear difference."],
    ["three visits after one", 1, 3, 1, 1, "; the 30 days before had 1, no clear difference."],
  ])("%s", (_, days, clicks, daysBefore, clicksBefore, said) => {
    const { summary } = asked("clicks", onDays(days, clicks), onDays(daysBefore, clicksBefore));
    expect(summary).toContain(said);
  });

  test("nobody is asked to repeat what brought the first ones", () => {
    const { recommendations } = asked("clicks", onDays(12, 125), onDays(0, 0));
    expect(recommendations.map(({ title }) => title)).not.toContain("Repeat what brought more clicks");
  });
});
