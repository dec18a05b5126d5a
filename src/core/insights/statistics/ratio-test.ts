/**
 * Compares the ratios of two periods, such as events per click. Each ratio is as uncertain as its days vary
 * (linearization: Cochran 1977, "Sampling techniques", section 6.3). So neither counts that come several at a time nor
 * days that differ make chance look like a change.
 */
import { studentTest } from "./p-values";

export interface RatioDay {
  count: number;
  /** What the count is proportional to, such as the clicks of the day. */
  of: number;
}

/** Returns the two-sided p-value. Each period needs two days, and something that its counts are proportional to. */
export function ratioTest(one: readonly RatioDay[], other: readonly RatioDay[]): number {
  const [a, b] = [ratioOf(one), ratioOf(other)];
  if (a.ratio === b.ratio) return 1;
  const t = (a.ratio - b.ratio) / Math.sqrt(a.variance + b.variance);
  return Number.isFinite(t) ? studentTest(t, Math.min(one.length, other.length) - 1) : 0;
}

function ratioOf(days: readonly RatioDay[]): { ratio: number; variance: number } {
  const sum = (value: (day: RatioDay) => number) => days.reduce((total, day) => total + value(day), 0);
  const all = sum(({ of }) => of);
  const ratio = sum(({ count }) => count) / all;
  const scatter = sum(({ count, of }) => (count - ratio * of) ** 2);
  return { ratio, variance: (scatter * days.length) / (days.length - 1) / all ** 2 };
}
