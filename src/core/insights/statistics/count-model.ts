/**
 * A regression of counts: their mean is the exponential of a sum of effects, and they vary around it as a negative binomial
 * does (mean μ, variance μ + μ²/k). It is the model of Noufaily et al. (2013), "An improved algorithm for outbreak detection
 * in multiple surveillance systems", Statistics in Medicine 32: whatever stands out from a first fit weighs less in the next
 * by the square of how far it does, so that an outage does not hide itself.
 *
 * Effects of one group, as those of the seven weekdays, are drawn to 0 by as much as the group varies, which is estimated
 * along with them (Fellner 1986, "Robust estimation of variance components", Technometrics 28). So a fortnight is enough for
 * a weekly season: without one the weekdays are taken for one and the same.
 */
import { inverse, type Matrix, value, zeros } from "./matrix";

export interface Observation {
  count: number;
  /** The effects that it has, by number, with what each is multiplied by. */
  effects: readonly Effect[];
  /** Natural logarithm of what the mean is in proportion to, as the clicks of that day; 0 for nothing. */
  offset?: number;
}

export interface Effect {
  effect: number;
  times: number;
}

export interface CountModel {
  /** Of each effect its group; null for one that is drawn to nothing. */
  groups: readonly (number | null)[];
  /** Of each group the variance that it begins with, which counts as much as `PRIOR_EFFECTS` effects. */
  variances: readonly number[];
  /** The steadiest that counts are taken for. */
  kMax: number;
  /** Whether what stands out weighs less. */
  isRobust: boolean;
}

export interface CountFit {
  effects: Float64Array;
  covariance: Matrix;
  k: number;
  /** Says how much each observation weighed, from 0 to 1. */
  trust: Float64Array;
}

const ROUNDS_MAX = 12;
/** Fewer rounds are enough once no effect moves by more. */
const MOVED_MIN = 0.002;
const PLAIN_ROUNDS = 2;
const PRIOR_EFFECTS = 2;
/** The dispersion to begin with counts as much as so many observations. */
const PRIOR_OBSERVATIONS = 8;
/** Beyond so many deviations an observation weighs less. */
const OUTLYING = 2.58;
const ETA_MAX = 20;

export function fitCounts(observations: readonly Observation[], model: CountModel): CountFit {
  let effects: Float64Array | undefined;
  let covariance = zeros(model.groups.length);
  let variances = [...model.variances];
  let k = model.kMax;
  const trust = new Float64Array(observations.length).fill(1);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const normal = normalEquations(observations, effects, { model, variances, k, trust });
    covariance = inverse(normal.matrix);
    const before: Float64Array | undefined = effects;
    effects = Float64Array.from(covariance, (row) => dot(row, normal.vector));
    if (round + 1 < PLAIN_ROUNDS) continue;
    if (round > PLAIN_ROUNDS && effects.every((each, at) => Math.abs(each - (before?.[at] ?? 0)) < MOVED_MIN)) break;
    variances = groupVariances(model, effects, covariance);
    // In this order: judged by a dispersion that outliers are part of, none would be outlying.
    if (model.isRobust) putTrust(observations, effects, k, trust);
    k = dispersion(observations, effects, trust, model);
  }
  return { effects: effects ?? new Float64Array(model.groups.length), covariance, k, trust };
}

/** The logarithm of the mean, and the variance of that. */
export function linear({ effects, covariance }: CountFit, { effects: own, offset = 0 }: Omit<Observation, "count">) {
  let variance = 0;
  for (const one of own) {
    for (const other of own) variance += one.times * other.times * value(covariance, one.effect, other.effect);
  }
  return { eta: etaOf(effects, own, offset), variance };
}

/** Weight of an observation in the fit: how much is known from it of the logarithm of its mean. */
export const informationOf = (mean: number, k: number): number => mean / (1 + mean / k);

interface Step {
  model: CountModel;
  variances: readonly number[];
  k: number;
  trust: Float64Array;
}

/** Without effects yet, each count begins as its own mean. */
function normalEquations(observations: readonly Observation[], effects: Float64Array | undefined, step: Step) {
  const { model, variances, k, trust } = step;
  const matrix = zeros(model.groups.length);
  const vector = new Float64Array(model.groups.length);
  for (const [effect, group] of model.groups.entries()) {
    add(matrix, effect, effect, group === null ? 1e-6 : 1 / (variances[group] ?? 1));
  }
  for (const [index, { count, effects: own, offset = 0 }] of observations.entries()) {
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

/** By moments, and never steadier than `kMax`. */
function dispersion(
  observations: readonly Observation[],
  effects: Float64Array,
  trust: Float64Array,
  { kMax }: CountModel,
): number {
  let [sum, weights] = [PRIOR_OBSERVATIONS / kMax, PRIOR_OBSERVATIONS];
  for (const [index, { count, effects: own, offset = 0 }] of observations.entries()) {
    // What stands out is no part of how the rest varies.
    if ((trust[index] ?? 1) < 1) continue;
    const mean = Math.exp(etaOf(effects, own, offset));
    // Where counts are small, chance says nothing of the dispersion.
    const weight = (informationOf(mean, kMax) / kMax) ** 2;
    sum += (weight * ((count - mean) ** 2 - mean)) / mean ** 2;
    weights += weight;
  }
  return Math.min(kMax, 1 / Math.max(1e-9, sum / weights));
}

function putTrust(observations: readonly Observation[], effects: Float64Array, k: number, trust: Float64Array): void {
  for (const [index, { count, effects: own, offset = 0 }] of observations.entries()) {
    const deviations = Math.abs(stabilized(count, k) - stabilized(Math.exp(etaOf(effects, own, offset)), k));
    trust[index] = deviations > OUTLYING ? (OUTLYING / deviations) ** 2 : 1;
  }
}

/** Anscombe (1948): under it a negative binomial has a deviation of about 1 whatever its mean. */
const stabilized = (count: number, k: number): number => 2 * Math.sqrt(k) * Math.asinh(Math.sqrt((count + 3 / 8) / k));
