/** Compares the targets of each link's split with each other. */
import type { DestinationFigures } from "./destination-figures";
import { type SplitTest, testSplit } from "./split-test";
import { posteriorOf, probabilitiesBest, type Trials } from "./statistics/beta";

export interface Comparison {
  /** The target with the highest rate so far that no other is proven to beat. */
  leader: DestinationFigures;
  /** The target that the leader is least certain to beat; if possible, one that no other is proven to beat. */
  next: DestinationFigures;
  gain: SplitTest;
  /** Evidence that leader and next differ, as odds to 1, and the odds that prove it. */
  evidence: number;
  needed: number;
  /** Whether some visitors of the split are not among those compared: see `DestinationFigures`. */
  hasEarlier: boolean;
  /** True if the leader is proven better than every other target. */
  isProven: boolean;
  /** Probability of each target, by id, to be the best of its link; 0 for those that are proven to be beaten. */
  chances: Map<string, number>;
  visitors: number;
}

export interface Minimums {
  visitorsMin: number;
  convertedMin: number;
}

const ALPHA = 0.05;
/**
 * The test is valid for ever as long as visitors are only added. If old ones drop out from one look to the next, as with
 * the last 7 days, it keeps beginning anew. With so many times the evidence, equal targets have a winner in at most 5
 * of 100 cases within `MOVING_LOOKS` daily looks, for ranges from 1 day (simulated: `bun run bench insights`).
 */
const MOVING_FACTOR = 5;
export const MOVING_LOOKS = 120;

/** Returns one comparison for each link whose split has enough visitors and conversions. */
export function compareTargets(figures: readonly DestinationFigures[], least: Minimums): Comparison[] {
  const links = [...Map.groupBy(figures, ({ linkId }) => linkId).values()]
    .map((all) => all.filter((each) => isComparable(each, least.visitorsMin)))
    .filter((targets) => targets.length > 1 && sum(targets, "converted") >= least.convertedMin);
  return links.flatMap((targets) => compare(targets, links.length));
}

export const isComparable = ({ randomizedDays }: DestinationFigures, visitorsMin: number): boolean =>
  randomizedDays.reduce((total, { visitors }) => total + visitors, 0) >= visitorsMin;

function compare(targets: readonly DestinationFigures[], links: number): Comparison[] {
  const hasEarlier = targets.some((each) => each.hasEarlier);
  const needed = ((hasEarlier ? MOVING_FACTOR : 1) * Math.ceil(targets.length / 2) * links) / ALPHA;
  const ranked = byRate(targets);
  const found = leaderOf(ranked, 1 / needed);
  if (!found) return [];
  const rivals = ranked.slice(ranked.indexOf(found.ranked));
  const open = found.tests.filter(({ gain }) => gain.low <= 1);
  const nearest = open.find(({ next }) => rivals.some(({ target }) => target === next)) ?? open[0] ?? found.tests[0];
  if (!nearest) return [];
  const chances = probabilitiesBest(rivals.map(({ trials }) => posteriorOf(trials)));
  const chanceOf = new Map(rivals.map(({ target }, index) => [target.id, chances[index] ?? 0]));
  return [
    {
      ...{ leader: found.ranked.target, ...nearest, needed, evidence: nearest.gain.evidence },
      ...{ hasEarlier, isProven: nearest.gain.low > 1 },
      chances: new Map(targets.map(({ id }) => [id, chanceOf.get(id) ?? 0])),
      visitors: sum(targets, "visitors"),
    },
  ];
}

interface Ranked {
  target: DestinationFigures;
  trials: Trials;
}

/**
 * Returns the first target that no other is proven to beat, with its tests against the others, nearest first. Rates may
 * be those of few days, if a target is new, while the tests count all days of two targets.
 */
function leaderOf(ranked: readonly Ranked[], alpha: number) {
  const tested = (each: Ranked) => ({
    ranked: each,
    tests: ranked
      .filter((other) => other !== each)
      .map(({ target: next }) => ({
        next,
        gain: testSplit(each.target.randomizedDays, next.randomizedDays, alpha),
      }))
      .toSorted((a, b) => a.gain.low - b.gain.low || (a.next.id < b.next.id ? -1 : 1)),
  });
  for (const each of ranked) {
    const found = tested(each);
    if (found.tests.every(({ gain }) => gain.high >= 1)) return found;
  }
  return ranked[0] && tested(ranked[0]);
}

/** Returns the highest rate first. */
function byRate(targets: readonly DestinationFigures[]): Ranked[] {
  const rateOf = ({ trials: { successes, trials } }: Ranked) => (trials === 0 ? 0 : successes / trials);
  return targets
    .map((target) => ({ target, trials: trialsOf(target, targets) }))
    .toSorted((one, other) => rateOf(other) - rateOf(one));
}

/** Counts the days on which all targets had visitors, or all days if there are none. */
function trialsOf(target: DestinationFigures, targets: readonly DestinationFigures[]): Trials {
  const common = target.randomizedDays.filter(({ day }) =>
    targets.every(({ randomizedDays }) => randomizedDays.some((each) => each.day === day && each.visitors > 0)),
  );
  const days = common.length > 0 ? common : target.randomizedDays;
  return {
    successes: days.reduce((total, { converted }) => total + converted, 0),
    trials: days.reduce((total, { visitors }) => total + visitors, 0),
  };
}

const sum = (targets: readonly DestinationFigures[], metric: "visitors" | "converted"): number =>
  targets.reduce((total, { randomizedDays }) => total + randomizedDays.reduce((of, day) => of + day[metric], 0), 0);
