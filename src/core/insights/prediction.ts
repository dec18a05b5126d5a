/**
 * How many clicks are to be expected, and how many of them will come to something. Conversions are installs, leads and
 * custom events; their rate is per click, with the interval of `rates.ts`.
 *
 * Clicks by day are divided by the median share of their weekday; what is left has a level and a slope (Theil–Sen, taken as
 * none where its 95 % interval holds 0). They are continued with the slope damped by 0.98 a day (Gardner & McKenzie 1985,
 * "Forecasting trends in time series", Management Science 31), and with the weekdays put back. Where there are fewer than
 * two whole weeks, or fewer than five clicks on the median day, the mean of the days goes on instead, as nothing else could
 * be told from so little.
 *
 * The score is a sum of points, at most 95: 40 for the lower end of the rate's interval (all of them from 10 % on), 20 for
 * how many conversions it rests on (all from 100 on, by their logarithm), 15 for the direction of the rate (8 when steady),
 * 10 for that of the clicks (5 when steady), 10 for the share of days that had clicks. Nothing is given for what is unknown.
 */
import { type Level, type Prediction, type PredictionFactor, SCORE_MAX } from "@/contract/insights";
import { DAY_MS } from "../time-range";
import { type Rate, ratePer } from "./rates";
import { type Direction, directionOf, mean, median, type Slope, theilSen } from "./robust";
import { interval, number, percent, plural, rounded } from "./words";

export interface DayFigures {
  /** Its start, Unix milliseconds. */
  at: number;
  clicks: number;
  conversions: number;
}

export interface PredictionInput {
  /** Whole days of the range, in order and without gaps. */
  days: readonly DayFigures[];
  /** Of the whole range. */
  totals: { clicks: number; installs: number; leads: number; events: number };
  horizonDays: number;
}

export interface Predicted {
  prediction: Prediction;
  rate: Rate;
}

const WEEK = 7;
const SEASONAL_DAYS_MIN = 2 * WEEK;
const SEASONAL_MEDIAN_MIN = 5;
const DAMPING = 0.98;
/** For less, no direction is told from chance. */
const DIRECTED_DAYS_MIN = 7;
const DIRECTED_CLICKS_MIN = 50;
const DIRECTED_CONVERSIONS_MIN = 20;
const FULL_RATE = 0.1;

export function predict({ days, totals, horizonDays }: PredictionInput): Predicted {
  const conversions = totals.installs + totals.leads + totals.events;
  const rate = ratePer(conversions, totals.clicks);
  const clicks = projectClicks(days, horizonDays);
  const rates = days.filter((day) => day.clicks > 0).map((day) => day.conversions / day.clicks);
  const isDirected = conversions >= DIRECTED_CONVERSIONS_MIN && rates.length >= DIRECTED_DAYS_MIN;
  const rateTrend = isDirected ? theilSen(rates) : undefined;
  const predicted = predictRate(rate, rateTrend, rates.length);
  const points = pointsOf({ days, conversions, rate, rateTrend: directionOf(rateTrend), clickTrend: clicks.direction });
  const score = Math.min(SCORE_MAX, Math.round(points.reduce((sum, { points }) => sum + points, 0)));
  const prediction: Prediction = {
    score,
    label: score >= 60 ? "high" : score >= 30 ? "medium" : "low",
    confidence: confidenceOf(totals.clicks, conversions, days.length),
    predictedConversionRate: rounded(predicted),
    projectedConversions: Math.round(clicks.total * predicted),
    projectedClicks: Math.round(clicks.total),
    horizonDays,
    factors: points.map(({ factor }) => factor),
    recommendations: recommendationsFor(totals.clicks, conversions, directionOf(rateTrend), clicks.direction),
    baseline: {
      ...totals,
      conversions,
      conversionRate: rounded(rate.rate),
      interval: { low: rounded(rate.low), high: rounded(rate.high), level: 0.95, method: rate.method },
      wholeDays: days.length,
      medianDailyClicks: days.length === 0 ? 0 : rounded(median(days.map((day) => day.clicks)), 1),
      projection: clicks.method,
      points: Object.fromEntries(points.map(({ factor, points }) => [factor.name, rounded(points, 1)])),
    },
  };
  return { prediction, rate };
}

interface Projection {
  total: number;
  method: "weekdays and trend" | "mean" | "none";
  direction: Direction | undefined;
}

/** Over so many days behind the last. */
export function projectClicks(days: readonly DayFigures[], horizonDays: number): Projection {
  const counts = days.map(({ clicks }) => clicks);
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum === 0) return { total: 0, method: "none", direction: undefined };
  const trend = counts.length >= DIRECTED_DAYS_MIN && sum >= DIRECTED_CLICKS_MIN ? theilSen(counts) : undefined;
  if (counts.length < SEASONAL_DAYS_MIN || median(counts) < SEASONAL_MEDIAN_MIN) {
    return { total: mean(counts) * horizonDays, method: "mean", direction: directionOf(trend) };
  }
  const shares = weekdayShares(days, trend?.slope ?? 0);
  const shareAt = (at: number) => shares[weekdayOf(at)] ?? 1;
  // Weekdays on which nobody comes tell nothing of the level.
  const levels = days.filter(({ at }) => shareAt(at) > 0).map((day) => day.clicks / shareAt(day.at));
  const level = theilSen(levels);
  const direction = directionOf(level);
  // Of a day among all, not among those with a share.
  const slope = direction === "steady" ? 0 : ((level?.slope ?? 0) * levels.length) / days.length;
  const last = days.at(-1)?.at ?? 0;
  const start = endLevel(levels, direction === "steady" ? 0 : (level?.slope ?? 0));
  let [total, drift] = [0, 0];
  for (let ahead = 1; ahead <= horizonDays; ahead++) {
    drift += DAMPING ** ahead;
    total += Math.max(0, start + slope * drift) * shareAt(last + ahead * DAY_MS);
  }
  return { total, method: "weekdays and trend", direction };
}

