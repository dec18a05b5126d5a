/**
 * The regularized incomplete beta function, of which the binomial, negative binomial and Student's t tails are cases.
 * It is evaluated by Lentz's continued fraction (Press et al., "Numerical Recipes", section 6.4).
 */
import { logGamma } from "./beta";

/** Parameters of a million take about a thousand steps. */
const STEPS_MAX = 2_000;
const TINY = 1e-300;
const PRECISION = 1e-12;

/** I_x(a, b), for positive `a` and `b`. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges quickly on this side of the mean; on the other side, use the symmetric one.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

function fraction(x: number, a: number, b: number): number {
  const kept = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let step = 1; step <= STEPS_MAX; step++) {
    const even = (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    result *= d * c;
    const odd = (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < PRECISION) break;
  }
  return result;
}
