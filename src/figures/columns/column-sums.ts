/**
 * Sums selected rows of parts: clicks and distinct visitors by bucket and in total, clicks by hour of the week and by
 * value.
 */
import { HOURS_OF_WEEK } from "@/contract/analytics/dimensions";
import { bucketMs, HOUR_MS, type TimeRange } from "@/core/time/time-range";
import { hourOfWeek } from "../read/hours-of-week";
import type { ClickColumn, ClickPart, ColumnName } from "./click-columns";
import type { ValueNumbers } from "./numbers";
import { VisitorPiles } from "./visitor-piles";

export interface BucketSums {
  clicks: number;
  uniqueVisitors: number;
}

export interface VisitorSums {
  uniqueVisitors: number;
  /** By start of the bucket; buckets without clicks are absent. */
  buckets: Map<number, BucketSums>;
}

/** Parts must be added in time order. */
export class ColumnSums {
  clicks = 0;
  readonly hoursOfWeek = new Float64Array(HOURS_OF_WEEK);
  readonly #numbers: ValueNumbers;
  readonly #bucketMs: number;
  readonly #byValue: Map<ColumnName, Uint32Array>;
  readonly #visitors = new VisitorPiles();
  /** In time order. */
  readonly #buckets: { start: number; clicks: number }[] = [];

  /** `columns` are those whose values are counted; `numbers` must be those of the parts. */
  constructor(numbers: ValueNumbers, granularity: TimeRange["granularity"], columns: readonly ColumnName[]) {
    this.#numbers = numbers;
    this.#bucketMs = bucketMs(granularity);
    this.#byValue = new Map(columns.map((name) => [name, new Uint32Array()]));
  }

  /** Counts the visitors of everything that was added. */
  async countVisitors(): Promise<VisitorSums> {
    const { all, byBucket } = await this.#visitors.count();
    const buckets = this.#buckets.map(({ start, clicks }, place): [number, BucketSums] => [
      start,
      { clicks, uniqueVisitors: byBucket[place] ?? 0 },
    ]);
    return { uniqueVisitors: all, buckets: new Map(buckets) };
  }

  /** Returns the clicks by the number of the value. */
  byValue(name: ColumnName): Uint32Array {
    return this.#byValue.get(name) ?? new Uint32Array();
  }

  add(part: ClickPart, rows: Uint16Array): void {
    if (rows.length === 0) return;
    this.clicks += rows.length;
    for (const [from, to] of runsOf(part, rows, Math.min(HOUR_MS, this.#bucketMs))) {
      const hour = hourOfWeek(part.start + (part.at[rows[from] ?? 0] ?? 0));
      this.hoursOfWeek[hour] = (this.hoursOfWeek[hour] ?? 0) + to - from;
    }
    for (const [from, to] of runsOf(part, rows, this.#bucketMs)) this.#addVisitors(part, rows.subarray(from, to));
    this.addValues(part, rows);
  }

  /** Adds only the counts by value, for callers that need nothing else. */
  addValues(part: ClickPart, rows: Uint16Array): void {
    for (const name of this.#byValue.keys()) {
      const column = part.columns[name];
      this.#numbers.number(name, column);
      const sums = this.#widened(name);
      // Fewer rows than values are added one by one.
      if (rows.length < column.ids.length) addRows(sums, column, rows);
      else addCounts(sums, column.ids, countCodes(column, rows));
    }
  }

  /** Returns the column's sums with room for all values that have numbers. */
  #widened(name: ColumnName): Uint32Array {
    const wide = widened(this.byValue(name), this.#numbers.count(name));
    this.#byValue.set(name, wide);
    return wide;
  }

  #addVisitors(part: ClickPart, rows: Uint16Array): void {
    const at = part.start + (part.at[rows[0] ?? 0] ?? 0);
    const start = at - (at % this.#bucketMs);
    let bucket = this.#buckets.at(-1);
    if (bucket?.start !== start) {
      bucket = { start, clicks: 0 };
      this.#buckets.push(bucket);
      this.#visitors.beginBucket();
    }
    bucket.clicks += rows.length;
    this.#visitors.addAll(visitorsIn(part, rows));
  }
}

/** Returns each visitor of the rows once, as two halves. */
function visitorsIn({ visitors, visitorCodes }: ClickPart, rows: Uint16Array): Uint32Array {
  const seen = new Uint8Array(visitors.length / 2);
  const found = new Uint32Array(2 * Math.min(rows.length, seen.length));
  let count = 0;
  for (let place = 0; place < rows.length; place++) {
    const code = visitorCodes[rows[place] ?? 0] ?? 0;
    if (seen[code] === 1) continue;
    seen[code] = 1;
    found[count++] = visitors[2 * code] ?? 0;
    found[count++] = visitors[2 * code + 1] ?? 0;
  }
  return found.subarray(0, count);
}

/** Yields runs of rows that lie within the same hour or day. */
function* runsOf({ start, at }: ClickPart, rows: Uint16Array, length: number): Generator<[from: number, to: number]> {
  const offset = start % length;
  for (let from = 0; from < rows.length; ) {
    const time = offset + (at[rows[from] ?? 0] ?? 0);
    const end = time - (time % length) + length - offset;
    let [low, high] = [from + 1, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((at[rows[middle] ?? 0] ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    yield [from, low];
    from = low;
  }
}

/** Returns sums with room for this many values. Growing adds spare room for later ones. */
function widened(sums: Uint32Array, values: number): Uint32Array {
  if (values <= sums.length) return sums;
  const wide = new Uint32Array(Math.ceil(1.5 * values));
  wide.set(sums);
  return wide;
}

/** Counts by code first, because codes are few and adjacent in memory. */
function countCodes({ codes, ids }: ClickColumn, rows: Uint16Array): Uint32Array {
  const counts = new Uint32Array(ids.length);
  if (codes.length === 0) {
    counts[0] = rows.length;
    return counts;
  }
  for (let place = 0; place < rows.length; place++) {
    const code = codes[rows[place] ?? 0] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

function addCounts(sums: Uint32Array, ids: Uint32Array, counts: Uint32Array): void {
  for (let code = 0; code < counts.length; code++) {
    const count = counts[code] ?? 0;
    if (count === 0) continue;
    const id = ids[code] ?? 0;
    sums[id] = (sums[id] ?? 0) + count;
  }
}

function addRows(sums: Uint32Array, { codes, ids }: ClickColumn, rows: Uint16Array): void {
  for (let place = 0; place < rows.length; place++) {
    const id = ids[codes[rows[place] ?? 0] ?? 0] ?? 0;
    sums[id] = (sums[id] ?? 0) + 1;
  }
}
