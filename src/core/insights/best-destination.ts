/**
 * Finds the split target of a link that converts the largest share of its visitors. Only targets with randomly
 * assigned visitors are compared: each with the others of its link, over the days on which both had visitors, by a
 * test that stays valid if it is repeated every day (`split-test.ts`), or for some months of days if old visitors drop
 * out of the range (`best-comparison.ts`). Destinations of rules, stores and the default
 * are listed but not compared, because their visitors are not assigned at random.
 *
 * A target is recommended if it beats every other target of its link. Among targets that convert alike, at most 5 of
 * 100 workspaces ever see a recommendation: of k equal targets, one beats all others only if it beats its partner,
 * however they are paired. Each pair is therefore tested at 5% divided by the number of pairs, k/2, and by the number
 * of links compared. Without a winner, the reason states how far apart the targets may be. The score is the
 * probability in percent that a target has the highest rate of its link (Beta–Bernoulli, `beta.ts`); unlike the test,
 * it does not correct for repeated looks.
 */
import type { ComputedSummary, DestinationCandidate } from "@/contract/analytics/insights";
import { number, plural } from "../plural";
import { type Comparison, compareTargets, isComparable, MOVING_LOOKS } from "./best-comparison";
import { type DestinationFigures, destinationName } from "./destination-figures";
import type { ArmDay } from "./split-test";
import { wilson } from "./statistics/rates";
import { almost, interval, percent, rounded, times } from "./words";

export interface BestAnswer {
  best: DestinationCandidate | null;
  candidates: DestinationCandidate[];
  reason: string;
  data: ComputedSummary["data"];
}

const VISITORS_MIN = 30;
const CONVERTED_MIN = 10;
const CANDIDATES_MAX = 50;
/** Targets whose ratio is certain to be smaller than this are reported as converting alike. */
const ALIKE = 1.1;
/**
 * Share of the required evidence that gives a leader medium confidence: a 20% chance of error where 5% proves a
 * winner.
 */
const MEDIUM = 0.25;

export function bestDestination(figures: readonly DestinationFigures[]): BestAnswer {
  const shown = figures.toSorted((a, b) => b.clicks - a.clicks || (a.id < b.id ? -1 : 1)).slice(0, CANDIDATES_MAX);
  const comparisons = compareTargets(shown, { visitorsMin: VISITORS_MIN, convertedMin: CONVERTED_MIN });
  const candidates = shown.map((each) => candidateOf(each, comparisons));
  const winner = comparisons
    .filter(({ isProven }) => isProven)
    .toSorted((a, b) => b.evidence - a.evidence || (a.leader.id < b.leader.id ? -1 : 1))
    .at(0);
  const best = candidates.find(({ id }) => id === winner?.leader.id) ?? null;
  candidates.sort(
    (a, b) =>
      Number(b === best) - Number(a === best) || b.score - a.score || b.clicks - a.clicks || (a.id < b.id ? -1 : 1),
  );
  if (best && winner) return { best, candidates, reason: wonBy(winner), data: "enough" };
  const [comparison] = comparisons.toSorted((a, b) => b.visitors - a.visitors || (a.leader.id < b.leader.id ? -1 : 1));
  if (comparison) return { best: null, candidates, reason: undecided(comparison), data: "enough" };
  const data = figures.some(({ clicks }) => clicks > 0) ? "thin" : "none";
  return { best: null, candidates, reason: missingFor(figures), data };
}

const NO_CLICKS = "No click led to any of the current destinations";
const NOT_DRAWN =
  "No link has split targets with randomly assigned visitors, so no destinations can be compared; add split targets " +
  "to a link";

function missingFor(figures: readonly DestinationFigures[]): string {
  if (figures.every(({ clicks }) => clicks === 0)) return NO_CLICKS;
  if (figures.length === 1) return "All clicks led to one destination: there is nothing to compare it with";
  const links = [...Map.groupBy(figures, ({ linkId }) => linkId).values()];
  const randomized = links
    .map((all) => all.filter((each) => each.randomizedDays.length > 0))
    .filter((all) => all.length > 1);
  if (randomized.length === 0) return NOT_DRAWN;
  const enough = randomized.filter((all) => all.filter((each) => isComparable(each, VISITORS_MIN)).length > 1);
  if (enough.length === 0)
    return `Fewer than two targets of a link had the ${VISITORS_MIN} visitors needed to compare them`;
  const converted = Math.max(...enough.map((all) => sumOf(all.flatMap((each) => each.randomizedDays)).converted));
  if (converted === 0) return "No visitor of the split targets is known to have left a lead or caused an event";
  return `Only ${plural(converted, "visitor")} converted; comparing a link's targets takes ${CONVERTED_MIN}`;
}

