/**
 * Selects the rows of a part that lie within a span, are of people only or of everyone, and hold one of the wanted
 * values in each filtered column.
 */
import type { Span } from "@/core/time/time-range";
import type { ClickPart, ColumnName } from "./click-columns";
import type { ValueNumbers } from "./numbers";

export interface RowFilter {
  span: Span;
  includeBots: boolean;
  /** The values to let through, by column. */
  values: readonly WantedValues[];
}

export interface WantedValues {
  column: ColumnName;
  values: ReadonlySet<string>;
}

export class RowSelector {
  readonly #span: Span;
  readonly #includeBots: boolean;
  readonly #values: readonly PassingValues[];

  constructor({ span, includeBots, values }: RowFilter, numbers: ValueNumbers) {
    this.#span = span;
    this.#includeBots = includeBots;
    this.#values = values.map((wanted) => new PassingValues(wanted, numbers));
  }

  /** Returns row numbers in ascending order. */
  select(part: ClickPart): Uint16Array {
    const { at, isBot, start } = part;
    const from = placeOf(at, this.#span.from - start);
    const to = placeOf(at, this.#span.to - start);
    const mostBots = this.#includeBots ? 1 : 0;
    const selected = new Uint16Array(Math.max(0, to - from));
    let count = 0;
    for (let row = from; row < to; row++) {
      if ((isBot[row] ?? 0) <= mostBots) selected[count++] = row;
    }
    for (const values of this.#values) count = values.narrow(selected, count, part);
    return selected.subarray(0, count);
  }
}

/** Returns the first row at or after that time. */
function placeOf(at: Uint32Array, time: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((at[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

class PassingValues {
  readonly #wanted: WantedValues;
  readonly #numbers: ValueNumbers;
  /** By number, 1 if the value is wanted. Covers the first `#numbered` values. */
  #flags = new Uint8Array();
  #numbered = 0;

  constructor(wanted: WantedValues, numbers: ValueNumbers) {
    this.#wanted = wanted;
    this.#numbers = numbers;
  }

  /** Moves the rows with a wanted value to the front and returns how many there are. */
  narrow(selected: Uint16Array, count: number, part: ClickPart): number {
    if (count === 0) return 0;
    const column = part.columns[this.#wanted.column];
    this.#numbers.number(this.#wanted.column, column);
    this.#flag();
    const { codes, ids } = column;
    const flags = this.#flags;
    if (codes.length === 0) return flags[ids[0] ?? 0] === 1 ? count : 0;
    const passes = new Uint8Array(ids.length);
    for (let code = 0; code < passes.length; code++) passes[code] = flags[ids[code] ?? 0] ?? 0;
    let kept = 0;
    for (let place = 0; place < count; place++) {
      const row = selected[place] ?? 0;
      if (passes[codes[row] ?? 0] === 1) selected[kept++] = row;
    }
    return kept;
  }

  #flag(): void {
    const { column, values } = this.#wanted;
    const numbered = this.#numbers.count(column);
    if (numbered === this.#numbered) return;
    this.#numbered = numbered;
    this.#flags = new Uint8Array(numbered);
    for (const value of values) {
      const id = this.#numbers.find(column, value);
      if (id !== undefined) this.#flags[id] = 1;
    }
  }
}
