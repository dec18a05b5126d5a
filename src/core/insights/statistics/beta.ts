/**
 * Computes which of several rates is the greatest, by Bayes: each has a Beta posterior (Jeffreys' prior, Beta(½, ½)),
 * and the probability that one is the greatest is ∫ f(x) ∏ F(x) dx, with its own density and the distributions of the
 * others (Gelman et al., "Bayesian Data Analysis", section 2.4; for two rates, E. Miller's closed form of 2015 gives
 * the same, and the tests compare with it).
 *
 * There is no random sampling: the integral is taken by the trapezoid rule over the logit of the rate, where a Beta
 * density is bell-shaped whatever its parameters. The knots are those of every candidate, spaced at a twentieth of
 * its standard deviation, so that both narrow and wide densities are resolved; the error is below 0.001. ln Γ is
 * Lanczos's (Numerical Recipes section 6.1), ψ and ψ′ use recurrence and asymptotic series (Abramowitz & Stegun
 * 6.3.18, 6.4.12).
 */
const PRIOR = 0.5;

export interface Trials {
  /** At most `trials`. */
  successes: number;
  trials: number;
}

export interface Posterior {
  a: number;
  b: number;
}

export const posteriorOf = ({ successes, trials }: Trials): Posterior => ({
  a: PRIOR + Math.min(successes, trials),
  b: PRIOR + Math.max(0, trials - successes),
});

const KNOTS_A_DEVIATION = 20;
const DEVIATIONS = 9;

/** Returns the probability of each rate to be the greatest; they add up to 1. Takes about 10 ms for twenty rates. */
export function probabilitiesBest(posteriors: readonly Posterior[]): number[] {
  if (posteriors.length <= 1) return posteriors.map(() => 1);
  const knots = knotsOf(posteriors);
  const densities = posteriors.map((posterior) => logitDensity(posterior, knots));
  const distributions = densities.map((density) => cumulative(density, knots));
  const chances = densities.map((density, which) => {
    const others = distributions.filter((_, index) => index !== which);
    const weighed = density.map((value, at) => others.reduce((product, other) => product * (other[at] ?? 0), value));
    return cumulative(weighed, knots, false).at(-1) ?? 0;
  });
  const sum = chances.reduce((total, chance) => total + chance, 0);
  return chances.map((chance) => chance / sum);
}

function knotsOf(posteriors: readonly Posterior[]): Float64Array {
  const all = posteriors.flatMap(({ a, b }) => {
    const centre = digamma(a) - digamma(b);
    const deviation = Math.sqrt(trigamma(a) + trigamma(b));
    const reach = DEVIATIONS * KNOTS_A_DEVIATION;
    return Array.from({ length: 2 * reach + 1 }, (_, index) => {
      return centre + ((index - reach) * deviation) / KNOTS_A_DEVIATION;
    });
  });
  return Float64Array.from(all).sort();
}

/** Returns f(x) · x (1 − x) at each logit t, where x = 1 / (1 + e⁻ᵗ). */
function logitDensity({ a, b }: Posterior, knots: Float64Array): Float64Array {
  const constant = logGamma(a + b) - logGamma(a) - logGamma(b);
  return knots.map((t) => {
    const logX = -softplus(-t);
    const logRest = -softplus(t);
    return Math.exp(constant + a * logX + b * logRest);
  });
}

/** ln(1 + eᵗ), without overflow. */
const softplus = (t: number): number => (t > 30 ? t : Math.log1p(Math.exp(t)));

/** Returns the integral up to each knot; a distribution is scaled to end at 1. */
function cumulative(density: Float64Array, knots: Float64Array, isDistribution = true): Float64Array {
  let sum = 0;
  const sums = density.map((value, at) => {
    if (at > 0) sum += ((value + (density[at - 1] ?? 0)) / 2) * ((knots[at] ?? 0) - (knots[at - 1] ?? 0));
    return sum;
  });
  return isDistribution && sum > 0 ? sums.map((value) => value / sum) : sums;
}

const LANCZOS = [
  76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155, 0.001208650973866179,
  -0.000005395239384953,
];

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  const shifted = x + 5.5;
  const series = LANCZOS.reduce((sum, coefficient, index) => sum + coefficient / (x + 1 + index), 1.000000000190015);
  return (x + 0.5) * Math.log(shifted) - shifted + Math.log((2.5066282746310007 * series) / x);
}

const ASYMPTOTIC_FROM = 6;

/** ψ(x), the derivative of ln Γ, for x > 0. */
export function digamma(x: number): number {
  if (x < ASYMPTOTIC_FROM) return digamma(x + 1) - 1 / x;
  const square = 1 / (x * x);
  return Math.log(x) - 1 / (2 * x) - square * (1 / 12 - square * (1 / 120 - square / 252));
}

/** ψ′(x) for x > 0. */
export function trigamma(x: number): number {
  if (x < ASYMPTOTIC_FROM) return trigamma(x + 1) + 1 / (x * x);
  const square = 1 / (x * x);
  return 1 / x + square / 2 + (square / x) * (1 / 6 - square * (1 / 30 - square / 42));
}
