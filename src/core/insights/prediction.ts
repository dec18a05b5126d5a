/**
 * Predicts clicks and conversions, each with an interval that should contain 80 of 100 actual outcomes.
 * `projection.ts` projects the daily clicks. If there are enough conversions, it projects their rate in the same way;
 * otherwise the rate of the whole range is assumed to continue, with an interval from `rates.ts`. The conversions are
 * the product of both (`projected-conversions.ts`).
 *
 * A rate is a share of clicks and never exceeds 1. If there are more conversions than clicks, most of them have other
 * causes: they are then projected separately, and a note says so.
 */
import { type Level, type Prediction, SCORE_MAX } from "@/contract/analytics/insights";
import { type PredictedDirection, pointsOf } from "./prediction-score";
import { type Expected, projectConversions, Z_80 } from "./projected-conversions";
import { DAYS_MIN, type Projected, project, wholeNumbers } from "./projection";
import { poisson, type Rate, ratePer, wilson } from "./statistics/rates";
import { mean, median } from "./statistics/robust";
import { rounded } from "./words";

export interface DayFigures {
  /** Start of the day, Unix milliseconds. */
  at: number;
  clicks: number;
  conversions: number;
}

export interface PredictionInput {
  /** Covers the whole days of the range, in order and without gaps. */
  days: readonly DayFigures[];
  /** Covers the whole range. */
  totals: { clicks: number; installs: number; leads: number; events: number };
  horizonDays: number;
  /** True if the range has not begun. */
  isAhead?: boolean;
}

export interface Predicted {
  prediction: Prediction;
  rate: Rate;
  notes: string[];
}

interface Direct extends Expected {
  direction: PredictedDirection | undefined;
  /** False if the counts probably rise, fall or have just changed: the past does not show how long that lasts. */
  isSteady: boolean;
  method: "shapes" | "mean" | "none";
}

const WEEK = 7;
/** With fewer conversions, a direction of the rate cannot be distinguished from chance. */
const DIRECTED_CONVERSIONS_MIN = 20;
/** Weight that the shapes of one direction need for it to be reported. */
const DIRECTED_WEIGHT = 0.8;
const NARROW = 0.25;
/** Fewer days do not distinguish a trend from the pattern of the week and from chance. */
const SURE_DAYS_MIN = 3 * WEEK;
/** Days that a level must have lasted. */
const LEVEL_DAYS_MIN = 2 * WEEK;
const FAIR = 0.6;

