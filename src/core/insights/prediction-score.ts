/**
 * Scores a prediction as a sum of points, at most 95: 40 for the lower bound of the rate's interval (all at 10% or
 * more), 20 for the number of conversions (all at 100 or more, on a logarithmic scale), 15 for the direction of the
 * rate (half if steady), 10 for the direction of the clicks (half if steady), and 10 for the share of days with
 * clicks. Unknown values score nothing.
 */
import type { PredictionFactor } from "@/contract/analytics/insights";
import { number, plural } from "../plural";
import type { Rate } from "./statistics/rates";
import { interval, percent } from "./words";

export type PredictedDirection = "rising" | "falling" | "steady";

const FULL_RATE = 0.1;

export interface Points {
  points: number;
  factor: PredictionFactor;
}

export interface Scored {
  days: readonly { clicks: number }[];
  clicks: number;
  conversions: number;
  rate: Rate;
  rateTrend: PredictedDirection | undefined;
  clickTrend: PredictedDirection | undefined;
}

export function pointsOf({ days, clicks, conversions, rate, rateTrend, clickTrend }: Scored): Points[] {
  const active = days.filter(({ clicks }) => clicks > 0).length;
  const share = days.length === 0 ? 0 : active / days.length;
  return [
    scored("conversion rate", 40, Math.min(1, rate.low / FULL_RATE), {
      value: percent(rate.rate),
      explanation:
        rate.method === "none"
          ? "There were no clicks"
          : `${plural(conversions, "conversion")} from ${plural(clicks, "click")}: ${interval(rate)}`,
    }),
    scored("evidence", 20, Math.min(1, Math.log10(1 + conversions) / 2), {
      value: plural(conversions, "conversion"),
      explanation: "The more conversions a rate is based on, the more certain it is; a hundred are enough",
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

function directed(name: string, most: number, direction: PredictedDirection | undefined): Points {
  if (direction === undefined) {
    const explanation = "Too few days, clicks or conversions to distinguish a direction from chance";
    return { points: 0, factor: { name, impact: "neutral", value: "unknown", explanation } };
  }
  const { share, impact } = DIRECTIONS[direction];
  const explanation =
    "Based on the shape that explains the days best: a direction is reported if it has at least 80% of the weight";
  return { points: most * share, factor: { name, impact, value: direction, explanation } };
}
