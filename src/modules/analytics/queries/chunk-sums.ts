/**
 * Packed counts of many rows summed up. Rows of past days come again with every request, so what ten days of them sum up
 * to is kept beside the first of these rows, for as long as that one is kept, and holds while the rows are the very same.
 * Of 90 days, a second request sums nine parts and the days under way instead of ninety.
 */
import { CountSums, type Counts } from "@/core/counts";
import { DAY_MS } from "@/core/time-range";
import type { FiguresRow } from "./packed";

const CHUNK_MS = 10 * DAY_MS;

interface Chunk {
  rows: readonly FiguresRow[];
  sum: Counts;
}

const chunks = new WeakMap<FiguresRow, Chunk>();

export function sumOfCounts(rows: readonly FiguresRow[]): CountSums {
  const total = new CountSums();
  const sorted = rows.toSorted((a, b) => a.start - b.start || (a.version < b.version ? -1 : 1));
  for (const chunk of Map.groupBy(sorted, ({ start }) => Math.floor(start / CHUNK_MS)).values()) {
    const { keys, counts } = sumOfChunk(chunk);
    for (let index = 0; index < keys.length; index++) total.add(keys[index] ?? 0, counts[index] ?? 0);
  }
  return total;
}

function sumOfChunk(rows: FiguresRow[]): Counts {
  const [first] = rows;
  const known = first && chunks.get(first);
  if (known && areSame(known.rows, rows)) return known.sum;
  const sums = new CountSums();
  for (const { counts } of rows) sums.addAll(counts);
  const sum = sums.toCounts();
  if (first) chunks.set(first, { rows, sum });
  return sum;
}

const areSame = (some: readonly FiguresRow[], others: readonly FiguresRow[]) =>
  some.length === others.length && some.every((row, index) => row === others[index]);
