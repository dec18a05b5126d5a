/** Shares with their uncertainty, and the few comparisons of them that the assistant makes. */
import { poisson, wilson } from "../insights/statistics/rates";

export interface MeasuredShare {
  count: number;
  total: number;
  value: number;
  /** Bounds of the 95% interval. */
  low: number;
  high: number;
  /** True for a mean count, which can exceed 1; false for a share. */
  isMean: boolean;
}

/**
 * Returns `count` of `total` with its 95% Wilson interval. Returns undefined if it is no share: without a total, or
 * with a count above the total, as for events of which one click can cause several.
 */
export function shareOf(count: number, total: number): MeasuredShare | undefined {
  if (total <= 0 || count > total) return undefined;
  return { count, total, value: count / total, ...wilson(count, total), isMean: false };
}

/** Returns the count per unit of `total`, with the 95% interval of a Poisson count, or undefined without a total. */
export function meanOf(count: number, total: number): MeasuredShare | undefined {
  if (total <= 0) return undefined;
  const { low, high } = poisson(count);
  return { count, total, value: count / total, low: low / total, high: high / total, isMean: true };
}

export type Direction = "up" | "down" | "unclear";

/**
 * Reports a change only if the two intervals do not overlap. This is cautious: shares that differ can have
 * overlapping intervals.
 */
export function compareShares(now: MeasuredShare | undefined, before: MeasuredShare | undefined): Direction {
  if (!now || !before) return "unclear";
  if (now.low > before.high) return "up";
  return now.high < before.low ? "down" : "unclear";
}

/** With many clicks, every difference exceeds chance; one of less than a tenth is not worth mentioning. */
export const CHANGE_MIN = 1.1;

/**
 * Reports whether one of two equal periods had more. Given their sum, the count of one is binomial with probability
 * 1/2 if nothing changed (the conditional test of two Poisson rates, Przyborowski and Wilenski 1940).
 */
export function compareCounts(now: number, before: number): Direction {
  const share = shareOf(now, now + before);
  if (!share) return "unclear";
  if (share.low > 0.5 && now >= before * CHANGE_MIN) return "up";
  return share.high < 0.5 && before >= now * CHANGE_MIN ? "down" : "unclear";
}
