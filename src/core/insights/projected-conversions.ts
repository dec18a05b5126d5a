/**
 * Multiplies projected clicks by their rate. The interval combines, on a logarithmic scale, the uncertainty of the
 * clicks, the uncertainty of the rate, and chance. Conversions may come several at a time: the scatter of the days says
 * how many (McCullagh & Nelder 1989, "Generalized Linear Models", section 4.5).
 *
 * A logarithm knows no zero, which few conversions often come down to. Their lower bound is therefore that of a Poisson
 * count, averaged over the means that clicks and rate may have.
 */
export interface Expected {
  low: number;
  middle: number;
  high: number;
}

interface ConvertedDay {
  clicks: number;
  conversions: number;
}

/** 80% of a normal distribution lie within this many deviations. */
export const Z_80 = 1.281552;
const TAIL = 0.1;
/** How many days without more than chance the scatter weighs as much as: a few days hardly show it. */
const PRIOR_DAYS = 8;
/** From this many conversions (or groups of them) on, none at all is out of the question. */
const FEW = 30;
/** Deviations of the means that are averaged over. */
const [NODE, NODES_A_SIDE] = [0.3, 8];

/** `days` are those that the projection is made from. */
export function projectConversions(clicks: Expected, rate: Expected, days: readonly ConvertedDay[]): Expected {
  const middle = clicks.middle * rate.middle;
  if (middle === 0) return { low: 0, middle: 0, high: clicks.high * rate.high };
  const size = groupSize(days);
  const chance = (Z_80 * Z_80 * size) / middle;
  const down = off(clicks.middle, clicks.low) + off(rate.middle, rate.low);
  const up = off(clicks.high, clicks.middle) + off(rate.high, rate.middle);
  const low =
    middle / size < FEW
      ? size * leastOfFew(middle / size, Math.sqrt(down), Math.sqrt(up))
      : middle * Math.exp(-Math.sqrt(down + chance));
  return { low, middle, high: middle * Math.exp(Math.sqrt(up + chance)) };
}

const off = (one: number, other: number) =>
  one > 0 && other > 0 ? Math.log(one / other) ** 2 : Number.POSITIVE_INFINITY;

/** Returns how many conversions come at a time, at least one: the ratio of their variance to that of pure chance. */
function groupSize(days: readonly ConvertedDay[]): number {
  const active = days.filter(({ clicks }) => clicks > 0);
  const sum = (metric: keyof ConvertedDay) => active.reduce((total, day) => total + day[metric], 0);
  const rate = sum("conversions") / sum("clicks");
  if (!(rate > 0)) return 1;
  const scatter = active.reduce(
    (total, day) => total + (day.conversions - rate * day.clicks) ** 2 / (rate * day.clicks),
    0,
  );
  return Math.max(1, (scatter + PRIOR_DAYS) / (active.length - 1 + PRIOR_DAYS));
}

/** Returns the least count that is not below all but `TAIL` of what may come. */
function leastOfFew(middle: number, down: number, up: number): number {
  const nodes = Array.from({ length: 2 * NODES_A_SIDE }, (_, index) => (index + 0.5 - NODES_A_SIDE) * NODE);
  const weights = nodes.map((node) => Math.exp(-0.5 * node * node));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const means = nodes.map((node) => middle * Math.exp((node * (node < 0 ? down : up)) / Z_80));
  let terms = means.map((mean, index) => ((weights[index] ?? 0) / all) * Math.exp(-mean));
  let below = 0;
  for (let count = 0; count < middle; count++) {
    below += terms.reduce((sum, term) => sum + term, 0);
    if (below >= TAIL) return count;
    terms = terms.map((term, index) => (term * (means[index] ?? 0)) / (count + 1));
  }
  return middle;
}
