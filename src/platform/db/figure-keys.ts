/**
 * What packed counts of figures are keyed by: the number of a value in `figure_values`, and in the lowest four bits its
 * dimension, so that sums can be told apart by dimension without looking values up.
 */
import type { RollupDimension, RollupMetric } from "./schema/clicks";

/** By their codes, which are stored: only append, up to sixteen. What is of opens is kept apart from what is of clicks. */
export const FIGURE_DIMENSIONS = [
  "platform",
  "country",
  "city",
  "device",
  "browser",
  "os",
  "referrer",
  "language",
  "open_platform",
  "open_source",
] as const;
export type FigureDimension = (typeof FIGURE_DIMENSIONS)[number];

const DIMENSIONS_MAX = 16;

export const figureKey = (valueId: number, code: number): number => valueId * DIMENSIONS_MAX + code;
export const codeOf = (key: number): number => key % DIMENSIONS_MAX;
export const valueIdOf = (key: number): number => Math.floor(key / DIMENSIONS_MAX);

/** Humans' and bots' rows are apart, so that a row's dimension tells clicks from opens. */
export function metricOf(dimension: FigureDimension, isBot: boolean): RollupMetric {
  const kind = dimension.startsWith("open_") ? "opens" : "clicks";
  return isBot ? `bot_${kind}` : kind;
}

export function rollupDimensionOf(dimension: FigureDimension): RollupDimension {
  if (dimension === "open_platform") return "platform";
  return dimension === "open_source" ? "source" : dimension;
}

/** Undefined for totals, which have columns of their own. */
export function figureCode(metric: RollupMetric, dimension: string): number | undefined {
  const isOpen = metric === "opens" || metric === "bot_opens";
  const name = isOpen ? `open_${dimension}` : dimension;
  const names: readonly string[] = FIGURE_DIMENSIONS;
  const code = names.indexOf(name);
  return code === -1 ? undefined : code;
}