/** Where the line through all of them is at the last one. */
const endLevel = (levels: readonly number[], slope: number): number =>
  median(levels.map((level, index) => level + slope * (levels.length - 1 - index)));

/** The median day of each weekday by that of all, after the slope is taken out, which would favour the later ones. */
function weekdayShares(days: readonly DayFigures[], slope: number): number[] {
  const middle = (days.length - 1) / 2;
  const level = days.map(({ at, clicks }, index) => ({
    at,
    count: clicks - (clicks > 0 ? slope * (index - middle) : 0),
  }));
  const medians = Array.from({ length: WEEK }, (_, weekday) =>
    Math.max(0, median(level.filter(({ at }) => weekdayOf(at) === weekday).map(({ count }) => count))),
  );
  const whole = mean(medians);
  return medians.map((each) => (whole > 0 ? each / whole : 1));
}

/** 0 is Sunday; 1 January 1970 was a Thursday. */
const weekdayOf = (at: number): number => (Math.floor(at / DAY_MS) + 4) % WEEK;

/** Half the range further on where it has a direction, but never beyond what the interval holds. */
function predictRate({ rate, low, high }: Rate, trend: Slope | undefined, days: number): number {
  const direction = directionOf(trend);
  if (!trend || direction === undefined || direction === "steady") return rate;
  return Math.min(high, Math.max(low, rate + (trend.slope * days) / 2));
}

interface Points {
  points: number;
  factor: PredictionFactor;
}

interface Scored {
  days: readonly DayFigures[];
  conversions: number;
  rate: Rate;
  rateTrend: Direction | undefined;
  clickTrend: Direction | undefined;
}

function pointsOf({ days, conversions, rate, rateTrend, clickTrend }: Scored): Points[] {
  const active = days.filter(({ clicks }) => clicks > 0).length;
  const share = days.length === 0 ? 0 : active / days.length;
  return [
    scored("conversion rate", 40, Math.min(1, rate.low / FULL_RATE), {
      value: percent(rate.rate),
      explanation:
        rate.method === "none"
          ? "There were no clicks"
          : `${plural(conversions, "conversion")} per click: ${interval(rate)}`,
    }),
    scored("evidence", 20, Math.min(1, Math.log10(1 + conversions) / 2), {
      value: plural(conversions, "conversion"),
      explanation: "The more conversions a rate rests on, the surer it is; a hundred are enough",
    }),
    directed("direction of the conversion rate", 15, rateTrend),
    directed("direction of the clicks", 10, clickTrend),
    scored("steadiness", 10, share, {
      value: `${number(active)} of ${plural(days.length, "day")}`,
      explanation: "Whole days of the range that had clicks",
    }),
  ];
}

function scored(
  name: string,
  most: number,
  share: number,
  said: Pick<PredictionFactor, "value" | "explanation">,
): Points {
  const impact = share >= 0.5 ? "positive" : share >= 0.2 ? "neutral" : "negative";
  return { points: most * share, factor: { name, impact, ...said } };
}

const DIRECTIONS = {
  rising: { share: 1, impact: "positive" },
  steady: { share: 0.5, impact: "neutral" },
  falling: { share: 0, impact: "negative" },
} as const;

function directed(name: string, most: number, direction: Direction | undefined): Points {
  if (direction === undefined) {
    const explanation = "Too few days, clicks or conversions to tell a direction from chance";
    return { points: 0, factor: { name, impact: "neutral", value: "unknown", explanation } };
  }
  const { share, impact } = DIRECTIONS[direction];
  const explanation = "By the Theil–Sen slope of the days and its 95 % interval";
  return { points: most * share, factor: { name, impact, value: direction, explanation } };
}

function confidenceOf(clicks: number, conversions: number, days: number): Level {
  if (conversions >= 100 && days >= SEASONAL_DAYS_MIN) return "high";
  return conversions >= 20 && clicks >= 200 && days >= WEEK ? "medium" : "low";
}

function recommendationsFor(
  clicks: number,
  conversions: number,
  rateTrend: Direction | undefined,
  clickTrend: Direction | undefined,
): string[] {
  if (clicks === 0) return ["Share the links: without clicks there is nothing to predict from"];
  if (conversions === 0) return ["Send custom events, capture leads or match installs: no conversion was recorded yet"];
  const recommendations = [
    ...(conversions < 20 ? ["Wait for more conversions before you act on this: it rests on few"] : []),
    ...(rateTrend === "falling" ? ["Look at what changed on the destinations: fewer of the visitors convert"] : []),
    ...(clickTrend === "falling" ? ["Bring the links before people again: clicks are falling"] : []),
    ...(rateTrend === "rising" ? ["Bring more visitors: more of them convert than before"] : []),
  ];
  return recommendations.length > 0
    ? recommendations
    : ["Keep on: neither the clicks nor the rate of conversions are falling"];
}
