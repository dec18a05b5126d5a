/**
 * Statistics that outliers do not move: medians, the median absolute deviation, and the slope of Theil (1950) and Sen (1968,
 * "Estimates of the regression coefficient based on Kendall's tau", JASA 63). The factor that makes a MAD comparable with a
 * standard deviation, 1 / Φ⁻¹(3/4), is Hampel's (1974).
 */
export const MAD_TO_SIGMA = 1.4826;

/** 95 % of a normal distribution lie within so many deviations. */
export const Z_95 = 1.959964;

/** NaN of nothing. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Median of the distances to the median; NaN of nothing. */
export function mad(values: readonly number[]): number {
  const centre = median(values);
  return median(values.map((value) => Math.abs(value - centre)));
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;

export interface Slope {
  /** Per step from one value to the next. */
  slope: number;
  /** At the first value. */
  intercept: number;
  /** Ends of Sen's 95 % interval of the slope. */
  low: number;
  high: number;
}

/** Longer series are thinned out to so many values, evenly: the slopes of all pairs grow with the square. */
const VALUES_MAX = 200;
const VALUES_MIN = 4;

/** Of values at even distances. Undefined for fewer than four, whose slope nothing could be said about. */
export function theilSen(values: readonly number[]): Slope | undefined {
  if (values.length < VALUES_MIN) return undefined;
  const step = Math.ceil(values.length / VALUES_MAX);
  const points = values.map((y, x) => ({ x, y })).filter(({ x }) => x % step === 0);
  const slopes: number[] = [];
  for (const [index, from] of points.entries()) {
    for (const to of points.slice(index + 1)) slopes.push((to.y - from.y) / (to.x - from.x));
  }
  const sorted = Float64Array.from(slopes).sort();
  const slope = median(slopes);
  const count = points.length;
  // The variance of Kendall's S under no trend, without ties.
  const spread = Z_95 * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const at = (rank: number) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(rank)))] ?? slope;
  return {
    slope,
    intercept: median(points.map(({ x, y }) => y - slope * x)),
    low: at((sorted.length - spread) / 2 - 1),
    high: at((sorted.length + spread) / 2),
  };
}

export type Direction = "rising" | "falling" | "steady";

/** Steady as long as the interval holds no slope at all. */
export function directionOf(slope: Slope | undefined): Direction | undefined {
  if (!slope) return undefined;
  if (slope.low > 0) return "rising";
  return slope.high < 0 ? "falling" : "steady";
}
