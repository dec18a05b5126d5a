/**
 * Caches what was computed from a list of rows, for requests with exactly the same rows: past days recur in every
 * request. If another object was involved (`beside`), the result is valid only for that same object. A result is
 * stored with the first row of its list, lives as long as that row, and refers to all rows weakly, because `packed`
 * bounds how many rows are in memory. For lists that begin with the same row, the last `LISTS_MAX` results are kept.
 */
import type { FiguresRow } from "./packed";

const LISTS_MAX = 4;
const NOTHING: object = {};

interface Known<Made> {
  rows: readonly WeakRef<FiguresRow>[];
  beside: WeakRef<object>;
  made: Made;
}

export class ByRows<Made> {
  readonly #known = new WeakMap<FiguresRow, Known<Made>[]>();

  /**
   * Returns the cached result, or computes and caches it. The same rows must always come in the same order
   * (`inOrder`).
   */
  of(rows: readonly FiguresRow[], make: (rows: readonly FiguresRow[]) => Made, beside = NOTHING): Made {
    return this.find(rows, beside) ?? this.keep(rows, make(rows), beside);
  }

  find(rows: readonly FiguresRow[], beside = NOTHING): Made | undefined {
    const [first] = rows;
    if (!first) return undefined;
    return this.#known.get(first)?.find((list) => list.beside.deref() === beside && areSame(list.rows, rows))?.made;
  }

  keep(rows: readonly FiguresRow[], made: Made, beside = NOTHING): Made {
    const [first] = rows;
    if (!first) return made;
    const list = { rows: rows.map((row) => new WeakRef(row)), beside: new WeakRef(beside), made };
    this.#known.set(first, [list, ...(this.#known.get(first) ?? []).slice(0, LISTS_MAX - 1)]);
    return made;
  }
}

const areSame = (some: readonly WeakRef<FiguresRow>[], others: readonly FiguresRow[]) =>
  some.length === others.length && some.every((row, index) => row.deref() === others[index]);

export interface Split {
  /** Rows of past hours or days, which hardly ever change. */
  standing: FiguresRow[];
  /** Rows of the newest hour or day, which changes with every click. */
  fresh: FiguresRow[];
}

/** Separates the newest hour or day from the others. In both lists, the same rows are always in the same order. */
export function splitByAge(rows: readonly FiguresRow[]): Split {
  const sorted = inOrder(rows);
  const newest = sorted.at(-1)?.start;
  const end = sorted.findIndex(({ start }) => start === newest);
  return { standing: sorted.slice(0, Math.max(0, end)), fresh: sorted.slice(Math.max(0, end)) };
}

/** Sorts rows into an order that is always the same for the same rows. */
export const inOrder = (rows: readonly FiguresRow[]): FiguresRow[] =>
  rows.toSorted((a, b) => a.start - b.start || (a.version < b.version ? -1 : 1));
