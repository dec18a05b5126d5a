/**
 * Tail probabilities of counts. A count is negative binomial (variance μ + μ²/k) with an uncertain mean: the mean
 * follows an inverse gamma distribution with the given relative variance, as it results from earlier counts of the
 * same kind, and the tail is averaged over it by the trapezoid rule. For large counts, this is the F distribution.
 */
import { incompleteBeta } from "./incomplete-beta";

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
