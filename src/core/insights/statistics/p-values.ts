/**
 * p-values of a few tests. Binomial and Student's t tails are both regularized incomplete beta functions. The normal
 * tail is Abramowitz & Stegun 26.2.17, with an error below 1e-7.
 */
import { incompleteBeta } from "./incomplete-beta";

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
