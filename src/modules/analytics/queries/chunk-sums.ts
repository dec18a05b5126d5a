/**
 * Packed counts of many rows summed up. Rows of past days come again with every request, so sums are kept while they are
 * of the very same rows: what ten days sum up to, beside the first of their rows and for as long as that one is kept; and
 * what all tens of days but the first and the last sum up to, beside the first of these, since a range that moves with the
 * clock changes at its ends alone. So a second request for 90 days sums three parts instead of ninety. The sums of many
 * tens do not hold their rows: how many are in memory is for `packed` to say.
 */
import { CountSums, type Counts } from "@/core/counts";
import { DAY_MS } from "@/core/time-range";
import type { FiguresRow } from "./packed";

const CHUNK_MS = 10 * DAY_MS;

interface Chunk {
  rows: readonly FiguresRow[];
  sum: Counts;
}

interface Inner {
  chunks: readonly WeakRef<Chunk>[];
  sum: CountSums;
}

const chunkOf = new WeakMap<FiguresRow, Chunk>();
const innerOf = new WeakMap<Chunk, Inner>();

export function sumOfCounts(rows: readonly FiguresRow[]): CountSums {
  const sorted = rows.toSorted((a, b) => a.start - b.start || (a.version < b.version ? -1 : 1));
  const byTime = Map.groupBy(sorted, ({ start }) => Math.floor(start / CHUNK_MS));
  const chunks = [...byTime.values()].map(sumOfChunk);
  const total = sumOfInner(chunks.slice(1, -1)).copy();
  for (const end of chunks.length > 1 ? [chunks.at(0), chunks.at(-1)] : chunks) if (end) total.addCounts(end.sum);
  return total;
}

function sumOfInner(chunks: readonly Chunk[]): CountSums {
  const [first] = chunks;
  const known = first && innerOf.get(first);
  if (known && areSame(known.chunks.map(held), chunks)) return known.sum;
  const sum = new CountSums();
  for (const chunk of chunks) sum.addCounts(chunk.sum);
  if (first) innerOf.set(first, { chunks: chunks.map((chunk) => new WeakRef(chunk)), sum });
  return sum;
}

function sumOfChunk(rows: readonly FiguresRow[]): Chunk {
  const [first] = rows;
  const known = first && chunkOf.get(first);
  if (known && areSame(known.rows, rows)) return known;
  const sums = new CountSums();
  for (const { counts } of rows) sums.addAll(counts);
  const chunk = { rows, sum: sums.toCounts() };
  if (first) chunkOf.set(first, chunk);
  return chunk;
}

const held = (chunk: WeakRef<Chunk>) => chunk.deref();

const areSame = (some: readonly unknown[], others: readonly object[]) =>
  some.length === others.length && some.every((each, index) => each === others[index]);
