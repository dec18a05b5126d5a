/** Sums of selected rows of parts: clicks and distinct visitors by bucket and in all, by hour of the week, by value. */
import { HOURS_OF_WEEK } from "@/contract/analytics/dimensions";
import { bucketMs, HOUR_MS, type TimeRange } from "@/core/time/time-range";
import { hourOfWeek } from "../read/hours-of-week";
import type { ClickColumn, ClickPart, ColumnName } from "./click-columns";
import type { ValueNumbers } from "./numbers";
import { VisitorSet } from "./visitor-set";

export interface BucketSums {
  clicks: number;
  uniqueVisitors: number;
}

/** Parts have to come in the order of time. */
export class ColumnSums {
  clicks = 0;
  readonly hoursOfWeek = new Float64Array(HOURS_OF_WEEK);
  readonly #numbers: ValueNumbers;
  readonly #bucketMs: number;
  readonly #byValue: Map<ColumnName, Uint32Array>;
  readonly #visitors = new VisitorSet();
  readonly #buckets = new Map<number, { clicks: number; uniqueVisitors: number }>();
  #bucket: OpenBucket | undefined;

  /** `columns` are those whose values are counted, by these numbers, which the parts have. */
  constructor(numbers: ValueNumbers, granularity: TimeRange["granularity"], columns: readonly ColumnName[]) {
    this.#numbers = numbers;
    this.#bucketMs = bucketMs(granularity);
    this.#byValue = new Map(columns.map((name) => [name, new Uint32Array()]));
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
    for (const name of this.#byValue.keys()) {
      const column = part.columns[name];
      this.#numbers.number(name, column);
      const sums = this.#widened(name);
      // Of fewer rows than there are values, each by itself.
      if (rows.length < column.ids.length) addRows(sums, column, rows);
      else addCounts(sums, column.ids, countCodes(column, rows));
    }
  }

  /** With room for all values that have numbers. */
  #widened(name: ColumnName): Uint32Array {
    const wide = widened(this.byValue(name), this.#numbers.count(name));
    this.#byValue.set(name, wide);
    return wide;
  }

  #addVisitors(part: ClickPart, rows: Uint16Array): void {
    const at = part.start + (part.at[rows[0] ?? 0] ?? 0);
    const start = at - (at % this.#bucketMs);
    if (start !== this.#bucket?.start) this.#endBucket();
    const bucket: OpenBucket = this.#bucket ?? { start, clicks: 0, visitors: [] };
    this.#bucket = bucket;
    bucket.clicks += rows.length;
    const visitors = visitorsIn(part, rows);
    bucket.visitors.push(visitors);
    this.#visitors.addAll(visitors);
  }

  #endBucket(): void {
    if (!this.#bucket) return;
    const { start, clicks, visitors } = this.#bucket;
    const [first] = visitors;
    // Of a single part each visitor comes once.
    const uniqueVisitors = first && visitors.length === 1 ? first.length / 2 : distinct(visitors);
    this.#buckets.set(start, { clicks, uniqueVisitors });
    this.#bucket = undefined;
  }
}

interface OpenBucket extends Pick<BucketSums, "clicks"> {
  start: number;
  /** Of each part, two halves for each. */
  visitors: Uint32Array[];
}

/** Each once, two halves for each. */
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

function distinct(parts: readonly Uint32Array[]): number {
  const set = new VisitorSet();
  for (const visitors of parts) set.addAll(visitors);
  return set.size;
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
function widened(sums: Uint32Array, values: number): Uint32Array {
  if (values <= sums.length) return sums;
  const wide = new Uint32Array(Math.ceil(1.5 * values));
  wide.set(sums);
  return wide;
}

/** By code first: there are few of them, close to each other. */
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
