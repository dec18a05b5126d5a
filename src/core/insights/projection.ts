/**
 * Projects a daily count, with an interval that should contain 80 of 100 actual outcomes. Many shapes are tried:
 * constant level, exponential and linear growth or decline of many slopes, a new level since some day, and a fading
 * launch. Each is weighted by how likely it makes the observed days and by how common it is (Bayesian model
 * averaging: Raftery 1995, "Bayesian model selection in social research", Sociological Methodology 25), and the
 * interval is that of the mixture. A steady history thus gets a narrow interval, and one that may be a trend a wide
 * one. Exponential growth continues either in full or damped (Gardner & McKenzie 1985, "Forecasting trends in time
 * series", Management Science 31), because its past does not show which; a fading launch goes on fading. The slopes
 * tried are some distance apart, so the future of each is as uncertain as the slopes between them differ.
 *
 * Each day of the week has its usual share, estimated together with a level for each week (`count-model.ts`). Counts
 * vary as a negative binomial whose dispersion is that of the days around the likeliest shape.
 */
import { DAY_MS } from "../time/time-range";
import { type Shape, shapesOf } from "./shapes";
import { logGamma } from "./statistics/beta";
import { fitCounts, informationOf } from "./statistics/count-model";
import { quantile, type Spread } from "./statistics/mixture";

export interface CountedDay {
  /** Start of the day, Unix milliseconds. */
  at: number;
  count: number;
  /** What the count is proportional to, such as the clicks that conversions came from; 1 if omitted. */
  exposure?: number;
}

export interface Projected {
  /** Total over all days of the horizon. With an exposure, the count for one unit of it on the average day. */
  middle: number;
  low: number;
  high: number;
  /** The likeliest kind of shape. */
  kind: Shape["kind"];
  /** Probability of that kind, 0 to 1. */
  weight: number;
  /** How many days the likeliest shape explains, up to the last one, and whether these are all. */
  daysExplained: number;
  isWhole: boolean;
}

/** Probability that the interval covers. */
const COVERAGE = 0.8;
/** Older days are ignored, because they add nothing. */
const DAYS_MAX = 90;
export const DAYS_MIN = 4;
const K_MAX = 300;
const K_MIN = 0.3;
const LEVEL_STEPS = 4;
const FREE = 5;

/** Returns undefined if there are too few days since the first count. */
export function project(days: readonly CountedDay[], horizon: number): Projected | undefined {
  const first = days.findIndex(({ count }) => count > 0);
  const sinceFirstCount =
    first < 0 ? [] : days.slice(Math.max(first, days.length - DAYS_MAX)).filter(({ exposure = 1 }) => exposure > 0);
  if (sinceFirstCount.length < DAYS_MIN) return undefined;
  const isRate = days.some(({ exposure }) => exposure !== undefined);
  const weekdays = isRate ? new Float64Array(WEEK) : weekdayEffects(sinceFirstCount);
  const series = sinceFirstCount.map(({ at, count, exposure = 1 }) => ({
    count,
    offset: Math.log(exposure) + (weekdays[weekdayOf(at)] ?? 0),
  }));
  const shapes = shapesOf(series.length);
  const rough = shapes.map((shape) => fitShape(series, shape, K_MAX / 10));
  const k = dispersionAround(series, likeliest(rough));
  const fits = shapes.map((shape) => fitShape(series, shape, k));
  const most = likeliest(fits).likelihood;
  const weights = fits.map(({ likelihood }) => Math.exp(likelihood - most));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const last = sinceFirstCount.at(-1)?.at ?? 0;
  const spreads = fits.map((fit, index): Spread => {
    const ahead = Array.from({ length: horizon }, (_, day) => {
      const seasonal = weekdays[weekdayOf(last + (day + 1) * DAY_MS)] ?? 0;
      return Math.exp(fit.level + fit.shape.at(series.length + day) + seasonal);
    });
    // From the middle of the observed days to the middle of the days ahead.
    const slopeUncertainty = ((fit.shape.slopeDeviation ?? 0) * (series.length + horizon)) / 2;
    const variance = fit.variance + slopeUncertainty ** 2;
    return { weight: (weights[index] ?? 0) / sum, ...logNormalOf(ahead, variance, isRate ? undefined : k) };
  });
  const [low, middle, high] = [(1 - COVERAGE) / 2, 0.5, (1 + COVERAGE) / 2].map((at) => quantile(spreads, at));
  const kinds = Map.groupBy(fits.keys(), (index) => fits[index]?.shape.kind ?? "steady");
  const [kind, weight] = [...kinds]
    .map(([name, all]) => [name, all.reduce((total, index) => total + (weights[index] ?? 0), 0) / sum] as const)
    .reduce((best, each) => (each[1] > best[1] ? each : best));
  const { since } = likeliest(fits).shape;
  const daysExplained = series.length - since;
  return { low: low ?? 0, middle: middle ?? 0, high: high ?? 0, kind, weight, daysExplained, isWhole: since === 0 };
}

/** Rounds to whole counts within the interval. */
export function wholeNumbers({ low, middle, high }: Pick<Projected, "low" | "middle" | "high">) {
  const centre = Math.round(middle);
  return { low: Math.min(centre, Math.ceil(low)), middle: centre, high: Math.max(centre, Math.floor(high)) };
}