const sumOf = (days: readonly ArmDay[]) => ({
  visitors: days.reduce((sum, { visitors }) => sum + visitors, 0),
  converted: days.reduce((sum, { converted }) => sum + converted, 0),
});

const nameOf = (figures: DestinationFigures): string => `\`${destinationName(figures)}\``;

function wonBy({ leader, next, gain }: Comparison): string {
  return `${nameOf(leader)} of \`${leader.linkTitle}\` converts best: ${rateOf(leader)} of its visitors, and ${times(gain)} as often as the next, ${nameOf(next)}`;
}

function undecided({ leader, next, gain }: Comparison): string {
  const pair = `${nameOf(leader)} and ${nameOf(next)} of \`${leader.linkTitle}\``;
  if (gain.low > 1 / ALIKE && gain.high < ALIKE) {
    return `${pair} convert alike: ${times(gain)} as often, so it hardly matters which one you keep`;
  }
  return (
    `No best destination is proven yet: of ${pair}, the first converts ${times(gain)} as often as the second. Let the ` +
    "split run longer"
  );
}

const rateOf = ({ randomizedDays }: DestinationFigures): string => {
  const { visitors, converted } = sumOf(randomizedDays);
  return percent(visitors === 0 ? 0 : converted / visitors);
};

function candidateOf(figures: DestinationFigures, comparisons: readonly Comparison[]): DestinationCandidate {
  const { converted, warnings, randomizedDays, ...shown } = figures;
  const { clicks } = shown;
  const range = wilson(converted, clicks);
  const comparison = comparisons.find(({ chances }) => chances.has(figures.id));
  const chance = comparison?.chances.get(figures.id);
  const own = comparison?.leader.id === figures.id ? comparison : undefined;
  const { visitors, converted: visitorsConverted } = sumOf(randomizedDays);
  return {
    ...shown,
    // Capped at 99: nothing is certain, and rounding must not suggest otherwise.
    score: Math.min(99, Math.floor(100 * (chance ?? 0))),
    confidence: own?.isProven ? "high" : own && own.evidence >= MEDIUM * own.needed ? "medium" : "low",
    metrics: {
      ...{ converted, conversionRate: rounded(clicks === 0 ? 0 : converted / clicks) },
      interval: { low: rounded(range.low), high: rounded(range.high), level: 0.95 },
      ...{ compared: chance !== undefined, visitors, visitorsConverted },
      probabilityBest: chance === undefined ? null : Math.min(0.9999, rounded(chance)),
      ...(own ? { over: own.next.id, ...gainOf(own) } : {}),
    },
    reasons: [
      `${number(converted)} of ${plural(clicks, "click")} converted, ${interval(range)}`,
      ...(chance === undefined
        ? []
        : [
            `Of ${plural(visitors, "visitor")} assigned at random, ${number(visitorsConverted)} converted ` +
              `(${rateOf(figures)}); the best of its link with a probability of ${almost(chance)}`,
          ]),
      ...(own ? [inWords(own)] : []),
    ],
    warnings: [...(chance === undefined ? [notCompared(figures)] : []), ...warnings],
  };
}

function gainOf({ gain, evidence, needed }: Comparison) {
  const { ratio, low, high } = gain;
  const finite = (value: number) => (Number.isFinite(value) && value < 1_000 ? rounded(value) : null);
  return {
    gain: { ratio: finite(ratio), low: finite(low), high: finite(high) },
    evidence: rounded(Math.min(evidence, 1e9), 2),
    needed,
  };
}

const inWords = ({ next, gain, evidence, needed, hasEarlier }: Comparison): string =>
  `Converts ${times(gain)} as often as ${nameOf(next)}, by an interval that ${validity(hasEarlier)}. The ` +
  `evidence from visitors of both is ${number(Math.min(evidence, 1e9))} to 1 for a difference; ${number(needed)} to ` +
  "1 proves it (Robbins' mixture test by day of first visit)";

const validity = (hasEarlier: boolean): string =>
  hasEarlier
    ? `stays valid for ${MOVING_LOOKS} daily looks although earlier visitors of the split are left out`
    : "stays valid however often you look";

function notCompared({ randomizedDays, sources }: DestinationFigures): string {
  if (randomizedDays.length > 0)
    return (
      `Not compared: this takes two targets of a link with ${VISITORS_MIN} visitors each, ${CONVERTED_MIN} of whom ` +
      "converted"
    );
  const by = sources.some((source) => source.startsWith("rule:"))
    ? "a rule selected its visitors"
    : "it received visitors whom no split assigned";
  return `Not compared: ${by}, so its visitors differ by more than chance`;
}
