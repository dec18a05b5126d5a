/**
 * Projects a daily count, with an interval that should contain 80 of 100 actual outcomes. Many shapes are tried:
 * constant level, exponential and linear growth or decline of many slopes, a new level since some day, a fading
 * launch, and a burst of one or a few days. Each is weighted by how likely it makes the observed days and by how
 * common it is (Bayesian model averaging: Raftery 1995, "Bayesian model selection in social research", Sociological
 * Methodology 25), and the interval is that of the mixture. A steady history thus gets a narrow interval, and one that
 * may be a trend a wide one.
 *
 * The past does not show how a shape continues, so each has several futures: growth continues in full, damped
 * (Gardner & McKenzie 1985, "Forecasting trends in time series", Management Science 31) or not at all; after a new
 * level, a fading launch or a burst, the former level may come back, and a burst may happen again. The slopes tried
 * are some distance apart, so the future of each is as uncertain as the slopes between them differ.
 *
 * From two weeks on, each day of the week has its usual share, estimated together with a slope and a level for each
 * week (`count-model.ts`); in fewer days, it could not be told from a trend. Counts vary as a negative binomial whose
 * dispersion is that of the days around the likeliest shape. How often intervals hold is measured by `bun run bench
 * insights`.
 */
import { DAY_MS } from "../time/time-range";
import type { Shape } from "./shapes";
import { logGamma } from "./statistics/beta";
import { informationOf } from "./statistics/count-model";
import { quantile, type Spread } from "./statistics/mixture";
import { type CountedDay, type SeriesDay, type TriedShape, triedFor, WEEK, weekdayOf } from "./tried-shapes";

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
/** How uncertain a level becomes, as a logarithm, when the days ahead are e times as many as the days observed. */
const DRIFT = 0.25;
/** How uncertain a level is for what so few days do not show, as a logarithm; less with each, nothing in a month. */
const [UNSEEN, UNSEEN_DAYS] = [0.24, 32];
/** How much bursts vary, as a logarithm: one of them does not show it. */
const BURST_DEVIATION = 0.4;

/** Returns undefined if there are too few days since the first count. */
export function project(days: readonly CountedDay[], horizon: number): Projected | undefined {
  const first = days.findIndex(({ count }) => count > 0);
  const sinceFirstCount =
    first < 0 ? [] : days.slice(Math.max(first, days.length - DAYS_MAX)).filter(({ exposure = 1 }) => exposure > 0);
  if (sinceFirstCount.length < DAYS_MIN) return undefined;
  const isRate = days.some(({ exposure }) => exposure !== undefined);
  const tried = triedFor(sinceFirstCount, isRate);
  const rough = tried.map((each) => fitShape(each, K_MAX / 10));
  const k = dispersionAround(likeliest(rough));
  const fits = tried.map((each) => fitShape(each, k));
  const most = likeliest(fits).likelihood;
  const weights = fits.map(({ likelihood }) => Math.exp(likelihood - most));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const ahead = { days: sinceFirstCount, horizon, k: isRate ? undefined : k };
  const spreads = fits.flatMap((fit, index) => spreadsOf(fit, (weights[index] ?? 0) / sum, ahead));
  const [low, middle, high] = [(1 - COVERAGE) / 2, 0.5, (1 + COVERAGE) / 2].map((at) => quantile(spreads, at));
  const kinds = Map.groupBy(fits.keys(), (index) => fits[index]?.shape.kind ?? "steady");
  const [kind, weight] = [...kinds]
    .map(([name, all]) => [name, all.reduce((total, index) => total + (weights[index] ?? 0), 0) / sum] as const)
    .reduce((best, each) => (each[1] > best[1] ? each : best));
  const { since } = likeliest(fits).shape;
  const daysExplained = sinceFirstCount.length - since;
  return { low: low ?? 0, middle: middle ?? 0, high: high ?? 0, kind, weight, daysExplained, isWhole: since === 0 };
}

interface Ahead {
  days: readonly CountedDay[];
  horizon: number;
  k: number | undefined;
}

/** Returns the distribution of the total over the horizon under each future of a shape. */
function spreadsOf(fit: ShapeFit, weight: number, { days, horizon, k }: Ahead): Spread[] {
  const { shape, season, before, level, variance, isBurst } = fit;
  const last = days.at(-1)?.at ?? 0;
  const unseen = k === undefined ? 0 : UNSEEN * Math.max(0, 1 - days.length / UNSEEN_DAYS);
  const drift = DRIFT * Math.log(Math.max(1, horizon / days.length));
  // From the middle of the observed days to the middle of the days ahead.
  const slope = ((shape.slopeDeviation ?? 0) * (days.length + horizon)) / 2;
  return shape.futures.map((future) => {
    const isBack = before && (future.before === "instead" || (future.before && before.level < level));
    const height = (day: number) => Math.exp(level + (future.at ?? shape.at)(day));
    const ahead = Array.from({ length: horizon }, (_, index) => {
      const day = days.length + index;
      const own = isBack && future.before === "instead" ? 0 : height(day);
      const factor = Math.exp(season[weekdayOf(last + (index + 1) * DAY_MS)] ?? 0);
      return { usual: factor * Math.exp(level), mean: factor * (own + (isBack ? Math.exp(before.level) : 0)) };
    });
    const sum = (of: "usual" | "mean") => ahead.reduce((total, each) => total + each[of], 0);
    const burst = isBurst ? BURST_DEVIATION * (1 - sum("usual") / sum("mean")) : 0;
    const uncertain = isBack ? before.variance : variance;
    const means = ahead.map(({ mean }) => mean);
    const deviations = [slope, drift, unseen, burst].reduce((total, each) => total + each ** 2, uncertain);
    return { weight: weight * future.share, ...logNormalOf(means, deviations, k) };
  });
}

/** Rounds to whole counts within the interval. */
export function wholeNumbers({ low, middle, high }: Pick<Projected, "low" | "middle" | "high">) {
  const centre = Math.round(middle);
  return { low: Math.min(centre, Math.ceil(low)), middle: centre, high: Math.max(centre, Math.floor(high)) };
}

interface ShapeFit extends TriedShape, Level {
  /** That of the days before the shape. */
  before: Level | undefined;
}

interface Level {
  level: number;
  /** Variance of the level. */
  variance: number;
  /** Log-likelihood of the days under it, in a fit including the shape's prior. */
  likelihood: number;
}

const likeliest = (fits: readonly ShapeFit[]): ShapeFit =>
  fits.reduce((best, each) => (each.likelihood > best.likelihood ? each : best));

function fitShape(tried: TriedShape, k: number): ShapeFit {
  const { shape, series, isBurst, isWeekly } = tried;
  const before = shape.since > 0 ? levelOf(series, k, (day) => (day < shape.since ? 0 : undefined)) : undefined;
  const own = levelOf(series, k, (day) => (day < shape.since ? undefined : shape.at(day)));
  // What is estimated besides the level is penalized by Schwarz's criterion.
  const estimated = (before ? 1 : 0) + (isBurst ? 1 : 0) + (isWeekly ? WEEK - 1 : 0);
  const penalty = 0.5 * estimated * Math.log(series.length);
  return { ...tried, ...own, before, likelihood: own.likelihood + (before?.likelihood ?? 0) + shape.prior - penalty };
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

function dispersionAround({ shape, level, series }: ShapeFit): number {
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
