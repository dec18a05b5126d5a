/**
 * p-values of a few tests. Binomial and Student's t tails are both regularized incomplete beta functions, evaluated
 * by Lentz's continued fraction (Press et al., "Numerical Recipes", section 6.4). The normal tail is Abramowitz &
 * Stegun 26.2.17, with an error below 1e-7.
 */
import { logGamma } from "./beta";

const STEPS_MAX = 500;
const TINY = 1e-300;
const PRECISION = 1e-12;

/** I_x(a, b), for positive `a` and `b`. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges quickly on this side of the mean; on the other side, use the symmetric one.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

function fraction(x: number, a: number, b: number): number {
  const kept = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let step = 1; step <= STEPS_MAX; step++) {
    const even = (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    result *= d * c;
    const odd = (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < PRECISION) break;
  }
  return result;
}

/** Two-sided: twice the smaller tail, including `count`, of `trials` trials with probability `share`. */
export function binomialTest(count: number, trials: number, share: number): number {
  const atLeast = count <= 0 ? 1 : incompleteBeta(share, count, trials - count + 1);
  const atMost = count >= trials ? 1 : 1 - incompleteBeta(share, count + 1, trials - count);
  return Math.min(1, 2 * Math.min(atLeast, atMost));
}

/** Returns the two-sided p-value of a Student's t value. */
export const studentTest = (t: number, freedom: number): number =>
  incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);

const NORMAL = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429] as const;

/** Returns the two-sided p-value of a standard normal value. */
export function normalTest(z: number): number {
  const size = Math.abs(z);
  const k = 1 / (1 + 0.2316419 * size);
  const polynomial = NORMAL.reduceRight((sum, coefficient) => (sum + coefficient) * k, 0);
  return Math.min(1, 2 * 0.3989422804014327 * Math.exp((-size * size) / 2) * polynomial);
}
