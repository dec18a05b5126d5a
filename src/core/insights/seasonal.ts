/**
 * How likely each count of a series is, given the others: a regression of counts (`count-model.ts`) with a level, a slope
 * and a season says what was to be expected of a bucket, from the buckets around it without the bucket itself, and the tail
 * of a negative binomial how likely one so far out is (`tails.ts`). The season of days is the day of the week; of hours it
 * is the hour of the day, by workdays and weekends, and the day of the week. An hour must be as unlikely beside the same
 * hour of the weeks around it, or a newsletter of each Tuesday would be an anomaly every week.
 *
 * Counts are taken to vary by at least what real traffic does, k = 20, which is 22 % of the mean beside pure chance. A series
 * that is wilder by itself is taken for as wild as it is.
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
import { type CountDistribution, lowerTail, upperTail } from "./statistics/tails";

export interface CountBucket {
  /** Its start, Unix milliseconds. */
  at: number;
  count: number;
}

export interface JudgedBucket extends CountBucket {
  expected: number;
  /** That a count is so far out, on its own side, by chance. */
  probability: number;
  /** The dispersion that it was judged by: see `CountModel`. */
  k: number;
  /** What the same hour or day of the week had in the weeks around it, in order. */
  usual: number[];
}

export type Judgement =
  | { ok: true; buckets: JudgedBucket[] }
  /** `short` means too little history for any season, `few` too few clicks to distinguish anything from chance. */
  | { ok: false; reason: "short" | "few" };

/** Real traffic varies at least this much: see `CountModel`. */
const K_MAX = 20;
export const TOTAL_MIN = 50;
const WEEKS_MIN = 2;
const WEEK_MS = 7 * DAY_MS;
/** Buckets are judged by blocks, each from the stretch that reaches so far beyond it on both sides. */
const BLOCK_MS = WEEK_MS;
const REACH_MS = 4 * WEEK_MS;
const USUAL_MAX = 4;
/** Leaving a bucket out of its own fit is exact but for this share. */
const LEFT_MIN = 0.05;
/** From here on a day is judged by a fit that it has no part in. */
const UNLIKELY = 0.05;

/**
 * `series` has every bucket of a stretch of time, in order and without gaps; what precedes its first click is left out,
 * since nothing was expected then. Only buckets from `from` on are judged.
 */
export function judgeSeries(series: readonly CountBucket[], lengthMs: number, from: number): Judgement {
  const begun = series.slice(Math.max(0, firstClick(series)));
  if (begun.length * lengthMs < WEEKS_MIN * WEEK_MS) return { ok: false, reason: "short" };
  if (begun.reduce((sum, { count }) => sum + count, 0) < TOTAL_MIN) return { ok: false, reason: "few" };
  const length = BLOCK_MS / lengthMs;
  const reach = REACH_MS / lengthMs;
  const buckets: JudgedBucket[] = [];
  // A last block that is not whole belongs to the one before it.
  for (let start = 0; start + length <= begun.length; start += length) {
    const isLast = start + 2 * length > begun.length;
    const end = isLast ? begun.length : start + length;
    if ((begun[end - 1]?.at ?? 0) < from) continue;
    const first = Math.max(0, start - reach);
    const around = begun.slice(first, end + reach);
    const fit = fitCounts(around.map(observed(lengthMs)), lengthMs === HOUR_MS ? HOURLY : DAILY);
    for (let index = start; index < end; index++) {
      const bucket = begun[index];
      if (!bucket || bucket.at < from) continue;
      const judged = judge(begun, index, { fit, trust: fit.trust[index - first] ?? 1, lengthMs });
      const isSettled = lengthMs === HOUR_MS || judged.probability > UNLIKELY;
      buckets.push(isSettled ? judged : judgeApart(judged, around.toSpliced(index - first, 1), lengthMs));
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
/** Of slopes, weekends, weekdays, hours, hours of weekends: the variances that they begin with. */
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
const HOURLY: CountModel = { ...DAILY, groups: groupsOf(...OF_DAYS, [3, HOURS], [4, HOURS]) };

const observed = (lengthMs: number) => (bucket: CountBucket) => ({
  count: bucket.count,
  effects: effectsAt(bucket.at, lengthMs),
});

/** Slopes are of a fortnight, counted from an instant so that their numbers stay small. */
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
  { fit, trust, lengthMs }: { fit: CountFit; trust: number; lengthMs: number },
): JudgedBucket {
  const bucket = series[index] ?? { at: 0, count: 0 };
  const usual = usualOf(series, index, WEEK_MS / lengthMs);
  const predicted = withoutItself(bucket, fit, trust, lengthMs);
  const probabilities = [predicted, ...(lengthMs === HOUR_MS ? beside(usual, fit.k) : [])].map((each) =>
    tail(bucket.count, each, predicted.mean),
  );
  return { ...bucket, expected: predicted.mean, probability: Math.max(...probabilities), k: fit.k, usual };
}

/**
 * By a fit to the others alone. One step away from the common fit underrates what a count far out does to it (Pregibon 1981,
 * "Logistic regression diagnostics", Annals of Statistics 9): among two or three of its weekday it passes for a part of the
 * weekly pattern, and widens it. Hours have enough of their own kind around them.
 */
function judgeApart(judged: JudgedBucket, others: readonly CountBucket[], lengthMs: number): JudgedBucket {
  const fit = fitCounts(others.map(observed(lengthMs)), DAILY);
  const { eta, variance } = linear(fit, { effects: effectsAt(judged.at, lengthMs) });
  const predicted = { mean: Math.exp(eta), k: fit.k, variance };
  return { ...judged, expected: predicted.mean, k: fit.k, probability: tail(judged.count, predicted) };
}

/** That a count is so far out on its own side. */
const tail = (count: number, predicted: CountDistribution, middle = predicted.mean): number =>
  count > middle ? upperTail(count, predicted) : lowerTail(count, predicted);

/** What is expected of a bucket by the others, to one step of the fit (Cook & Weisberg 1982, "Residuals and influence"). */
function withoutItself({ at, count }: CountBucket, fit: CountFit, trust: number, lengthMs: number): CountDistribution {
  const { eta, variance } = linear(fit, { effects: effectsAt(at, lengthMs) });
  const mean = Math.exp(eta);
  const own = trust * informationOf(mean, fit.k) * variance;
  const left = Math.max(LEFT_MIN, 1 - own);
  const moved = (-own * (count - mean)) / mean / left;
  return { mean: mean * Math.exp(Math.max(-1, Math.min(1, moved))), k: fit.k, variance: variance / left };
}

function beside(usual: readonly number[], k: number): CountDistribution[] {
  if (usual.length === 0) return [];
  const mean = Math.max(0.5, usual.reduce((sum, count) => sum + count, 0) / usual.length);
  return [{ mean, k, variance: (1 / k + 1 / mean) / usual.length }];
}

/** Finds the nearest buckets of the same season, before and after. */
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
