/**
 * Chooses the shapes to try for a daily count (`shapes.ts`), and the season that goes with each: the pattern of the
 * week as the days show it, or for a burst as the other days do.
 */
import { DAY_MS } from "../time/time-range";
import { burstsOf, type Shape, STEADY, shapesOf } from "./shapes";
import { fitCounts } from "./statistics/count-model";
import { median } from "./statistics/robust";

export interface CountedDay {
  /** Start of the day, Unix milliseconds. */
  at: number;
  count: number;
  /** What the count is proportional to, such as the clicks that conversions came from; 1 if omitted. */
  exposure?: number;
}

export interface SeriesDay {
  count: number;
  offset: number;
}

export interface TriedShape {
  shape: Shape;
  series: readonly SeriesDay[];
  /** Logarithm of each weekday's factor. */
  season: Float64Array;
  /** True if the shape's height was taken from these very counts. */
  isBurst?: boolean;
  /** True if the season was taken from so few days that a trend may explain them as well. */
  isWeekly?: boolean;
}

/** Largest dispersion parameter in the fit of the season. */
const SEASON_K_MAX = 30;
export const WEEK = 7;
/** In fewer days, the pattern of the week cannot be distinguished from a trend. */
const SEASON_DAYS_MIN = 2 * WEEK;
/** How many times the usual count begins a burst, and at least how many. */
const [BURST_TIMES_MIN, BURST_COUNT_MIN] = [2.5, 10];
/** Days of a burst that say nothing about the pattern of the week. */
const BURST_DAYS = 4;
const BURSTS_MAX = 2;

/** Returns the shapes to try, each with the days in the season that goes with it. */
export function triedFor(days: readonly CountedDay[], isRate: boolean): TriedShape[] {
  const plain = inSeason(days, new Float64Array(WEEK));
  if (isRate) return shapesOf(days.length).map((shape) => ({ shape, ...plain }));
  const hasSeason = days.length >= SEASON_DAYS_MIN;
  const usual = hasSeason ? inSeason(days, weekdayEffects(days)) : plain;
  const bursts = outlying(plain.series).flatMap(({ day }) => {
    const others = days.filter((_, other) => other < day || other >= day + BURST_DAYS);
    const own = hasSeason ? inSeason(days, weekdayEffects(others)) : plain;
    const { times } = timesUsual(own.series)[day] ?? { times: 1 };
    return times > 1 ? burstsOf(days.length, { day, times }).map((shape) => ({ shape, ...own, isBurst: true })) : [];
  });
  const weekly = hasSeason || days.length <= WEEK ? [] : [inSeason(days, weekdayEffects(days))];
  return [
    ...shapesOf(days.length).map((shape) => ({ shape, ...usual })),
    ...bursts,
    ...weekly.map((own) => ({ shape: STEADY, ...own, isWeekly: true })),
  ];
}

const inSeason = (days: readonly CountedDay[], season: Float64Array): Pick<TriedShape, "series" | "season"> => ({
  season,
  series: days.map(({ at, count, exposure = 1 }) => ({
    count,
    offset: Math.log(exposure) + (season[weekdayOf(at)] ?? 0),
  })),
});

/** Returns how many times the usual count each day has. */
function timesUsual(series: readonly SeriesDay[]) {
  const counts = series.map(({ count, offset }) => count / Math.exp(offset));
  const usual = Math.max(1, median(counts));
  return counts.map((count, day) => ({ day, times: count / usual, count: series[day]?.count ?? 0 }));
}

const outlying = (series: readonly SeriesDay[]) =>
  timesUsual(series)
    .filter(({ times, count }) => times >= BURST_TIMES_MIN && count >= BURST_COUNT_MIN)
    .toSorted((a, b) => b.times - a.times)
    .slice(0, BURSTS_MAX);

/** 0 is Sunday; 1 January 1970 was a Thursday. */
export const weekdayOf = (at: number): number => (Math.floor(at / DAY_MS) + 4) % WEEK;

/** Returns the logarithm of each weekday's factor, with a mean of 0 over the week. */
function weekdayEffects(days: readonly CountedDay[]): Float64Array {
  const start = days[0]?.at ?? 0;
  const weeks = 1 + Math.floor(((days.at(-1)?.at ?? 0) - start) / DAY_MS / WEEK);
  const groups = [null, ...Array(weeks).fill(0), ...Array(WEEK).fill(1), null];
  const fit = fitCounts(
    days.map(({ at, count }) => ({
      count,
      effects: [
        { effect: 0, times: 1 },
        { effect: 1 + Math.floor((at - start) / DAY_MS / WEEK), times: 1 },
        { effect: 1 + weeks + weekdayOf(at), times: 1 },
        // Without a slope, what grows within each week would pass for a pattern of its days.
        { effect: 1 + weeks + WEEK, times: (at - start) / DAY_MS / (2 * WEEK) },
      ],
    })),
    { groups, variances: [0.1, 0.03], kMax: SEASON_K_MAX, isRobust: true },
  );
  const effects = fit.effects.slice(1 + weeks, 1 + weeks + WEEK);
  const mean = effects.reduce((sum, each) => sum + each, 0) / WEEK;
  return effects.map((each) => each - mean);
}
