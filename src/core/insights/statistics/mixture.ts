/** Computes quantiles of a mixture of log-normal distributions. */
export interface Spread {
  weight: number;
  /** Mean of the logarithm. */
  middle: number;
  deviation: number;
}

const HALVINGS = 50;
const REACH = 6;

export function quantile(spreads: readonly Spread[], share: number): number {
  let low = Math.min(...spreads.map(({ middle, deviation }) => middle - REACH * deviation));
  let high = Math.max(...spreads.map(({ middle, deviation }) => middle + REACH * deviation));
  for (let step = 0; step < HALVINGS; step++) {
    const at = (low + high) / 2;
    const below = spreads.reduce((sum, each) => sum + each.weight * normalCdf((at - each.middle) / each.deviation), 0);
    if (below < share) low = at;
    else high = at;
  }
  return Math.exp((low + high) / 2);
}

/** Cumulative standard normal distribution, to 7 digits (Abramowitz & Stegun 26.2.17). */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = 0.3989422804014327 * Math.exp((-z * z) / 2) * series;
  return z > 0 ? 1 - tail : tail;
}