export function predict({ days, totals, horizonDays, isAhead = false }: PredictionInput): Predicted {
  const conversions = totals.installs + totals.leads + totals.events;
  const isShare = conversions <= totals.clicks;
  const rate = ratePer(Math.min(conversions, totals.clicks), totals.clicks);
  const clicks = projectCounts(
    days.map((day) => ({ at: day.at, count: day.clicks })),
    horizonDays,
  );
  const rates = rateAhead(days, horizonDays, conversions, totals.clicks);
  const projected = isShare
    ? projectConversions(clicks, rates, days)
    : projectCounts(
        days.map((day) => ({ at: day.at, count: day.conversions })),
        horizonDays,
      );
  const points = pointsOf({
    ...{ days, clicks: totals.clicks, conversions, rate },
    ...{ rateTrend: rates.direction, clickTrend: clicks.direction },
  });
  const score = Math.min(SCORE_MAX, Math.round(points.reduce((sum, { points }) => sum + points, 0)));
  const [wholeClicks, wholeConversions] = [wholeNumbers(clicks), wholeNumbers(projected)];
  const isSteady = clicks.isSteady && rates.isSteady;
  const confidence = isShare ? confidenceOf(projected, { conversions, days: days.length, isSteady }) : "low";
  const prediction: Prediction = {
    score,
    label: score >= 60 ? "high" : score >= 30 ? "medium" : "low",
    confidence,
    predictedConversionRate: rounded(rates.middle),
    projectedConversions: wholeConversions.middle,
    projectedClicks: wholeClicks.middle,
    intervals: {
      level: 0.8,
      clicks: { low: wholeClicks.low, high: wholeClicks.high },
      conversions: { low: wholeConversions.low, high: wholeConversions.high },
      conversionRate: { low: rounded(rates.low), high: rounded(rates.high) },
    },
    horizonDays,
    factors: points.map(({ factor }) => factor),
    recommendations: isAhead
      ? [BEGUN_FIRST]
      : recommendationsFor({ ...totals, conversions }, rates.direction, clicks.direction),
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
  return { prediction, rate, notes: isShare ? [] : [MORE_THAN_CLICKS] };
}

const BEGUN_FIRST = "Choose a range that has begun: predictions are made from the clicks of its days";
const MORE_THAN_CLICKS =
  "There are more conversions than clicks, so most did not come from these clicks or one visitor caused several; " +
  "the rate is shown as 100% and conversions are projected separately";

/** Projects a daily count by its shape; with fewer than `DAYS_MIN` days since the first count, by their mean. */
function projectCounts(days: readonly { at: number; count: number }[], horizon: number): Direct {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return { low: 0, middle: 0, high: 0, direction: undefined, isSteady: false, method: "none" };
  const projected = project(days, horizon);
  if (projected)
    return { ...projected, ...courseOf(projected, projected.daysExplained >= LEVEL_DAYS_MIN), method: "shapes" };
  const { low, high } = poisson(total, Z_80);
  const begun = days.slice(days.findIndex(({ count }) => count > 0));
  const ahead = horizon / begun.length;
  // So few days show neither how much days vary nor whether more will come: it may be half of what has been so far.
  return {
    low: (Math.min(1, ahead) * low) / 2,
    middle: mean(begun.map(({ count }) => count)) * horizon,
    high: 2 * Math.sqrt(Math.max(1, ahead)) * ahead * high,
    direction: undefined,
    isSteady: false,
    method: "mean",
  };
}

/** `isLasting`: the level that is projected is not that of a few days only. */
const courseOf = ({ kind, weight }: Projected, isLasting: boolean): Pick<Direct, "direction" | "isSteady"> => ({
  direction: weight >= DIRECTED_WEIGHT ? kind : "steady",
  isSteady: kind === "steady" && isLasting,
});

function rateAhead(days: readonly DayFigures[], horizon: number, conversions: number, clicks: number): Direct {
  const share = Math.min(conversions, clicks);
  const own = wilson(share, clicks, Z_80);
  const middle = clicks === 0 ? 0 : share / clicks;
  const whole = { ...own, middle, direction: undefined, isSteady: true, method: "mean" as const };
  const active = days.filter((day) => day.clicks > 0);
  if (conversions < DIRECTED_CONVERSIONS_MIN || active.length < WEEK || conversions > clicks) return whole;
  const projected = project(
    active.map((day) => ({ at: day.at, count: day.conversions, exposure: day.clicks })),
    horizon,
  );
  if (!projected) return whole;
  const atMost = (rate: number) => Math.min(1, rate);
  return {
    low: atMost(projected.low),
    middle: atMost(projected.middle),
    high: atMost(projected.high),
    // Days without clicks have no rate, so there may be fewer of them.
    ...courseOf(projected, projected.isWhole || projected.daysExplained >= LEVEL_DAYS_MIN),
    method: "shapes",
  };
}

interface Basis {
  conversions: number;
  days: number;
  isSteady: boolean;
}

/** Returns "high" only if the interval of the conversions is narrow and enough days show no change. */
function confidenceOf({ low, middle, high }: Expected, { conversions, days, isSteady }: Basis): Level {
  const width = middle > 0 ? (high - low) / 2 / middle : Number.POSITIVE_INFINITY;
  if (conversions >= 100 && days >= SURE_DAYS_MIN && isSteady && width <= NARROW) return "high";
  return conversions >= DIRECTED_CONVERSIONS_MIN && days >= WEEK && width <= FAIR ? "medium" : "low";
}

function recommendationsFor(
  { clicks, conversions }: { clicks: number; conversions: number },
  rateTrend: PredictedDirection | undefined,
  clickTrend: PredictedDirection | undefined,
): string[] {
  if (clicks === 0) return ["Share the links: without clicks there is nothing to predict from"];
  if (conversions === 0)
    return ["Send custom events, capture leads or match installs: no conversion has been recorded yet"];
  const recommendations = [
    ...(conversions < DIRECTED_CONVERSIONS_MIN
      ? ["Wait for more conversions before you act on this: it is based on few"]
      : []),
    ...(rateTrend === "falling" ? ["Check what changed on the destinations: fewer of the visitors convert"] : []),
    ...(clickTrend === "falling" ? ["Promote the links again: clicks are falling"] : []),
    ...(rateTrend === "rising" ? ["Bring more visitors: more of them convert than before"] : []),
  ];
  if (recommendations.length > 0) return recommendations;
  if (clickTrend === undefined || rateTrend === undefined) {
    return [
      `Wait for more days: fewer than ${clickTrend === undefined ? DAYS_MIN : WEEK} with clicks show no direction`,
    ];
  }
  return ["Keep going: neither the clicks nor the conversion rate is falling"];
}
