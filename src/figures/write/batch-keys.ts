/**
 * Converts the values of a batch to keys of packed counts. Each value is looked up once, and keys are sorted once for
 * all groups.
 */
import type { Counts } from "../counts";
import type { FigureValue } from "../values";
import type { BatchValues } from "./batch-values";
import type { Tally } from "./tally";

export type Pack = (tally: Tally) => Counts;

/** Values with the same key are summed. */
export function packerOf({ all }: Pick<BatchValues, "all">, keyOf: (value: FigureValue) => number): Pack {
  const keys = Uint32Array.from(all, keyOf);
  const sorted = Uint32Array.from(new Set(keys)).sort();
  const rankOf = new Map(Array.from(sorted, (key, rank) => [key, rank]));
  const ranks = keys.map((key) => rankOf.get(key) ?? 0);
  const sums = new Int32Array(sorted.length);
  return ({ values, counts }) => {
    const touched = new Uint32Array(values.length);
    let length = 0;
    for (let index = 0; index < values.length; index++) {
      const rank = ranks[values[index] ?? 0] ?? 0;
      const sum = sums[rank] ?? 0;
      if (sum === 0) touched[length++] = rank;
      sums[rank] = sum + (counts[index] ?? 0);
    }
    return taken(touched.subarray(0, length).sort());
  };

  function taken(found: Uint32Array): Counts {
    const counts = new Int32Array(found.length);
    for (let index = 0; index < found.length; index++) {
      const rank = found[index] ?? 0;
      found[index] = sorted[rank] ?? 0;
      counts[index] = sums[rank] ?? 0;
      sums[rank] = 0;
    }
    return { keys: found, counts };
  }
}