const WEEK = 7;
/** 0 is Sunday; 1 January 1970 was a Thursday. */
const weekdayOf = (at: number): number => (Math.floor(at / DAY_MS) + 4) % WEEK;

/** Returns the logarithm of each weekday's factor, with a mean of 0 over the week. */
function weekdayEffects(days: readonly CountedDay[]): Float64Array {
  const weeks = Math.ceil(days.length / WEEK);
  const start = days[0]?.at ?? 0;
  const groups = [null, ...Array(weeks).fill(0), ...Array(WEEK).fill(1)];
  const fit = fitCounts(
    days.map(({ at, count }) => ({
      count,
      effects: [
        { effect: 0, times: 1 },
        { effect: 1 + Math.floor((at - start) / DAY_MS / WEEK), times: 1 },
        { effect: 1 + weeks + weekdayOf(at), times: 1 },
      ],
    })),
    { groups, variances: [0.5, 0.03], kMax: K_MAX / 10, isRobust: true },
  );
  const effects = fit.effects.slice(1 + weeks);
  const mean = effects.reduce((sum, each) => sum + each, 0) / WEEK;
  return effects.map((each) => each - mean);
}

interface SeriesDay {
  count: number;
  offset: number;
}

interface ShapeFit {
  shape: Shape;
  level: number;
  /** Variance of the level. */
  variance: number;
  /** Log-likelihood of the days under the shape, including the shape's prior. */
  likelihood: number;
}

const likeliest = (fits: readonly ShapeFit[]): ShapeFit =>
  fits.reduce((best, each) => (each.likelihood > best.likelihood ? each : best));

function fitShape(series: readonly SeriesDay[], shape: Shape, k: number): ShapeFit {
  const before = shape.since > 0 ? levelOf(series, k, (day) => (day < shape.since ? 0 : undefined)) : undefined;
  const own = levelOf(series, k, (day) => (day < shape.since ? undefined : shape.at(day)));
  // A second level is penalized by Schwarz's criterion.
  const penalty = before ? 0.5 * Math.log(series.length) : 0;
  return { shape, ...own, likelihood: own.likelihood + (before?.likelihood ?? 0) + shape.prior - penalty };
}

/** Fits the level of the days that `shapeAt` defines, by Newton's method from the method of moments. */
function levelOf(series: readonly SeriesDay[], k: number, shapeAt: (day: number) => number | undefined) {
  const days = series.flatMap(({ count, offset }, day) => {
    const shape = shapeAt(day);
    return shape === undefined ? [] : [{ count, base: offset + shape }];
  });
  const total = days.reduce((sum, { count }) => sum + count, 0);
  let level = Math.log((total + 0.5) / days.reduce((sum, { base }) => sum + Math.exp(base), 0));
  let information = 0;
  for (let step = 0; step < LEVEL_STEPS; step++) {
    let slope = 0;
    information = 0;
    for (const { count, base } of days) {
      const mean = Math.exp(level + base);
      slope += (count - mean) / (1 + mean / k);
      information += informationOf(mean, k);
    }
    level += Math.max(-1, Math.min(1, slope / (information + 0.5)));
  }
  const likelihood = days.reduce(
    (sum, { count, base }) => sum + logNegativeBinomial(count, Math.exp(level + base), k),
    0,
  );
  return { level, variance: 1 / (information + 0.5), likelihood };
}

/** Omits terms that depend on neither the mean nor k. */
const logNegativeBinomial = (count: number, mean: number, k: number): number =>
  logGamma(count + k) -
  logGamma(k) +
  k * Math.log(k / (k + mean)) +
  (count === 0 ? 0 : count * Math.log(mean / (k + mean)));

function dispersionAround(series: readonly SeriesDay[], { shape, level }: ShapeFit): number {
  let [sum, weights] = [0, 0];
  let days = 0;
  for (const [day, { count, offset }] of series.entries()) {
    if (day < shape.since) continue;
    const mean = Math.exp(level + shape.at(day) + offset);
    const weight = (mean / (mean + K_MAX / 10)) ** 2;
    sum += (weight * ((count - mean) ** 2 - mean)) / mean ** 2;
    weights += weight;
    days++;
  }
  const free = days / Math.max(1, days - FREE);
  // Corrects for the degrees of freedom that the fit has used.
  const inverse = weights > 0 ? (free * sum) / weights : 0;
  return Math.max(K_MIN, Math.min(K_MAX, 1 / Math.max(1e-9, inverse)));
}

/** Returns a log-normal distribution: of the sum of counts, or without a dispersion, of the average day's mean. */
function logNormalOf(means: readonly number[], variance: number, k: number | undefined): Omit<Spread, "weight"> {
  const total = means.reduce((sum, mean) => sum + mean, 0);
  if (k === undefined) return { middle: Math.log(total / means.length), deviation: Math.sqrt(variance) };
  const squares = means.reduce((sum, mean) => sum + mean * mean, 0);
  const chance = (total + squares / k) / (total * total);
  return { middle: Math.log(total), deviation: Math.sqrt(variance + Math.log1p(chance)) };
}
