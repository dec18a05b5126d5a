/** Projections worked out by hand, and a score whose points add up. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type DayFigures, predict, projectClicks } from "@/core/insights/prediction";
import { DAY_MS } from "@/core/time-range";

const MONDAY = Date.UTC(2026, 0, 5);
const days = (count: number, clicksOn: (index: number) => number, conversionsOn = (_: number) => 0): DayFigures[] =>
  Array.from({ length: count }, (_, index) => ({
    at: MONDAY + index * DAY_MS,
    clicks: clicksOn(index),
    conversions: conversionsOn(index),
  }));
const totals = (clicks: number, leads = 0) => ({ clicks, installs: 0, leads, events: 0 });

describe("clicks go on", () => {
  test.each<[string, DayFigures[], number, number, string, string | undefined]>([
    ["as nothing without days", [], 30, 0, "none", undefined],
    ["as nothing after nothing", days(30, () => 0), 30, 0, "none", undefined],
    ["by the mean of few days", days(5, (index) => 10 + index), 10, 120, "mean", undefined],
    ["by the mean where a day has few clicks", days(30, (index) => index % 3), 30, 30, "mean", undefined],
    ["as they were", days(28, () => 40), 30, 1_200, "weekdays and trend", "steady"],
    [
      "with their weekdays, from the day after the last",
      days(28, (index) => (index % 7 < 5 ? 50 : 0)),
      7,
      250,
      "weekdays and trend",
      "steady",
    ],
    [
      "with the next weekend first",
      days(26, (index) => (index % 7 < 5 ? 50 : 0)),
      2,
      0,
      "weekdays and trend",
      "steady",
    ],
  ])("%s", (_, given, horizon, total, method, direction) => {
    const found = projectClicks(given, horizon);
    expect(found.total).toBeCloseTo(total, 6);
    expect([found.method, found.direction]).toEqual([method as "mean", direction as "steady"]);
  });

  test("rising ever more slowly: a slope of 2 goes on with 1.96 the next day", () => {
    const rising = days(28, (index) => 100 + 2 * index);
    const one = projectClicks(rising, 1);
    expect(one.direction).toBe("rising");
    // 154 on the last day; the weekdays are not exactly even once the slope is taken out.
    expect(Math.abs(one.total - 155.96)).toBeLessThan(1);
    const far = projectClicks(rising, 90).total / 90;
    expect(far).toBeGreaterThan(156);
    expect(far).toBeLessThan(156 + 2 * 50);
  });

  test("never below nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { maxLength: 60 }), fc.integer({ min: 1, max: 90 }), (counts, horizon) => {
        expect(
          projectClicks(
            days(counts.length, (index) => counts[index] ?? 0),
            horizon,
          ).total,
        ).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("the score", () => {
  const score = (given: DayFigures[], sums: ReturnType<typeof totals>) =>
    predict({ days: given, totals: sums, horizonDays: 30 }).prediction;

  test("of nothing is nothing", () => {
    expect(score([], totals(0))).toMatchObject({
      ...{ score: 0, label: "low", confidence: "low", predictedConversionRate: 0, projectedClicks: 0 },
      recommendations: ["Share the links: without clicks there is nothing to predict from"],
    });
  });

  test("of steady clicks without conversions is for their steadiness alone", () => {
    const found = score(
      days(28, () => 40),
      totals(28 * 40),
    );
    expect(found.baseline.points).toEqual({
      ...{
        "conversion rate": 0,
        evidence: 0,
        "direction of the conversion rate": 0,
        "direction of the clicks": 5,
        steadiness: 10,
      },
    });
    expect([found.score, found.label]).toEqual([15, "low"]);
  });

  test("of a steady 20 % of many clicks is all but what rising gives", () => {
    const found = score(
      days(
        28,
        () => 100,
        () => 20,
      ),
      totals(2_800, 560),
    );
    expect(found.baseline.points).toEqual({
      "conversion rate": 40,
      evidence: 20,
      "direction of the conversion rate": 7.5,
      "direction of the clicks": 5,
      steadiness: 10,
    });
    expect(found).toMatchObject({ score: 83, label: "high", confidence: "high", predictedConversionRate: 0.2 });
    expect(found).toMatchObject({ projectedClicks: 3_000, projectedConversions: 600 });
  });

  test("is told to wait where it rests on few conversions, which give no direction", () => {
    const found = score(
      days(
        28,
        () => 40,
        (index) => (index % 3 === 0 ? 1 : 0),
      ),
      totals(28 * 40, 10),
    );
    expect(found.confidence).toBe("low");
    expect(found.factors[2]).toMatchObject({ name: "direction of the conversion rate", value: "unknown" });
    expect(found.recommendations[0]).toStartWith("Wait for more conversions");
  });

  test("a rate that falls goes on below what it was, but within its interval", () => {
    const found = score(
      days(
        28,
        () => 100,
        (index) => 28 - index,
      ),
      totals(2_800, 406),
    );
    expect(found.predictedConversionRate).toBeLessThan(406 / 2_800);
    expect(found.predictedConversionRate).toBeGreaterThan(0.13);
    expect(found.recommendations[0]).toStartWith("Look at what changed");
  });

  test("of more events than clicks is a mean", () => {
    const found = score(
      days(
        28,
        () => 10,
        () => 20,
      ),
      { ...totals(280), events: 560 },
    );
    expect(found).toMatchObject({ predictedConversionRate: 2, baseline: { interval: { method: "poisson" } } });
  });

  test("is a whole number from 0 to 95, whatever the days", () => {
    const day = fc.record({ clicks: fc.nat(500), conversions: fc.nat(700) });
    fc.assert(
      fc.property(fc.array(day, { maxLength: 40 }), (all) => {
        const given = all.map((each, index) => ({ at: MONDAY + index * DAY_MS, ...each }));
        const sum = (metric: "clicks" | "conversions") => all.reduce((total, each) => total + each[metric], 0);
        const found = score(given, totals(sum("clicks"), sum("conversions")));
        expect(Number.isInteger(found.score) && found.score >= 0 && found.score <= 95).toBe(true);
        expect(
          [found.projectedClicks, found.projectedConversions].every((each) => Number.isInteger(each) && each >= 0),
        ).toBe(true);
        expect(Number.isFinite(found.predictedConversionRate)).toBe(true);
      }),
    );
  });
});
