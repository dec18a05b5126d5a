/**
 * Chooses which clicks of a link represent a whole range. Each stretch of time contributes in proportion to its
 * clicks, so that mornings and nights, quiet and busy days are all included. Each stretch is split evenly into
 * quarters, for rules that start at half past the hour.
 */
import { HOUR_MS, type Span } from "@/core/time/time-range";

const STRETCHES_MAX = 168;
const QUARTERS = 4;

export interface Slice extends Span {
  /** Index of its stretch. */
  stretch: number;
  /** Maximum number of clicks to take. */
  most: number;
}

export interface Sliced {
  /** Number of clicks in each stretch. */
  stretches: readonly number[];
  slices: readonly Slice[];
}

/**
 * Divides the range, which must consist of whole hours, into slices. `clicks` maps the start of each hour to its
 * clicks. If there are no more than `max`, one slice takes them all.
 */
export function slicesOf(clicks: ReadonlyMap<number, number>, { from, to }: Span, max: number): Sliced {
  const total = sum([...clicks.values()]);
  if (total <= max) return { stretches: [total], slices: [{ from, to, stretch: 0, most: max }] };
  const length = Math.ceil((to - from) / HOUR_MS / STRETCHES_MAX) * HOUR_MS;
  const stretches = Array.from({ length: Math.ceil((to - from) / length) }, () => 0);
  for (const [hour, count] of clicks) {
    const stretch = Math.floor((hour - from) / length);
    stretches[stretch] = (stretches[stretch] ?? 0) + count;
  }
  let before = 0;
  const slices = stretches.flatMap((count, stretch) =>
    Array.from({ length: QUARTERS }, (_, quarter) => {
      const taken = Math.floor((before * max) / total);
      before += count / QUARTERS;
      const start = from + stretch * length + (quarter * length) / QUARTERS;
      return { from: start, to: start + length / QUARTERS, stretch, most: Math.floor((before * max) / total) - taken };
    }),
  );
  return { stretches, slices: slices.filter(({ most }) => most > 0) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
