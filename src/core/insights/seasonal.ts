/**
 * Which buckets of a series of counts are out of the ordinary, either way. Each is held against the median of the nearest
 * ones of its season, the same hour or day of the week, both before and after it, so that growth over months is nobody's
 * anomaly. Below four weeks there are too few of those: then it has to stand out among the same hours of any day (of days,
 * among all) and from those of its own weekday as well, or a quiet weekend would be an anomaly. Below two weeks nothing is
 * told.
 *
 * Counts are compared after Anscombe's transform (1948, "The transformation of Poisson, binomial and negative-binomial
 * data", Biometrika 35), 2√(x + 3/8), under which the noise of pure chance has a deviation of 1 whatever the level. The
 * distances are measured in robust deviations, 1.4826 · MAD of all of them (Iglewicz & Hoaglin 1993, "How to detect and
 * handle outliers"), but never in less than that 1. So a handful of clicks is never an anomaly, and a series that is wild by
 * itself has fewer. A bucket is told of from 4 deviations on, where also at least 10 clicks and 30 % are beside what was
 * expected: by chance alone, one bucket in 15,000.
 */
import { DAY_MS, HOUR_MS } from "../time-range";
import { MAD_TO_SIGMA, mad, median } from "./robust";

export interface Bucket {
  /** Its start, Unix milliseconds. */
  at: number;
  count: number;
}

/** In words. */
export type Season =
  | "hour of the week"
  | "hour of the day and of the week"
  | "day of the week"
  | "any day and the day of the week";

export interface Deviation {
  /** Of the first of the buckets, and the end of the last. */
  from: number;
  to: number;
  count: number;
  expected: number;
  /** In robust deviations, of the bucket that has most; above 0 for a spike, below for a drop. */
  score: number;
}

export type Judgement =
  | { ok: true; deviations: Deviation[]; season: Season; judged: number }
  /** `short`: too little history for any season. `few`: too few clicks to tell anything from chance. */
  | { ok: false; reason: "short" | "few" };

const SCORE_MIN = 4;
const CHANGE_MIN = 10;
const CHANGE_SHARE_MIN = 0.3;
const TOTAL_MIN = 50;
/** Nearest ones of a season that a bucket is held against. */
const NEIGHBOURS_MAX = 8;
const SIDE_MAX = NEIGHBOURS_MAX / 2;
/** From so many weeks on their days or hours are enough by themselves, and fewest. */
const WEEKS_LONG = 4;
const WEEKS_MIN = 2;

/**
 * `series` has every bucket of a stretch of time, in order and without gaps; what precedes its first click is left out,
 * since nothing was expected then. Only buckets from `from` on are told of; neighbours in time and direction are told as one.
 */
export function judgeSeries(series: readonly Bucket[], lengthMs: number, from: number): Judgement {
  const begun = series.slice(Math.max(0, firstClick(series)));
  const weekly = (7 * DAY_MS) / lengthMs;
  const isLong = begun.length >= WEEKS_LONG * weekly;
  if (begun.length < WEEKS_MIN * weekly) return { ok: false, reason: "short" };
  if (begun.reduce((sum, { count }) => sum + count, 0) < TOTAL_MIN) return { ok: false, reason: "few" };
  const daily = lengthMs === HOUR_MS ? DAY_MS / HOUR_MS : 1;
  const compared = compare(begun, isLong ? [weekly] : [daily, weekly]);
  const scale = Math.max(1, MAD_TO_SIGMA * mad(compared.map(({ distance }) => distance)));
  const told = compared
    .map(({ bucket, expected, distance }) => ({ ...bucket, expected, score: distance / scale }))
    .filter((each) => each.at >= from);
  const deviations = merged(told.filter(isTold), lengthMs);
  return {
    ok: true,
    deviations,
    season: SEASONS[lengthMs === HOUR_MS ? "hour" : "day"][isLong ? 0 : 1],
    judged: told.length,
  };
}

const firstClick = (series: readonly Bucket[]) => series.findIndex(({ count }) => count > 0);

const SEASONS = {
  hour: ["hour of the week", "hour of the day and of the week"],
  day: ["day of the week", "any day and the day of the week"],
} as const;

interface Compared {
  bucket: Bucket;
  expected: number;
  distance: number;
}

/** Against the season of each period, after so many buckets; the one that it stands out least from counts. */
function compare(series: readonly Bucket[], periods: readonly number[]): Compared[] {
  return series.flatMap((bucket, index) => {
    const all = periods.map((period): Compared => {
      const counts = neighboursOf(index, series.length, period).map((at) => series[at]?.count ?? 0);
      const expected = median(counts);
      return { bucket, expected, distance: anscombe(bucket.count) - anscombe(expected) };
    });
    const least = all.toSorted((a, b) => Math.abs(a.distance) - Math.abs(b.distance)).slice(0, 1);
    const isOneWay = new Set(all.map(({ distance }) => Math.sign(distance))).size === 1;
    return isOneWay ? least : least.map((each) => ({ ...each, distance: 0 }));
  });
}

/** The nearest of the same season, as many from one side as there are missing on the other. */
function neighboursOf(index: number, length: number, period: number): number[] {
  const before: number[] = [];
  const after: number[] = [];
  for (let at = index - period; at >= 0 && before.length < NEIGHBOURS_MAX; at -= period) before.push(at);
  for (let at = index + period; at < length && after.length < NEIGHBOURS_MAX; at += period) after.push(at);
  const fromBefore = Math.min(before.length, Math.max(SIDE_MAX, NEIGHBOURS_MAX - after.length));
  return [...before.slice(0, fromBefore), ...after.slice(0, NEIGHBOURS_MAX - fromBefore)];
}

export const anscombe = (count: number): number => 2 * Math.sqrt(count + 3 / 8);

function isTold({ count, expected, score }: { count: number; expected: number; score: number }): boolean {
  const change = Math.abs(count - expected);
  return Math.abs(score) >= SCORE_MIN && change >= CHANGE_MIN && change >= CHANGE_SHARE_MIN * expected;
}

function merged(told: readonly (Bucket & { expected: number; score: number })[], lengthMs: number): Deviation[] {
  const deviations: Deviation[] = [];
  for (const { at, count, expected, score } of told) {
    const last = deviations.at(-1);
    if (last && last.to === at && Math.sign(last.score) === Math.sign(score)) {
      last.to = at + lengthMs;
      last.count += count;
      last.expected += expected;
      if (Math.abs(score) > Math.abs(last.score)) last.score = score;
    } else {
      deviations.push({ from: at, to: at + lengthMs, count, expected, score });
    }
  }
  return deviations;
}
