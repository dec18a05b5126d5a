/**
 * Fits a regression of counts: their mean is the exponential of a sum of effects, and they vary around it as a
 * negative binomial (mean μ, variance μ + μ²/k). The model is that of Noufaily et al. (2013), "An improved algorithm
 * for outbreak detection in multiple surveillance systems", Statistics in Medicine 32: an observation that stands out
 * from one fit weighs less in the next, by the square of its distance, so that an outage does not hide itself.
 *
 * Effects of one group, such as those of the seven weekdays, are shrunk towards 0 according to the variance of the
 * group, which is estimated along with them (Fellner 1986, "Robust estimation of variance components", Technometrics
 * 28). Two weeks are thus enough for a weekly season: if there is none, all weekdays come out equal.
 */
import { inverse, type Matrix, value, zeros } from "./matrix";

export interface Observation {
  count: number;
  /** Its effects, by number, and the factor of each. */
  effects: readonly Effect[];
  /** Natural logarithm of what the mean is proportional to, such as the clicks of the day; 0 for nothing. */
  offset?: number;
}

export interface Effect {
  effect: number;
  times: number;
}

export interface CountModel {
  /** Group of each effect; null for an effect that is not shrunk. */
  groups: readonly (number | null)[];
  /** Initial variance of each group, which weighs as much as `PRIOR_EFFECTS` effects. */
  variances: readonly number[];
  /** Largest dispersion parameter k, that is, the least that counts are assumed to vary. */
  kMax: number;
  /** True if outlying observations weigh less. */
  isRobust: boolean;
  /**
   * True if an outlying count also counts as no more than is just not outlying. A hundred times the others, it would
   * pull the mean of these up to where it is they that stand out, however little it weighs. With few observations of
   * an effect, however, those that stand out may be its usual ones.
   */
  isBounded?: boolean;
}

export interface CountFit {
  effects: Float64Array;
  covariance: Matrix;
  k: number;
  /** Weight of each observation, from 0 to 1. */
  trust: Float64Array;
  /** What the fit took each count for: see `isBounded`. */
  counts: Float64Array;
}

const ROUNDS_MAX = 12;
/** Stops before `ROUNDS_MAX` once no effect moves by this much. */
const MOVED_MIN = 0.002;
const PLAIN_ROUNDS = 2;
const PRIOR_EFFECTS = 2;
/** Number of observations that the initial dispersion weighs as much as. */
const PRIOR_OBSERVATIONS = 8;
/** Observations beyond this many deviations weigh less. */
const OUTLYING = 2.58;
const ETA_MAX = 20;

export function fitCounts(observations: readonly Observation[], model: CountModel): CountFit {
  let effects: Float64Array | undefined;
  let covariance = zeros(model.groups.length);
  let variances = [...model.variances];
  let k = model.kMax;
  const trust = new Float64Array(observations.length).fill(1);
  const counts = Float64Array.from(observations, ({ count }) => count);
  // A large outlier pulls from the second round on.
  const plainRounds = model.isBounded ? 1 : PLAIN_ROUNDS;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const normal = normalEquations(observations, effects, { model, variances, k, trust, counts });
    covariance = inverse(normal.matrix);
    const before: Float64Array | undefined = effects;
    effects = Float64Array.from(covariance, (row) => dot(row, normal.vector));
    if (round + 1 < plainRounds) continue;
    if (round > plainRounds && effects.every((each, at) => Math.abs(each - (before?.[at] ?? 0)) < MOVED_MIN)) break;
    variances = groupVariances(model, effects, covariance);
    // In this order: if the dispersion already included the outliers, none would be outlying.
    if (model.isRobust) putTrust(observations, effects, k, { model, trust, counts });
    k = dispersion(observations, effects, trust, model);
  }
  return { effects: effects ?? new Float64Array(model.groups.length), covariance, k, trust, counts };
}

/** Returns the logarithm of the mean, and the variance of that logarithm. */
export function linear({ effects, covariance }: CountFit, { effects: own, offset = 0 }: Omit<Observation, "count">) {
  let variance = 0;
  for (const one of own) {
    for (const other of own) variance += one.times * other.times * value(covariance, one.effect, other.effect);
  }
  return { eta: etaOf(effects, own, offset), variance };
}

/** Weight of an observation in the fit: its information about the logarithm of its mean. */
export const informationOf = (mean: number, k: number): number => mean / (1 + mean / k);

