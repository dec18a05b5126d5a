/** What insights claim about workspaces whose truth is known, and their statistical tests compared with tables. */
import { describe, expect, test } from "bun:test";
import { drawsOf, factsOf, type Shape } from "@test/support/statistics/histories";
import { findInsights } from "@/core/insights/campaign-insights";
import { binomialTest, normalTest, studentTest } from "@/core/insights/statistics/p-values";
import { rankSumTest, seasonalTrend } from "@/core/insights/statistics/rank-tests";

const EQUAL: Shape = { links: 20, days: 29, clicks: 40, rate: () => 0.05 };
const HISTORIES = 120;

const claimsIn = (shape: Shape, seed: number): string[] =>
  findInsights(factsOf(drawsOf(seed), shape))
    .insights.filter(({ type }) => type !== "setup")
    .map(({ id }) => id);

/** Returns the share of workspaces about which anything is claimed. */
const claimed = (shape: Shape, histories = HISTORIES): number =>
  Array.from({ length: histories }, (_, seed) => claimsIn(shape, seed * 7_919 + 1)).filter(({ length }) => length > 0)
    .length / histories;

describe("insights claim something about twenty equal links in at most 5 of 100 workspaces", () => {
  test.each<[string, Shape]>([
    ["by pure chance", EQUAL],
    ["with few clicks", { ...EQUAL, clicks: 5, rate: () => 0.02 }],
    ["as real traffic scatters", { ...EQUAL, k: 20 }],
    ["of events that come several at once", { ...EQUAL, k: 20, burst: 4 }],
    ["within a few days", { ...EQUAL, days: 5, clicks: 100 }],
    ["of which there are but two", { ...EQUAL, links: 2, k: 20 }],
  ])("%s", (_, shape) => expect(claimed(shape)).toBeLessThanOrEqual(0.05));
});

test("a link that converts twice as often is found in most workspaces, and hardly any other is called worse", () => {
  const shape = { ...EQUAL, k: 20, rate: (link: number) => (link === 3 ? 0.1 : 0.05) };
  const found = Array.from({ length: 60 }, (_, seed) => claimsIn(shape, seed));
  expect(found.filter((ids) => ids.includes("opportunity:converts_well:link-3")).length).toBeGreaterThanOrEqual(50);
  expect(found.flat().filter((id) => id.includes("converts_badly")).length).toBeLessThanOrEqual(2);
});

describe("the statistical tests agree with tables", () => {
  test.each([
    ["binomial, 8 of 10 by a half", binomialTest(8, 10, 0.5), 0.109375],
    ["binomial, none of 20 by a fifth", binomialTest(0, 20, 0.2), 0.0230584],
    ["binomial, the middle", binomialTest(5, 10, 0.5), 1],
    ["Student, 2.228 with 10 degrees", studentTest(2.228139, 10), 0.05],
    ["Student, 12.706 with one", studentTest(12.7062, 1), 0.05],
    ["normal, 1.96", normalTest(1.959964), 0.05],
    ["normal, 0", normalTest(0), 1],
  ])("%s", (_, given, expected) => expect(given).toBeCloseTo(expected, 5));

  test("rank-sum test: separate sets, mixed sets and only ties", () => {
    expect(rankSumTest([9, 10, 11, 12], [1, 2, 3, 4, 5, 6, 7, 8])).toMatchObject({ isGreater: true });
    expect(rankSumTest([9, 10, 11, 12], [1, 2, 3, 4, 5, 6, 7, 8]).pValue).toBeCloseTo(0.0085, 3);
    expect(rankSumTest([1, 4], [2, 3]).pValue).toBeCloseTo(1, 6);
    expect(rankSumTest([3, 3], [3, 3, 3]).pValue).toBe(1);
  });

  test("trend test: a quiet last Sunday is no trend, a steady climb is one", () => {
    const weeks = Array.from({ length: 28 }, (_, index) => (index % 7 === 6 ? 5 : 50));
    expect(seasonalTrend(weeks)).toMatchObject({ slope: 0, pValue: 1 });
    const climb = seasonalTrend(weeks.map((clicks, index) => clicks + 2 * index));
    expect(climb?.slope).toBeCloseTo(2, 6);
    expect(climb?.pValue).toBeLessThan(1e-6);
    expect(seasonalTrend([1, 2, 3])).toBeUndefined();
  });
});
