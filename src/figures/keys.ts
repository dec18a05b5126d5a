/**
 * Keys of packed counts. A key is the number of a value in `figure_values`, with the value's dimension in the lowest
 * six bits, so that sums can be divided by dimension without looking values up.
 */
import type { RollupMetric } from "@/platform/db/figure-constants";
import { CLICK_DIMENSION_NAMES, CLICK_DIMENSIONS, type ClickDimension } from "./dimensions";

/** Opens are counted under different codes than clicks. */
const OPEN_CODES = { open_platform: 8, open_source: 9 } as const;
export type FigureDimension = ClickDimension | keyof typeof OPEN_CODES;
/** Names of dimensions in rollups, the same for clicks and opens. Only opens have `source`. */
export type RollupDimension = "total" | "source" | ClickDimension;

export const CODES_MAX = 64;
/** The largest value number that fits into a key. */
const VALUE_IDS_END = 2 ** 26 - 1;

const NAMES = new Map<number, FigureDimension>([
  ...CLICK_DIMENSION_NAMES.map((name): [number, FigureDimension] => [CLICK_DIMENSIONS[name].code, name]),
  [OPEN_CODES.open_platform, "open_platform"],
  [OPEN_CODES.open_source, "open_source"],
]);

/** One past the greatest code. */
export const CODES_END = Math.max(...NAMES.keys()) + 1;

/** Throws for a code that no dimension has. */
export function dimensionOf(code: number): FigureDimension {
  const name = NAMES.get(code);
  if (!name) throw new RangeError(`unknown dimension code ${code}`);
  return name;
}

export const figureDimensionCode = (name: FigureDimension): number =>
  name === "open_platform" || name === "open_source" ? OPEN_CODES[name] : CLICK_DIMENSIONS[name].code;

export function figureKey(valueId: number, code: number): number {
  if (valueId > VALUE_IDS_END) throw new RangeError(`the value number ${valueId} is too large for a key`);
  return valueId * CODES_MAX + code;
}

export const codeOf = (key: number): number => key % CODES_MAX;
export const valueIdOf = (key: number): number => Math.floor(key / CODES_MAX);

const isOpens = (name: FigureDimension): name is keyof typeof OPEN_CODES => name in OPEN_CODES;

/**
 * Returns the metric that a count belongs to. People and bots have separate rows, so the dimension only has to
 * distinguish clicks from opens.
 */
export function metricOf(dimension: FigureDimension, isBot: boolean): RollupMetric {
  const kind = isOpens(dimension) ? "opens" : "clicks";
  return isBot ? `bot_${kind}` : kind;
}

export function rollupDimensionOf(dimension: FigureDimension): Exclude<RollupDimension, "total"> {
  if (dimension === "open_platform") return "platform";
  return dimension === "open_source" ? "source" : dimension;
}

/** Returns undefined for totals, which have columns of their own. */
export function figureCode(metric: RollupMetric, dimension: string): number | undefined {
  const isOpen = metric === "opens" || metric === "bot_opens";
  if (isOpen) return OPEN_NAMES.get(dimension);
  return CLICK_NAMES.get(dimension);
}

const OPEN_NAMES = new Map<string, number>([
  ["platform", OPEN_CODES.open_platform],
  ["source", OPEN_CODES.open_source],
]);
const CLICK_NAMES = new Map<string, number>(CLICK_DIMENSION_NAMES.map((name) => [name, CLICK_DIMENSIONS[name].code]));
