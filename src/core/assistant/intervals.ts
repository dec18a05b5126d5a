/** Shares with how sure they are, and the few comparisons the assistant makes of them. */

import { poisson, wilson } from "../insights/statistics/rates";

export interface MeasuredShare {
  count: number;
  total: number;
  value: number;
  /** Ends of the 95% interval. */
  low: number;
  high: number;
  /** A mean count may lie above 1; a share may not. */
  isMean: boolean;
}

/**
 * `count` of `total` with its 95% Wilson interval. Undefined where it is no share: without a total, or with more counted
 * than there were, as of events that one click causes several of.
 */
export function shareOf(count: number, total: number): MeasuredShare | undefined {
  if (total <= 0 || count > total) return undefined;
  return { count, total, value: count / total, ...wilson(count, total), isMean: false };
}

/** Returns how many there are per one of `total`, with the 95% interval of a Poisson count. Undefined without a total. */
export function meanOf(count: number, total: number): MeasuredShare | undefined {
  if (total <= 0) return undefined;
  const { low, high } = poisson(count);
  return { count, total, value: count / total, low: low / total, high: high / total, isMean: true };
}

export type Direction = "up" | "down" | "unclear";

/** Whether one share lies beyond the other's interval as a whole: cautious, since intervals may touch of shares that differ. */
export function compareShares(now: MeasuredShare | undefined, before: MeasuredShare | undefined): Direction {
  if (!now || !before) return "unclear";
  if (now.low > before.high) return "up";
  return now.high < before.low ? "down" : "unclear";
}

/** Of many clicks every difference is beyond chance; one of less than a tenth is not worth speaking of. */
const CHANGE_MIN = 1.1;

/**
 * Whether more came in one of two equal spans: given their sum, the count of the one is binomial with a half where nothing
 * changed (the conditional test of two Poisson rates, Przyborowski and Wilenski 1940).
 */
export function compareCounts(now: number, before: number): Direction {
  const share = shareOf(now, now + before);
  if (!share) return "unclear";
  if (share.low > 0.5 && now >= before * CHANGE_MIN) return "up";
  return share.high < 0.5 && before >= now * CHANGE_MIN ? "down" : "unclear";
}
