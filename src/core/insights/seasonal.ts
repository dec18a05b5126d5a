/**
 * Computes how likely each count of a series is, given the others. A regression of counts (`count-model.ts`) with a
 * level, a slope and a season predicts a bucket from the buckets around it, excluding the bucket itself. The tail of
 * a negative binomial (`tails.ts`) gives the probability of a count this far out. The season of days is the weekday.
 * The season of hours is the hour of the day, separately for workdays and weekends, and the weekday. An hour must
 * also be unlikely compared with the same hour of the surrounding weeks, and so must a day of which there are few;
 * otherwise a newsletter sent every Tuesday would be an anomaly every week.
 *
 * Counts are assumed to vary at least as much as real traffic does: k = 20, which adds 22% of the mean to pure
 * chance. A series that varies more is judged by its own dispersion.
 */
import { DAY_MS, HOUR_MS } from "../time/time-range";
import {
  type CountFit,
  type CountModel,
  type Effect,
  fitCounts,
  informationOf,
  linear,
} from "./statistics/count-model";
import { mean } from "./statistics/robust";
import { type CountDistribution, lowerTail, upperTail } from "./statistics/tails";

export interface CountBucket {
  /** Start of the bucket, Unix milliseconds. */
  at: number;
  count: number;
}

export interface JudgedBucket extends CountBucket {
  expected: number;
  /** Probability that chance alone puts a count this far out, on the same side. */
  probability: number;
  /** The dispersion used: see `CountModel`. */
  k: number;
  /** Counts of the same hour or weekday in the surrounding weeks, in order. */
  usual: number[];
}

export type Judgement =
  | { ok: true; buckets: JudgedBucket[] }
  /** `short`: too little history for any season. `few`: too few clicks to distinguish anything from chance. */
  | { ok: false; reason: "short" | "few" };

/** Real traffic varies at least this much: see `CountModel`. */
const K_MAX = 20;
export const TOTAL_MIN = 50;
const WEEKS_MIN = 2;
const WEEK_MS = 7 * DAY_MS;
/** Buckets are judged in blocks, each with a fit to the block and this much time on either side of it. */
const BLOCK_MS = WEEK_MS;
const REACH_MS = 4 * WEEK_MS;
const USUAL_MAX = 4;
/** Smallest remaining weight of a bucket that is taken out of its own fit. */
const LEFT_MIN = 0.05;
/** How many times what the fit expects the days of a weekday set apart have. */
const APART = 1.2;
/** At or below this probability, a day is judged again by a fit that excludes it. */
const UNLIKELY = 0.05;

/**
 * Judges the buckets from `from` on. `series` has every bucket of a period, in order and without gaps. Buckets before
 * the first click are ignored, because nothing was expected then.
 */
export function judgeSeries(series: readonly CountBucket[], lengthMs: number, from: number): Judgement {
  const begun = series.slice(Math.max(0, firstClick(series)));
  if (begun.length * lengthMs < WEEKS_MIN * WEEK_MS) return { ok: false, reason: "short" };
  if (begun.reduce((sum, { count }) => sum + count, 0) < TOTAL_MIN) return { ok: false, reason: "few" };
  const length = BLOCK_MS / lengthMs;
  const reach = REACH_MS / lengthMs;
  const buckets: JudgedBucket[] = [];
  // A last block that is incomplete is merged into the one before it.
  for (let start = 0; start + length <= begun.length; start += length) {
    const isLast = start + 2 * length > begun.length;
    const end = isLast ? begun.length : start + length;
    if ((begun[end - 1]?.at ?? 0) < from) continue;
    const first = Math.max(0, start - reach);
    const around = begun.slice(first, end + reach);
    const fit = fitCounts(around.map(observed(lengthMs)), lengthMs === HOUR_MS ? HOURLY : dailyModel(around));
    for (let index = start; index < end; index++) {
      const bucket = begun[index];
      if (!bucket || bucket.at < from) continue;
      const judged = judge(begun, index, { fit, place: index - first, lengthMs });
      const isSettled = lengthMs === HOUR_MS || judged.probability > UNLIKELY;
      buckets.push(isSettled ? judged : judgeLeaveOneOut(judged, around.toSpliced(index - first, 1), lengthMs));
    }
  }
  return { ok: true, buckets };
}

const firstClick = (series: readonly CountBucket[]) => series.findIndex(({ count }) => count > 0);

const [LEVEL, SLOPE, WEEKEND, WEEKDAY] = [0, 1, 2, 3] as const;
const WEEKDAYS = 7;
const HOUR = WEEKDAY + WEEKDAYS;
const HOURS = 24;
const WEEKEND_HOUR = HOUR + HOURS;
/** Initial variances of slopes, weekends, weekdays, hours, and weekend hours. */
const VARIANCES = [0.05, 0.3, 0.03, 0.5, 0.1];
const groupsOf = (...counts: [group: number | null, count: number][]) =>
  counts.flatMap(([group, count]) => Array.from({ length: count }, () => group));
const OF_DAYS: [number | null, number][] = [
  [null, 1],
  [0, 1],
  [1, 1],
  [2, WEEKDAYS],
];

const DAILY: CountModel = { groups: groupsOf(...OF_DAYS), variances: VARIANCES, kMax: K_MAX, isRobust: true };
/** From four weeks on, one day cannot pass for what is usual on its weekday. */
const DAILY_LONG: CountModel = { ...DAILY, isBounded: true };
const BOUNDED_DAYS_MIN = 4 * WEEKDAYS;
const HOURLY: CountModel = { ...DAILY, groups: groupsOf(...OF_DAYS, [3, HOURS], [4, HOURS]) };