interface Step {
  model: CountModel;
  variances: readonly number[];
  k: number;
  trust: Float64Array;
  counts: Float64Array;
}

/** Without effects, each count starts as its own mean. */
function normalEquations(observations: readonly Observation[], effects: Float64Array | undefined, step: Step) {
  const { model, variances, k, trust, counts } = step;
  const matrix = zeros(model.groups.length);
  const vector = new Float64Array(model.groups.length);
  for (const [effect, group] of model.groups.entries()) {
    add(matrix, effect, effect, group === null ? 1e-6 : 1 / (variances[group] ?? 1));
  }
  for (const [index, { effects: own, offset = 0 }] of observations.entries()) {
    const count = counts[index] ?? 0;
    const eta = effects ? etaOf(effects, own, offset) : Math.log(count + 0.5);
    const mean = Math.exp(eta);
    const weight = (trust[index] ?? 1) * informationOf(mean, k);
    const working = eta - offset + (count - mean) / mean;
    for (const one of own) {
      vector[one.effect] = (vector[one.effect] ?? 0) + weight * one.times * working;
      const line = matrix[one.effect] ?? vector;
      for (const other of own) line[other.effect] = (line[other.effect] ?? 0) + weight * one.times * other.times;
    }
  }
  return { matrix, vector };
}

function add(matrix: Matrix, row: number, column: number, more: number): void {
  const line = matrix[row];
  if (line) line[column] = (line[column] ?? 0) + more;
}

function etaOf(effects: Float64Array, own: readonly Effect[], offset: number): number {
  let eta = offset;
  for (const { effect, times } of own) eta += times * (effects[effect] ?? 0);
  return Math.max(-ETA_MAX, Math.min(ETA_MAX, eta));
}

const dot = (one: Float64Array, other: Float64Array): number =>
  one.reduce((sum, each, index) => sum + each * (other[index] ?? 0), 0);

function groupVariances({ groups, variances }: CountModel, effects: Float64Array, covariance: Matrix): number[] {
  return variances.map((prior, group) => {
    let [sum, count] = [PRIOR_EFFECTS * prior, PRIOR_EFFECTS];
    for (const [effect, own] of groups.entries()) {
      if (own !== group) continue;
      sum += (effects[effect] ?? 0) ** 2 + value(covariance, effect, effect);
      count++;
    }
    return sum / count;
  });
}

/** Estimates k by the method of moments, at most `kMax`. */
function dispersion(
  observations: readonly Observation[],
  effects: Float64Array,
  trust: Float64Array,
  { kMax }: CountModel,
): number {
  let [sum, weights] = [PRIOR_OBSERVATIONS / kMax, PRIOR_OBSERVATIONS];
  for (const [index, { count, effects: own, offset = 0 }] of observations.entries()) {
    // Outliers are not part of how the rest varies.
    if ((trust[index] ?? 1) < 1) continue;
    const mean = Math.exp(etaOf(effects, own, offset));
    // Small counts say nothing about the dispersion, because chance dominates.
    const weight = (informationOf(mean, kMax) / kMax) ** 2;
    sum += (weight * ((count - mean) ** 2 - mean)) / mean ** 2;
    weights += weight;
  }
  return Math.min(kMax, 1 / Math.max(1e-9, sum / weights));
}

function putTrust(
  observations: readonly Observation[],
  effects: Float64Array,
  k: number,
  { model, trust, counts }: Pick<Step, "model" | "trust" | "counts">,
): void {
  for (const [index, { count, effects: own, offset = 0 }] of observations.entries()) {
    const middle = stabilized(Math.exp(etaOf(effects, own, offset)), k);
    const deviations = Math.abs(stabilized(count, k) - middle);
    trust[index] = deviations > OUTLYING ? (OUTLYING / deviations) ** 2 : 1;
    if (model.isBounded) counts[index] = Math.min(count, countAt(middle + OUTLYING, k));
  }
}

/** Anscombe (1948): transforms a negative binomial to a deviation of about 1, whatever its mean. */
const stabilized = (count: number, k: number): number => 2 * Math.sqrt(k) * Math.asinh(Math.sqrt((count + 3 / 8) / k));

/** The inverse of `stabilized`. */
const countAt = (value: number, k: number): number => k * Math.sinh(value / (2 * Math.sqrt(k))) ** 2 - 3 / 8;
