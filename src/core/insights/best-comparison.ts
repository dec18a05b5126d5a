/** Compares the targets of each link's split with each other. */
import type { DestinationFigures } from "./destination-figures";
import { type SplitTest, testSplit } from "./split-test";
import { posteriorOf, probabilitiesBest } from "./statistics/beta";

export interface Comparison {
  /** The target with the highest rate so far. */
  leader: DestinationFigures;
  /** The target that the leader is least certain to beat. */
  next: DestinationFigures;
  gain: SplitTest;
  /** Evidence that leader and next differ, as odds to 1, and the odds that prove it. */
  evidence: number;
  needed: number;
  /** True if the leader is proven better than every other target. */
  isProven: boolean;
  /** Probability of each target, by id, to be the best of its link. */
  chances: Map<string, number>;
  visitors: number;
}

export interface Minimums {
  visitorsMin: number;
  convertedMin: number;
}

const ALPHA = 0.05;

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
  const trials = targets.map((target) => trialsOf(target, targets));
  const leader = targets[leaderOf(trials)];
  if (!leader) return [];
  const needed = (Math.ceil(targets.length / 2) * links) / ALPHA;
  const tests = targets
    .filter((each) => each !== leader)
    .map((next) => ({ next, gain: testSplit(leader.randomizedDays, next.randomizedDays, 1 / needed) }))
    .toSorted((a, b) => a.gain.low - b.gain.low || (a.next.id < b.next.id ? -1 : 1));
  const [nearest] = tests;
  if (!nearest) return [];
  const chances = probabilitiesBest(trials.map(posteriorOf));
  return [
    {
      ...{ leader, ...nearest, needed, evidence: nearest.gain.evidence },
      isProven: nearest.gain.low > 1,
      chances: new Map(targets.map(({ id }, index) => [id, chances[index] ?? 0])),
      visitors: sum(targets, "visitors"),
    },
  ];
}

/** Counts the days on which all targets had visitors, or all days if there are none. */
function trialsOf(target: DestinationFigures, targets: readonly DestinationFigures[]) {
  const common = target.randomizedDays.filter(({ day }) =>
    targets.every(({ randomizedDays }) => randomizedDays.some((each) => each.day === day && each.visitors > 0)),
  );
  const days = common.length > 0 ? common : target.randomizedDays;
  return {
    successes: days.reduce((total, { converted }) => total + converted, 0),
    trials: days.reduce((total, { visitors }) => total + visitors, 0),
  };
}

function leaderOf(trials: readonly { successes: number; trials: number }[]): number {
  const rates = trials.map((each) => (each.trials === 0 ? 0 : each.successes / each.trials));
  return rates.indexOf(Math.max(...rates));
}

const sum = (targets: readonly DestinationFigures[], metric: "visitors" | "converted"): number =>
  targets.reduce((total, { randomizedDays }) => total + randomizedDays.reduce((of, day) => of + day[metric], 0), 0);