const dailyModel = (days: readonly CountBucket[]): CountModel => (days.length < BOUNDED_DAYS_MIN ? DAILY : DAILY_LONG);

const observed = (lengthMs: number) => (bucket: CountBucket) => ({
  count: bucket.count,
  effects: effectsAt(bucket.at, lengthMs),
});

/** Slopes are per two weeks, counted from this instant so that the numbers stay small. */
const EPOCH = Date.UTC(2026, 0, 1);

function effectsAt(at: number, lengthMs: number): Effect[] {
  const weekday = weekdayOf(at);
  const weekend = weekday === 0 || weekday === 6 ? 0.5 : -0.5;
  const hour = Math.floor((at % DAY_MS) / HOUR_MS);
  return [
    { effect: LEVEL, times: 1 },
    { effect: SLOPE, times: (at - EPOCH) / (2 * WEEK_MS) },
    { effect: WEEKEND, times: weekend },
    { effect: WEEKDAY + weekday, times: 1 },
    ...(lengthMs === HOUR_MS
      ? [
          { effect: HOUR + hour, times: 1 },
          { effect: WEEKEND_HOUR + hour, times: weekend },
        ]
      : []),
  ];
}

/** 0 is Sunday; 1 January 1970 was a Thursday. */
const weekdayOf = (at: number): number => (Math.floor(at / DAY_MS) + 4) % WEEKDAYS;

function judge(
  series: readonly CountBucket[],
  index: number,
  { fit, place, lengthMs }: { fit: CountFit; place: number; lengthMs: number },
): JudgedBucket {
  const bucket = series[index] ?? { at: 0, count: 0 };
  const usual = usualOf(series, index, WEEK_MS / lengthMs);
  const predicted = predictWithout(bucket.at, fit, place, lengthMs);
  const probabilities = [predicted, ...(lengthMs === HOUR_MS ? beside(usual, fit.k) : [])].map((each) =>
    tail(bucket.count, each, predicted.mean),
  );
  return { ...bucket, expected: predicted.mean, probability: Math.max(...probabilities), k: fit.k, usual };
}

/**
 * Judges a bucket by a fit to the other buckets only. A single step from the common fit underestimates the influence
 * of an extreme count (Pregibon 1981, "Logistic regression diagnostics", Annals of Statistics 9): among only two or
 * three days of its weekday, it passes for part of the weekly pattern and widens it. Hours have enough of their own
 * kind around them.
 */
function judgeLeaveOneOut(judged: JudgedBucket, others: readonly CountBucket[], lengthMs: number): JudgedBucket {
  const fit = fitCounts(others.map(observed(lengthMs)), dailyModel(others));
  const { eta, variance } = linear(fit, { effects: effectsAt(judged.at, lengthMs) });
  const predicted = { mean: Math.exp(eta), k: fit.k, variance };
  const { count, usual } = judged;
  const probabilities = [predicted, ...(isSetApart(usual, count, predicted.mean) ? beside(usual, fit.k) : [])].map(
    (each) => tail(count, each, predicted.mean),
  );
  return { ...judged, expected: predicted.mean, k: fit.k, probability: Math.max(...probabilities) };
}

/**
 * True if the few other days of a weekday stand out on the same side: the fit, which shrinks weekdays, keeps little of
 * what only one to three days show.
 */
function isSetApart(usual: readonly number[], count: number, expected: number): boolean {
  if (usual.length === 0 || usual.length >= USUAL_MAX) return false;
  const ratio = mean(usual) / expected;
  return count > expected ? ratio > APART : ratio < 1 / APART;
}

/** Returns the probability of a count this far out, on the same side. */
const tail = (count: number, predicted: CountDistribution, middle = predicted.mean): number =>
  count > middle ? upperTail(count, predicted) : lowerTail(count, predicted);

/**
 * Predicts a bucket from the others, by one step from the common fit (Cook & Weisberg 1982, "Residuals and
 * influence"). `place` is that of the bucket among what was fitted.
 */
function predictWithout(at: number, fit: CountFit, place: number, lengthMs: number): CountDistribution {
  const [trust = 1, count = 0] = [fit.trust[place], fit.counts[place]];
  const { eta, variance } = linear(fit, { effects: effectsAt(at, lengthMs) });
  const mean = Math.exp(eta);
  const own = trust * informationOf(mean, fit.k) * variance;
  const left = Math.max(LEFT_MIN, 1 - own);
  const moved = (-own * (count - mean)) / mean / left;
  return { mean: mean * Math.exp(Math.max(-1, Math.min(1, moved))), k: fit.k, variance: variance / left };
}

function beside(usual: readonly number[], k: number): CountDistribution[] {
  if (usual.length === 0) return [];
  const middle = Math.max(0.5, mean(usual));
  return [{ mean: middle, k, variance: (1 / k + 1 / middle) / usual.length }];
}

/** Returns the counts of the nearest buckets of the same season, before and after. */
function usualOf(series: readonly CountBucket[], index: number, period: number): number[] {
  const near: { at: number; count: number; distance: number }[] = [];
  for (let distance = 1; distance <= USUAL_MAX; distance++) {
    for (const at of [index - distance * period, index + distance * period]) {
      const bucket = series[at];
      if (bucket) near.push({ ...bucket, distance });
    }
  }
  const nearest = near.sort((a, b) => a.distance - b.distance || a.at - b.at).slice(0, USUAL_MAX);
  return nearest.sort((a, b) => a.at - b.at).map(({ count }) => count);
}
