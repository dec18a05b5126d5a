/** Clicks of one link in columns, newest first: 34 bytes per click, where a row object would take several hundred. */
import type { RoutedClicks } from "@/core/insights/destination-figures";

export type SampleRoute = Pick<RoutedClicks, "routeKind" | "ruleIndex" | "splitKey" | "destinationUrl">;

export interface Sample {
  rows: number;
  /** Unix milliseconds, descending. */
  at: Float64Array;
  /** In the binary format of `uuid`. */
  ids: Uint8Array;
  /** Two words per visitor, which are only compared. */
  visitors: Uint32Array;
  /** Indexes into `table`. */
  routes: Uint16Array;
  table: readonly SampleRoute[];
}

export const ID_BYTES = 16;
export const VISITOR_WORDS = 2;
const SAMPLE_BYTES = 500;
const ROUTE_BYTES = 100;

export function createSample(rows: number, table: readonly SampleRoute[]): Sample {
  return {
    rows,
    at: new Float64Array(rows),
    ids: new Uint8Array(rows * ID_BYTES),
    visitors: new Uint32Array(rows * VISITOR_WORDS),
    routes: new Uint16Array(rows),
    table,
  };
}

/** Copies a part, so that a cached part of a long sample does not keep the whole sample in memory. */
export const partOf = ({ at, ids, visitors, routes, table }: Sample, from: number, to: number): Sample => ({
  rows: to - from,
  at: at.slice(from, to),
  ids: ids.slice(from * ID_BYTES, to * ID_BYTES),
  visitors: visitors.slice(from * VISITOR_WORDS, to * VISITOR_WORDS),
  routes: routes.slice(from, to),
  table,
});

/** Returns how many clicks, counted from the newest, are at or after that instant. */
export function countSince({ at, rows }: Sample, from: number): number {
  let [low, high] = [0, rows];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((at[middle] ?? 0) >= from) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function sampleBytes({ at, ids, visitors, routes, table }: Sample): number {
  const texts = table.reduce((sum, { destinationUrl }) => sum + ROUTE_BYTES + destinationUrl.length, 0);
  return SAMPLE_BYTES + at.byteLength + ids.byteLength + visitors.byteLength + routes.byteLength + texts;
}
