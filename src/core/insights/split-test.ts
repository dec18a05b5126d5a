/**
 * Tests whether one of two split targets converts better, in a way that stays valid if it is repeated every day
 * (Robbins 1970, "Statistical methods related to the law of the iterated logarithm"; Ramdas et al. 2023,
 * "Game-theoretic statistics and safe anytime-valid inference"). Visitors are assigned at random. If both targets
 * convert alike, each of a day's converting visitors therefore belongs to the first target with probability w, its
 * share of the day's visitors. If the first converts r times as often, that probability becomes r·w / (r·w + 1 − w).
 * The likelihood of the days under r, averaged over r and divided by the likelihood under r = 1, is a martingale
 * while both convert alike. The probability that it ever reaches 1/α is therefore at most α (Ville 1939), however
 * often it is checked. No visitor converts twice within a day, which only makes the test more conservative (Hoeffding
 * 1963, theorem 4). Days on which one target had no visitors are ignored.
 *
 * The values of r that the same test does not rule out form an interval that is valid in the same way.
 */
export interface ArmDay {
  /** Start of the day, Unix milliseconds. */
  day: number;
  /** Visitors whose first click was on this day, and those of them that converted. */
  visitors: number;
  converted: number;
}

export interface SplitTest {
  /** Odds for a difference; 1/α proves one at level α. */
  evidence: number;
  /** How many times as often the first target converts, and the bounds of its interval. */
  ratio: number;
  low: number;
  high: number;
}

interface PairDay {
  share: number;
  first: number;
  second: number;
}

/** Standard deviation of the normal distribution of log ratios over which the likelihood is averaged. */
const DEVIATION = 0.4;
const KNOTS_A_SIDE = 40;
const KNOT = 0.05;
const LOG_RATIO_MAX = 12;
const HALVINGS = 40;

export function testSplit(first: readonly ArmDay[], second: readonly ArmDay[], alpha: number): SplitTest {
  const days = pairDays(first, second);
  const at = (logRatio: number) => logLikelihood(days, logRatio);
  const averaged = logAverage(at);
  const top = highest(at);
  // The likelihood is unimodal: on either side of its maximum, it crosses the limit once.
  const limit = averaged + Math.log(alpha);
  const edge = (far: number) =>
    Math.exp(at(far) > limit ? far : crossing((logRatio) => at(logRatio) - limit, top, far));
  return {
    evidence: Math.exp(Math.min(700, averaged - at(0))),
    ratio: Math.exp(top),
    low: at(-LOG_RATIO_MAX) > limit ? 0 : edge(-LOG_RATIO_MAX),
    high: at(LOG_RATIO_MAX) > limit ? Number.POSITIVE_INFINITY : edge(LOG_RATIO_MAX),
  };
}

function pairDays(first: readonly ArmDay[], second: readonly ArmDay[]): PairDay[] {
  const others = new Map(second.map((each) => [each.day, each]));
  return first.flatMap(({ day, visitors, converted }) => {
    const other = others.get(day);
    if (!other || visitors === 0 || other.visitors === 0) return [];
    return [{ share: visitors / (visitors + other.visitors), first: converted, second: other.converted }];
  });
}

function logLikelihood(days: readonly PairDay[], logRatio: number): number {
  const ratio = Math.exp(logRatio);
  let sum = 0;
  for (const { share, first, second } of days) {
    sum += first * logRatio - (first + second) * Math.log(ratio * share + 1 - share);
  }
  return sum;
}

function logAverage(at: (logRatio: number) => number): number {
  const knots = Array.from({ length: 2 * KNOTS_A_SIDE + 1 }, (_, index) => (index - KNOTS_A_SIDE) * KNOT);
  const weights = knots.map((knot) => Math.exp(-0.5 * (knot / DEVIATION) ** 2));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const logs = knots.map(at);
  const most = Math.max(...logs);
  return (
    most + Math.log(logs.reduce((sum, log, index) => sum + ((weights[index] ?? 0) / whole) * Math.exp(log - most), 0))
  );
}

/** Finds the maximum of a concave function by ternary search. */
function highest(at: (x: number) => number): number {
  let [from, to] = [-LOG_RATIO_MAX, LOG_RATIO_MAX];
  for (let step = 0; step < 2 * HALVINGS; step++) {
    const third = (to - from) / 3;
    if (at(from + third) < at(to - third)) from += third;
    else to -= third;
  }
  return (from + to) / 2;
}

function crossing(above: (x: number) => number, inside: number, outside: number): number {
  let [within, beyond] = [inside, outside];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (within + beyond) / 2;
    if (above(middle) > 0) within = middle;
    else beyond = middle;
  }
  return (within + beyond) / 2;
}
