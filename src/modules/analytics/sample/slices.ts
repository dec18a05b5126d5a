/**
 * Which clicks of a link stand for all of a range. Each stretch of time gives as many as its share of the clicks, so that
 * mornings and nights, quiet days and busy ones are all there; within a stretch its quarters do, for rules that begin at
 * half past.
 */
import { HOUR_MS, type Span } from "@/core/time/time-range";

const STRETCHES_MAX = 168;
const QUARTERS = 4;

export interface Slice extends Span {
  /** The place of its stretch. */
  stretch: number;
  /** So many clicks are taken. */
  most: number;
}

export interface Sliced {
  /** The clicks in each stretch. */
  stretches: readonly number[];
  slices: readonly Slice[];
}

/** `clicks` by the start of each hour; the range consists of whole hours. Where there are no more than `max`, all are taken. */
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
