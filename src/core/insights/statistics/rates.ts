/**
 * Computes intervals of rates. For a share of trials: Wilson's score interval (1927, "Probable inference", JASA 22),
 * which holds for few trials and for rates near 0 and 1. For a count that may exceed its trials, such as events per
 * click: Byar's approximation of the exact Poisson interval (Breslow & Day 1987, "Statistical methods in cancer
 * research" II, p. 69).
 */
import { Z_95 } from "./robust";

export interface Interval {
  low: number;
  high: number;
}

export interface Rate extends Interval {
  rate: number;
  method: "wilson" | "poisson" | "none";
}

/** Returns the interval of a share; 0 to 1 without trials. `successes` is at most `trials`. */
export function wilson(successes: number, trials: number, z = Z_95): Interval {
  if (trials <= 0) return { low: 0, high: 1 };
  const share = successes / trials;
  const square = z * z;
  const centre = share + square / (2 * trials);
  const reach = z * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials * trials));
  const scale = 1 + square / trials;
  // Exact if nothing or everything succeeded; rounding would leave a tiny error.
  return {
    low: successes === 0 ? 0 : Math.max(0, (centre - reach) / scale),
    high: successes === trials ? 1 : Math.min(1, (centre + reach) / scale),
  };
}

/** Returns the interval of the mean of a Poisson count. */
export function poisson(count: number, z = Z_95): Interval {
  const low = count === 0 ? 0 : count * (1 - 1 / (9 * count) - z / (3 * Math.sqrt(count))) ** 3;
  const more = count + 1;
  return { low: Math.max(0, low), high: more * (1 - 1 / (9 * more) + z / (3 * Math.sqrt(more))) ** 3 };
}

/** Returns the rate per click: a share if `count` does not exceed `clicks`, otherwise a mean. */
export function ratePer(count: number, clicks: number): Rate {
  if (clicks <= 0) return { rate: 0, low: 0, high: 0, method: "none" };
  const rate = count / clicks;
  if (count <= clicks) return { rate, ...wilson(count, clicks), method: "wilson" };
  const { low, high } = poisson(count);
  return { rate, low: low / clicks, high: high / clicks, method: "poisson" };
}
