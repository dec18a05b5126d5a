/**
 * Tail probabilities of counts. A count is negative binomial (variance μ + μ²/k) with an uncertain mean: the mean
 * follows an inverse gamma distribution with the given relative variance, as it results from earlier counts of the
 * same kind, and the tail is averaged over it by the trapezoid rule. For large counts, this is the F distribution.
 */
import { logGamma } from "./beta";

export interface CountDistribution {
  mean: number;
  /** Dispersion of the counts around the mean. */
  k: number;
  /** Variance of the logarithm of the mean: how uncertain it is. */
  variance: number;
}

const NODES_A_SIDE = 12;
const REACH = 6;
const VARIANCE_MIN = 1e-6;

/** Returns the probability of a count at least this large. */
export const upperTail = (count: number, predicted: CountDistribution): number =>
  count <= 0 ? 1 : averaged(predicted, (mean) => 1 - negativeBinomialCdf(count - 1, mean, predicted.k));

export const lowerTail = (count: number, predicted: CountDistribution): number =>
  averaged(predicted, (mean) => negativeBinomialCdf(count, mean, predicted.k));

function averaged({ mean, variance }: CountDistribution, tailAt: (mean: number) => number): number {
  const shape = 1 / Math.max(VARIANCE_MIN, variance);
  const step = REACH / NODES_A_SIDE / Math.sqrt(shape);
  let [sum, weights] = [0, 0];
  for (let node = -NODES_A_SIDE; node <= NODES_A_SIDE; node++) {
    const logRatio = node * step;
    const weight = Math.exp(-shape * (logRatio + Math.exp(-logRatio) - 1));
    weights += weight;
    sum += weight * tailAt(mean * Math.exp(logRatio));
  }
  return sum / weights;
}

/** P(X ≤ count) of a negative binomial: I(k / (k + mean); k, count + 1). */
const negativeBinomialCdf = (count: number, mean: number, k: number): number =>
  count < 0 ? 0 : incompleteBeta(k / (k + mean), k, count + 1);

const ROUNDS_MAX = 2_000;
const EXACT = 1e-12;
const TINY = 1e-300;

/** Regularized incomplete beta function, by Lentz's continued fraction (Numerical Recipes section 6.4). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const even = (round * (b - round) * x) / ((a + 2 * round - 1) * (a + 2 * round));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + round) * (a + b + round) * x) / ((a + 2 * round) * (a + 2 * round + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < EXACT) break;
  }
  return fraction;
}
