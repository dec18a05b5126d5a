/**
 * Counts the visits of a group: how often each value occurred, and the visitors' keys. Uses arrays of numbers, no
 * objects.
 */
import type { NumberedKey } from "@/platform/visitor";

/** The visits of either people or bots. */
export interface Tally {
  clicks: number;
  opens: number;
  /**
   * Numbers of `BatchValues`, each once, and how often each occurred. They cover clicks and opens, which share no
   * values.
   */
  values: Uint32Array;
  counts: Int32Array;
  /** The unsigned keys of the clicks' visitors, one for each click. */
  visitors: BigUint64Array;
}

export const NO_TALLY: Tally = Object.freeze({
  clicks: 0,
  opens: 0,
  values: new Uint32Array(),
  counts: new Int32Array(),
  visitors: new BigUint64Array(),
});

/** The visitors' keys of a batch in one block of memory, parts of which belong to tallies. */
export class VisitorKeys {
  readonly #halves: Uint32Array;
  #start = 0;
  #end = 0;

  constructor(visitsMax: number) {
    this.#halves = new Uint32Array(2 * visitsMax);
  }

  /** Stores the lower half first, as memory has them. */
  put({ high, low }: NumberedKey): void {
    this.#halves[this.#end++] = low;
    this.#halves[this.#end++] = high;
  }

  /** Returns the keys that were put since the last call. */
  take(): BigUint64Array {
    const { buffer, BYTES_PER_ELEMENT } = this.#halves;
    const [start, count] = [this.#start, (this.#end - this.#start) / 2];
    this.#start = this.#end;
    return new BigUint64Array(buffer, start * BYTES_PER_ELEMENT, count);
  }
}

function joined(parts: readonly BigUint64Array[]): BigUint64Array {
  const all = new BigUint64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/** A reusable counter: one count for each value's number, and a list of the counts that are not zero. */
export class ValueSums {
  #counts = new Int32Array(1_024);
  #touched: number[] = [];

  readonly addOne = (value: number): void => this.#add(value, 1);

  merge(tallies: readonly Tally[]): Tally {
    const some = tallies.filter((tally) => tally !== NO_TALLY);
    const [first] = some;
    if (!first) return NO_TALLY;
    if (some.length === 1) return first;
    for (const { values, counts } of some) {
      for (let index = 0; index < values.length; index++) this.#add(values[index] ?? 0, counts[index] ?? 0);
    }
    return {
      clicks: some.reduce((sum, { clicks }) => sum + clicks, 0),
      opens: some.reduce((sum, { opens }) => sum + opens, 0),
      ...this.take(),
      visitors: joined(some.map(({ visitors }) => visitors)),
    };
  }

  take(): Pick<Tally, "values" | "counts"> {
    const values = Uint32Array.from(this.#touched);
    const counts = new Int32Array(values.length);
    for (let index = 0; index < values.length; index++) {
      const value = values[index] ?? 0;
      counts[index] = this.#counts[value] ?? 0;
      this.#counts[value] = 0;
    }
    this.#touched = [];
    return { values, counts };
  }

  #add(value: number, count: number): void {
    if (value >= this.#counts.length) this.#grow(value);
    const before = this.#counts[value] ?? 0;
    if (before === 0) this.#touched.push(value);
    this.#counts[value] = before + count;
  }

  #grow(value: number): void {
    const larger = new Int32Array(2 * (value + 1));
    larger.set(this.#counts);
    this.#counts = larger;
  }
}
