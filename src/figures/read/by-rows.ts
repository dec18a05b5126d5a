/**
 * What was made of a list of rows, for whoever comes with the very same rows: past days come again with every request. What
 * was made of something else as well is for whoever comes with the same of that, too.
 * It is kept beside the list's first row and for as long as that one is; the list itself holds no row, since how many are
 * in memory is for `packed` to say. Of lists that begin with the same row, the last `LISTS_MAX` are remembered.
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

  /** `rows` in an order that is the same for the same rows. */
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
  /** Of past hours or days, which hardly ever change. */
  standing: FiguresRow[];
  /** Of the newest hour or day, which changes with every click. */
  fresh: FiguresRow[];
}

/** Both in an order that is the same for the same rows. */
export function splitByAge(rows: readonly FiguresRow[]): Split {
  const sorted = inOrder(rows);
  const newest = sorted.at(-1)?.start;
  const end = sorted.findIndex(({ start }) => start === newest);
  return { standing: sorted.slice(0, Math.max(0, end)), fresh: sorted.slice(Math.max(0, end)) };
}

/** The same for the same rows, however they came. */
export const inOrder = (rows: readonly FiguresRow[]): FiguresRow[] =>
  rows.toSorted((a, b) => a.start - b.start || (a.version < b.version ? -1 : 1));
