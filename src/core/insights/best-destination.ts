/**
 * Which destination turns most of its clicks into something. Each click either converted (a lead was left on it, an event
 * names it, an install belongs to it) or did not, so that a destination's rate has a Beta posterior, and `beta.ts` tells how
 * likely each is to have the greatest. That probability, in per cent, is the score.
 *
 * One is recommended from a probability of 80 % on, where every compared destination had at least 30 clicks and at least 10
 * clicks converted in all; short of that the answer says what is missing. Destinations with fewer clicks are told of, but
 * not compared. Only conversions that can be put down to one destination count; how many could not is a warning.
 */
import type { ComputedSummary, DestinationCandidate, Level } from "@/contract/insights";
import { posteriorMean, posteriorOf, probabilitiesBest } from "./beta";
import { wilson } from "./rates";
import { interval, number, percent, plural, rounded } from "./words";

/** One destination of one link, and what its clicks came to. */
export interface DestinationFigures
  extends Pick<
    DestinationCandidate,
    "id" | "linkId" | "linkTitle" | "slug" | "shortUrl" | "destinationUrl" | "splitTarget" | "sources"
  > {
  clicks: number;
  /** Clicks that came to at least one of what follows; at most `clicks`. */
  converted: number;
  installs: number;
  leads: number;
  events: number;
  warnings: string[];
}

export interface BestAnswer {
  best: DestinationCandidate | null;
  candidates: DestinationCandidate[];
  reason: string;
  data: ComputedSummary["data"];
}

export const CLICKS_MIN = 30;
export const CONVERTED_MIN = 10;
export const PROBABILITY_MIN = 0.8;
/** More are told of by the answer's own limit, but not compared: those with the most clicks are. */
const COMPARED_MAX = 20;
export const CANDIDATES_MAX = 50;

export function bestDestination(figures: readonly DestinationFigures[]): BestAnswer {
  const byClicks = figures.toSorted((a, b) => b.clicks - a.clicks || (a.id < b.id ? -1 : 1)).slice(0, CANDIDATES_MAX);
  const compared = byClicks.filter(({ clicks }) => clicks >= CLICKS_MIN).slice(0, COMPARED_MAX);
  const chances = probabilitiesBest(compared.map((each) => posteriorOf(trialsOf(each))));
  const chanceOf = new Map(compared.map(({ id }, index) => [id, chances[index] ?? 0]));
  const candidates = byClicks
    .map((each) => candidateOf(each, compared.length > 1 ? chanceOf.get(each.id) : undefined))
    .sort((a, b) => b.score - a.score || b.clicks - a.clicks || (a.id < b.id ? -1 : 1));
  const [first] = candidates;
  const missing = missingFor(figures, compared, (first?.score ?? 0) / 100);
  if (missing !== undefined || !first) {
    const data = figures.some(({ clicks }) => clicks > 0) ? "thin" : "none";
    const isEnough = compared.length > 1 && convertedOf(compared) >= CONVERTED_MIN;
    return { best: null, candidates, reason: missing ?? NO_CLICKS, data: isEnough ? "enough" : data };
  }
  const reason = `${first.destinationUrl} converts best with a probability of ${first.score} %`;
  return { best: first, candidates, reason, data: "enough" };
}

const NO_CLICKS = "No click led to any of the destinations that there are now";

function missingFor(
  figures: readonly DestinationFigures[],
  compared: readonly DestinationFigures[],
  probability: number,
): string | undefined {
  const clicks = figures.reduce((sum, each) => sum + each.clicks, 0);
  if (clicks === 0) return NO_CLICKS;
  if (figures.length === 1) return "All clicks led to one destination: there is nothing to compare it with";
  if (compared.length < 2) {
    return `Fewer than two destinations had the ${CLICKS_MIN} clicks it takes to compare them`;
  }
  const converted = convertedOf(compared);
  if (converted === 0)
    return `None of ${plural(clicks, "click")} can be said to have led to an install, a lead or an event`;
  if (converted < CONVERTED_MIN) {
    return `Only ${plural(converted, "click")} converted; it takes ${CONVERTED_MIN} to compare destinations`;
  }
  if (probability >= PROBABILITY_MIN) return undefined;
  return `None is ahead for certain: the first is the best with a probability of ${percent(probability)}, short of ${percent(PROBABILITY_MIN)}`;
}

const convertedOf = (figures: readonly DestinationFigures[]) => figures.reduce((sum, each) => sum + each.converted, 0);
const trialsOf = ({ converted, clicks }: DestinationFigures) => ({ successes: converted, trials: clicks });

/** `chance` is undefined for what was not compared. */
function candidateOf(figures: DestinationFigures, chance: number | undefined): DestinationCandidate {
  const { converted, warnings, ...shown } = figures;
  const { clicks } = shown;
  const range = wilson(converted, clicks);
  const rate = clicks === 0 ? 0 : converted / clicks;
  return {
    ...shown,
    score: Math.round((chance ?? 0) * 100),
    confidence: confidenceOf(figures, chance),
    metrics: {
      converted,
      conversionRate: rounded(rate),
      interval: { low: rounded(range.low), high: rounded(range.high), level: 0.95 },
      expectedRate: rounded(posteriorMean(posteriorOf(trialsOf(figures)))),
      probabilityBest: chance === undefined ? null : rounded(chance),
    },
    reasons: [
      `${number(converted)} of ${plural(clicks, "click")} converted, ${interval(range)}`,
      ...(chance === undefined ? [] : [`The best of those compared with a probability of ${percent(chance)}`]),
    ],
    warnings: [...(clicks < CLICKS_MIN ? [`Not compared: fewer than ${CLICKS_MIN} clicks`] : []), ...warnings],
  };
}

function confidenceOf({ clicks, converted }: DestinationFigures, chance: number | undefined): Level {
  if (chance === undefined || clicks < CLICKS_MIN || converted < CONVERTED_MIN) return "low";
  const isSettled = chance >= 0.95 || chance <= 0.05;
  return isSettled && clicks >= 200 ? "high" : "medium";
}
