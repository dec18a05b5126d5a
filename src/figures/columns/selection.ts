/** Which rows of a part are asked for: those of a span, of people alone or of all, that hold one of the values of each column. */
import type { Span } from "@/core/time/time-range";
import type { ClickColumn, ClickPart, ColumnName } from "./click-columns";
import type { ValueNumbers } from "./numbers";

export interface Wanted {
  span: Span;
  includeBots: boolean;
  /** By column, the values that are let through. */
  values: readonly WantedValues[];
}

export interface WantedValues {
  column: ColumnName;
  values: ReadonlySet<string>;
}

/** Ascending. */
export function selectRows(part: ClickPart, { span, includeBots, values }: Wanted, numbers: ValueNumbers): Uint16Array {
  const [from, to] = [placeOf(part.at, span.from - part.start), placeOf(part.at, span.to - part.start)];
  const selected = new Uint16Array(Math.max(0, to - from));
  let count = 0;
  for (let row = from; row < to; row++) {
    if (includeBots || part.isBot[row] === 0) selected[count++] = row;
  }
  for (const wanted of values) {
    count = narrow(selected, count, part.columns[wanted.column], wanted, numbers);
    if (count === 0) break;
  }
  return selected.subarray(0, count);
}

/** The first row at or after that time. */
function placeOf(at: Uint32Array, time: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((at[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Keeps those rows alone, at the front; returns how many they are. */
function narrow(
  selected: Uint16Array,
  count: number,
  { codes, ids }: ClickColumn,
  { column, values }: WantedValues,
  numbers: ValueNumbers,
): number {
  const passes = passing(ids, column, values, numbers);
  if (codes.length === 0) return passes[0] === 1 ? count : 0;
  let kept = 0;
  for (let place = 0; place < count; place++) {
    const row = selected[place] ?? 0;
    if (passes[codes[row] ?? 0] === 1) selected[kept++] = row;
  }
  return kept;
}

/** By code, whether its value is one of these. */
function passing(ids: Uint32Array, column: ColumnName, values: ReadonlySet<string>, numbers: ValueNumbers): Uint8Array {
  if (values.size > ids.length) return Uint8Array.from(ids, (id) => Number(values.has(numbers.valueOf(column, id))));
  const wanted = new Set([...values].map((value) => numbers.find(column, value)));
  return Uint8Array.from(ids, (id) => Number(wanted.has(id)));
}
