/** The statistics behind computed analytics, compared with values from the literature and values calculated by hand. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  digamma,
  logGamma,
  type Posterior,
  posteriorOf,
  probabilitiesBest,
  trigamma,
} from "@/core/insights/statistics/beta";
import { poisson, ratePer, wilson } from "@/core/insights/statistics/rates";
import { median } from "@/core/insights/statistics/robust";

describe("Wilson's interval", () => {
  // Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [10, 10, 0.7225, 1],
  ])("of %i out of %i is %f to %f", (successes, trials, low, high) => {
    const found = wilson(successes, trials);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });

  test("of no trials is 0 to 1", () => expect(wilson(0, 0)).toEqual({ low: 0, high: 1 }));

  test("contains the rate and stays within 0 and 1", () => {
    const shares = fc.nat(100_000).chain((trials) => fc.tuple(fc.nat(trials), fc.constant(trials)));
    fc.assert(
      fc.property(shares, ([successes, trials]) => {
        const { low, high } = wilson(successes, trials);
        const rate = trials === 0 ? 0 : successes / trials;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(rate + 1e-12);
        expect(high).toBeGreaterThanOrEqual(rate - 1e-12);
      }),
    );
  });
});

describe("a rate per click", () => {
  test.each([
    ["nothing without clicks", 3, 0, { rate: 0, low: 0, high: 0, method: "none" }],
    ["a share while there are no more than clicks", 20, 20, { rate: 1, high: 1, method: "wilson" }],
    ["a mean beyond", 30, 20, { rate: 1.5, method: "poisson" }],
  ])("is %s", (_, count, clicks, expected) => {
    expect(ratePer(count, clicks)).toMatchObject(expected);
  });

  // The exact interval of ten is 4.80 to 18.39 (Garwood 1936); Byar's is said to be within a few hundredths of it.
  test("has Byar's interval as a mean", () => {
    expect(poisson(10).low).toBeCloseTo(4.8, 1);
    expect(poisson(10).high).toBeCloseTo(18.39, 1);
    expect(poisson(0).low).toBe(0);
  });
});

describe("robust statistics", () => {
  test.each([
    ["odd", [3, 1, 2], 2],
    ["even", [4, 1, 3, 2], 2.5],
    ["with an outlier", [1, 2, 3, 4, 1_000_000], 3],
  ])("the median of some, %s", (_, values, expected) => expect(median(values)).toBe(expected));

  test("the median of no values is NaN", () => expect(median([])).toBeNaN());
});

describe("the probability of being the greatest rate", () => {
  test.each([
    ["ln Γ(½)", logGamma(0.5), Math.log(Math.sqrt(Math.PI))],
    ["ln Γ(10)", logGamma(10), Math.log(362_880)],
    ["ψ(1)", digamma(1), -0.5772156649],
    ["ψ(½)", digamma(0.5), -0.5772156649 - 2 * Math.LN2],
    ["ψ′(1)", trigamma(1), Math.PI ** 2 / 6],
    ["ψ′(½)", trigamma(0.5), Math.PI ** 2 / 2],
  ])("uses a correct %s", (_, found, expected) => expect(found).toBeCloseTo(expected, 7));

  const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b);
  /** P(second > first) for integer parameters, after E. Miller, "Formulas for Bayesian A/B testing" (2015). */
  const closedForm = (first: Posterior, second: Posterior) =>
    Array.from({ length: second.a }, (_, i) =>
      Math.exp(
        logBeta(first.a + i, first.b + second.b) -
          Math.log(second.b + i) -
          logBeta(1 + i, second.b) -
          logBeta(first.a, first.b),
      ),
    ).reduce((sum, each) => sum + each, 0);

  test.each([
    ["alike", { a: 10, b: 90 }, { a: 10, b: 90 }],
    ["few", { a: 1, b: 3 }, { a: 2, b: 2 }],
    ["one wide, one narrow", { a: 2, b: 20 }, { a: 900, b: 9_100 }],
    ["far apart", { a: 20, b: 980 }, { a: 60, b: 940 }],
    ["rare", { a: 1, b: 5_000 }, { a: 3, b: 5_000 }],
  ])("agrees with the closed form for two: %s", (_, first, second) => {
    const expected = closedForm(first, second);
    const [one = 0, other = 0] = probabilitiesBest([first, second]);
    expect(Math.abs(other - expected)).toBeLessThan(0.001);
    expect(one + other).toBeCloseTo(1, 10);
  });

  test("is equal for three equal rates, 1 for a single rate, and empty for none", () => {
    const same = posteriorOf({ successes: 7, trials: 90 });
    for (const chance of probabilitiesBest([same, same, same])) expect(chance).toBeCloseTo(1 / 3, 3);
    expect(probabilitiesBest([same])).toEqual([1]);
    expect(probabilitiesBest([])).toEqual([]);
  });

  test("adds up to 1 and is always the same, for any trials", () => {
    const trials = fc.nat(1_000_000).chain((count) => fc.nat(count).map((successes) => ({ successes, trials: count })));
    fc.assert(
      fc.property(fc.array(trials, { minLength: 2, maxLength: 5 }), (all) => {
        const posteriors = all.map(posteriorOf);
        const chances = probabilitiesBest(posteriors);
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
        expect(chances.every((chance) => chance >= 0 && chance <= 1)).toBe(true);
        expect(probabilitiesBest(posteriors)).toEqual(chances);
      }),
      { numRuns: 30 },
    );
  });
});
