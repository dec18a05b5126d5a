/**
 * Rank tests, which assume nothing about how a day's clicks vary: neither an extreme day nor more noise than pure
 * chance leads to a false claim.
 *
 * The direction of a series is tested by the seasonal Kendall test (Hirsch, Slack & Smith 1982, "Techniques of trend
 * analysis for monthly water quality data", Water Resources Research 18): each weekday is compared only with itself,
 * so that a quiet Sunday at one end is no trend. The slope is the median of the slopes of all those pairs. Two sets
 * of days are compared by Mann & Whitney's U (1947). Both use the normal approximation with a correction for ties.
 */
import { normalTest } from "./p-values";
import { median } from "./robust";

export interface Trend {
  /** Change per step of the series. */
  slope: number;
  pValue: number;
}

/** Returns undefined if no season has two values. */
export function seasonalTrend(values: readonly number[], period = 7): Trend | undefined {
  const slopes: number[] = [];
  let [score, variance] = [0, 0];
  for (let season = 0; season < Math.min(period, values.length); season++) {
    const own = values.filter((_, index) => index % period === season);
    for (const [index, from] of own.entries()) {
      for (const [further, to] of own.slice(index + 1).entries()) {
        slopes.push((to - from) / ((further + 1) * period));
        score += Math.sign(to - from);
      }
    }
    variance += kendallVariance(own);
  }
  if (slopes.length === 0) return undefined;
  return { slope: median(slopes), pValue: variance > 0 ? normalTest(corrected(score, 1) / Math.sqrt(variance)) : 1 };
}

/** Variance of Kendall's S without a trend. */
function kendallVariance(values: readonly number[]): number {
  const term = (count: number) => count * (count - 1) * (2 * count + 5);
  return (term(values.length) - sum(tiesOf(values).map(term))) / 18;
}

/** Tests, two-sided, whether values of one set tend to be greater or smaller than those of the other. */
export function rankSumTest(one: readonly number[], other: readonly number[]): { isGreater: boolean; pValue: number } {
  const [m, n] = [one.length, other.length];
  const all = m + n;
  const wins = sum(one.map((value) => sum(other.map((against) => (Math.sign(value - against) + 1) / 2))));
  const ties = sum(tiesOf([...one, ...other]).map((count) => count ** 3 - count));
  const variance = ((m * n) / 12) * (all + 1 - ties / (all * (all - 1)));
  const beyond = wins - (m * n) / 2;
  const pValue = variance > 0 ? normalTest(corrected(beyond, 0.5) / Math.sqrt(variance)) : 1;
  return { isGreater: beyond > 0, pValue };
}

/** Continuity correction: moves the score, which changes in steps, towards 0. */
const corrected = (score: number, step: number): number => Math.sign(score) * Math.max(0, Math.abs(score) - step);

const tiesOf = (values: readonly number[]): number[] =>
  [...Map.groupBy(values, (value) => value).values()].map(({ length }) => length);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
