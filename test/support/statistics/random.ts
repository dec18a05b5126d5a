/** A seeded random generator, so that generated histories are the same in every run. */

export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  uniform(): number;
  normal(): number;
  gamma(shape: number): number;
  poisson(mean: number): number;
  /** The variance is mean + mean² / k. An infinite `k` gives Poisson. */
  negativeBinomial(mean: number, k: number): number;
  whole(below: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
}

const NORMAL_FROM = 400;

export function seeded(seed: number): Random {
  const uniform = mulberry32(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  /** Marsaglia and Tsang (2000), "A simple method for generating gamma variables", for shapes of at least 1. */
  const gamma = (shape: number): number => {
    if (shape < 1) return gamma(shape + 1) * uniform() ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  };
  const poisson = (mean: number): number => {
    if (mean <= 0) return 0;
    if (mean > NORMAL_FROM) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
    if (mean > 30) return poisson(mean / 2) + poisson(mean / 2);
    const limit = Math.exp(-mean);
    let [count, product] = [0, uniform()];
    while (product > limit) {
      count++;
      product *= uniform();
    }
    return count;
  };
  return {
    uniform,
    normal,
    gamma,
    poisson,
    negativeBinomial: (mean, k) => poisson(Number.isFinite(k) ? (mean * gamma(k)) / k : mean),
    whole: (below) => Math.floor(uniform() * below),
    pick: (values) => values[Math.floor(uniform() * values.length)] ?? values[0],
  };
}

/** Tommy Ettinger's 32-bit generator. It passes gjrand, and its state is a single number. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
