/** Generates daily click counts whose continuation is known, in the shapes that occur with links. */
import { DAY_MS } from "@/core/time/time-range";
import type { Random } from "./random";

export const FUTURE_SHAPES = ["steady", "fading", "launching", "trending", "growing", "weekly", "sparse"] as const;
/** What follows is not in the history, which only shows that it may be as it was before. */
export const UNFORESEEN_SHAPES = ["dipping"] as const;
/** Rise, fall or stand out, which a week or two hardly show. */
export const CHANGING_SHAPES = ["rising", "falling", "bursting", "campaigning", "mailing", "dipping"] as const;
export type FutureShape = (typeof FUTURE_SHAPES | typeof UNFORESEEN_SHAPES | typeof CHANGING_SHAPES)[number];

const MONDAY = Date.UTC(2026, 0, 5);
const WEEK = [1.2, 1.25, 1.1, 1.15, 1.05, 0.65, 0.6];

export interface Future {
  days: { at: number; count: number }[];
  /** Total clicks of the days that follow. */
  truth: number;
}

/** Makes a history of `days` days, and the total of the `horizon` days after it. */
export function makeFuture(random: Random, shape: FutureShape, days = 30, horizon = 30): Future {
  const k = random.pick([20, 20, 60, Number.POSITIVE_INFINITY]);
  const mean = meanOf(random, shape, days);
  const start = MONDAY + random.whole(7) * DAY_MS;
  const counts = Array.from({ length: days + horizon }, (_, day) => random.negativeBinomial(mean(day, start), k));
  return {
    days: counts.slice(0, days).map((count, day) => ({ at: start + day * DAY_MS, count })),
    truth: counts.slice(days).reduce((sum, count) => sum + count, 0),
  };
}

function meanOf(random: Random, shape: FutureShape, days: number): (day: number, start: number) => number {
  const level = 40 * 10 ** (1.5 * random.uniform());
  const rate = random.uniform();
  const burst = Math.floor(rate * (days - 1));
  const launch = Math.floor(burst / 2);
  const weekday = (day: number, start: number) => WEEK[(new Date(start + day * DAY_MS).getUTCDay() + 6) % 7] ?? 1;
  switch (shape) {
    case "steady":
      return () => level;
    case "weekly":
      return (day, start) => level * weekday(day, start);
    case "fading":
      return (day) => 10 * level * Math.exp((-day * (1 + 2 * rate)) / days);
    case "launching":
      return (day) => (day < days - 8 - Math.floor(8 * rate) ? (rate < 0.5 ? 0 : level / 10) : level);
    case "trending":
      return (day) => (rate < 0.5 ? level * Math.exp((0.8 * day) / days) : level * (1 + (1.5 * day) / days));
    case "growing":
      return (day, start) => level * 1.2 ** (day / 7) * weekday(day, start);
    case "rising":
      return (day) => level * 1.2 ** (day / 7);
    case "falling":
      return (day) => 4 * level * 0.8 ** (day / 7);
    case "bursting":
      return (day) => (day === burst ? 15 * level : level);
    case "campaigning":
      return (day) => level * (1 + (day >= launch ? 15 * 0.5 ** (day - launch) : 0));
    case "mailing":
      return (day, start) => level * (new Date(start + day * DAY_MS).getUTCDay() === 2 ? 6 : 1);
    case "dipping":
      return (day) => (day >= days - 4 && day < days + 3 ? 0.3 * level : level);
    case "sparse":
      return () => 0.2 + 1.8 * rate;
  }
}
