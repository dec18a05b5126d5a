/** Sums of selected rows of parts: clicks and distinct visitors by bucket and in all, by hour of the week, by value. */
import { HOURS_OF_WEEK } from "@/contract/analytics/dimensions";
import { bucketMs, HOUR_MS, type TimeRange } from "@/core/time/time-range";
import { hourOfWeek } from "../read/hours-of-week";
import type { ClickColumn, ClickPart, ColumnName } from "./click-columns";
import { VisitorSet } from "./visitor-set";

export interface BucketSums {
  clicks: number;
  uniqueVisitors: number;
}

/** Parts have to come in the order of time. */
export class ColumnSums {
  clicks = 0;
  readonly hoursOfWeek = new Float64Array(HOURS_OF_WEEK);
  readonly #bucketMs: number;
  readonly #byValue: Map<ColumnName, Float64Array>;
  readonly #visitors = new VisitorSet();
  readonly #buckets = new Map<number, { clicks: number; uniqueVisitors: number }>();
  readonly #ofBucket = new VisitorSet();
  #bucket: number | undefined;

  /** `columns` are those whose values are counted. */
  constructor(granularity: TimeRange["granularity"], columns: readonly ColumnName[]) {
    this.#bucketMs = bucketMs(granularity);
    this.#byValue = new Map(columns.map((name) => [name, new Float64Array()]));
  }

  get uniqueVisitors(): number {
    return this.#visitors.size;
  }

  /** By start; those without any are absent. */
  get buckets(): Map<number, BucketSums> {
    this.#endBucket();
    return this.#buckets;
  }

  /** By the number of the value. */
  byValue(name: ColumnName): Float64Array {
    return this.#byValue.get(name) ?? new Float64Array();
  }

  /** `numbered`: how many values of a column have numbers by now. */
  add(part: ClickPart, rows: Uint16Array, numbered: (name: ColumnName) => number): void {
    if (rows.length === 0) return;
    this.clicks += rows.length;
    for (const [from, to] of runsOf(part, rows, Math.min(HOUR_MS, this.#bucketMs))) {
      const hour = hourOfWeek(part.start + (part.at[rows[from] ?? 0] ?? 0));
      this.hoursOfWeek[hour] = (this.hoursOfWeek[hour] ?? 0) + to - from;
    }
    for (const [from, to] of runsOf(part, rows, this.#bucketMs)) this.#addVisitors(part, rows.subarray(from, to));
    for (const [name, sums] of this.#byValue) {
      const wide = widened(sums, numbered(name));
      this.#byValue.set(name, wide);
      addCodes(wide, part.columns[name], rows);
    }
  }

  #addVisitors(part: ClickPart, rows: Uint16Array): void {
    const at = part.start + (part.at[rows[0] ?? 0] ?? 0);
    const start = at - (at % this.#bucketMs);
    if (start !== this.#bucket) this.#endBucket();
    this.#bucket = start;
    const bucket = this.#buckets.get(start) ?? { clicks: 0, uniqueVisitors: 0 };
    this.#buckets.set(start, { ...bucket, clicks: bucket.clicks + rows.length });
    const { visitors, visitorCodes } = part;
    const seen = new Uint8Array(visitors.length / 2);
    for (const row of rows) {
      const code = visitorCodes[row] ?? 0;
      if (seen[code] === 1) continue;
      seen[code] = 1;
      const [low = 0, high = 0] = [visitors[2 * code], visitors[2 * code + 1]];
      this.#visitors.add(low, high);
      this.#ofBucket.add(low, high);
    }
  }

  #endBucket(): void {
    const bucket = this.#bucket === undefined ? undefined : this.#buckets.get(this.#bucket);
    if (bucket) bucket.uniqueVisitors = this.#ofBucket.size;
    this.#ofBucket.clear();
    this.#bucket = undefined;
  }
}

/** Stretches of the rows that lie within one hour or day. */
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

/** With room for so many values, and for some that are still to come. */
function widened(sums: Float64Array, values: number): Float64Array {
  if (values <= sums.length) return sums;
  const wide = new Float64Array(Math.ceil(1.5 * values));
  wide.set(sums);
  return wide;
}

/** Counted by code first: there are few of them, close to each other. */
function addCodes(sums: Float64Array, { codes, ids }: ClickColumn, rows: Uint16Array): void {
  const counts = new Uint32Array(ids.length);
  if (codes.length === 0) counts[0] = rows.length;
  else {
    for (const row of rows) {
      const code = codes[row] ?? 0;
      counts[code] = (counts[code] ?? 0) + 1;
    }
  }
  for (let code = 0; code < counts.length; code++) {
    const id = ids[code] ?? 0;
    sums[id] = (sums[id] ?? 0) + (counts[code] ?? 0);
  }
}
