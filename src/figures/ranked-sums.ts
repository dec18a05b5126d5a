/**
 * Sums that no longer change, with the greatest of each group ranked in advance. After some more counts are added,
 * the greatest sums are found by going through only these counts and not through all sums.
 */
import type { CountSums } from "./count-sums";

export interface Sum {
  key: number;
  sum: number;
}

export interface Groups {
  count: number;
  /** Returns the number of the group, counted from 0. */
  of(key: number): number;
}

/**
 * The number of sums ranked in each group: more than an overview shows, so that the sums left out stay below the
 * greatest even if ranked ones lose some counts. A request for more values than this goes through all sums.
 */
const RANKED_MAX = 128;

export class RankedSums {
  /** By group, its ranked sums, the greatest first. */
  readonly ranked: readonly (readonly Sum[])[];
  /** By group, the greatest of the sums left out; 0 if none is. */
  readonly rest: Float64Array;
  /** By group, the total of all its sums. */
  readonly totals: Float64Array;

  /** `sums` must not change afterwards. */
  constructor(
    readonly sums: CountSums,
    readonly groups: Groups,
  ) {
    this.rest = restOf(sums, groups);
    this.totals = new Float64Array(groups.count);
    const ranked: Sum[][] = Array.from({ length: groups.count }, () => []);
    sums.forEach((key, sum) => {
      const group = groups.of(key);
      this.totals[group] = (this.totals[group] ?? 0) + sum;
      if (sum > (this.rest[group] ?? 0)) ranked[group]?.push({ key, sum });
    });
    for (const group of ranked) group.sort((a, b) => b.sum - a.sum);
    this.ranked = ranked;
  }
}

/** Returns, in no particular order, each group's `max` greatest sums above 0, and all that equal the last of these. */
export function greatestOf(standing: RankedSums, more: CountSums, max: number): Sum[] {
  const { sums, groups, ranked, rest } = standing;
  const greatest = new Greatest(groups, max);
  for (const group of ranked) for (const { key, sum } of group) greatest.offer(key, sum + more.of(key));
  more.forEach((key, sum) => {
    const group = groups.of(key);
    const restMax = rest[group] ?? 0;
    // Nearly all counts end here, without a lookup among hundreds of thousands of sums.
    if (sum + restMax < greatest.least(group)) return;
    const before = sums.of(key);
    const isRanked = before > restMax;
    if (!isRanked) greatest.offer(key, before + sum);
  });
  const isWhole = rest.every((restMax, group) => restMax === 0 || restMax < greatest.least(group));
  return isWhole ? greatest.found() : greatestOfAll(standing, more, max);
}

/** Goes through all sums. Needed if so many ranked sums have lost counts that others may have overtaken them. */
function greatestOfAll({ sums, groups }: RankedSums, more: CountSums, max: number): Sum[] {
  const all = sums.copy();
  more.forEach(all.add);
  const greatest = new Greatest(groups, max);
  all.forEach((key, sum) => {
    greatest.offer(key, sum);
  });
  return greatest.found();
}

/**
 * Collects the greatest sums of each group. Tens of thousands may be offered; only those that are among the greatest
 * at that moment become objects.
 */
class Greatest {
  readonly #sums: number[][];
  readonly #offered: Sum[] = [];

  constructor(
    private readonly groups: Groups,
    private readonly max: number,
  ) {
    this.#sums = Array.from({ length: groups.count }, () => []);
  }

  /** Returns the least of the greatest sums so far; 0 while there are fewer than `max`. */
  least(group: number): number {
    const sums = this.#sums[group] ?? [];
    return sums.length < this.max ? 0 : (sums[0] ?? 0);
  }

  offer(key: number, sum: number): void {
    const group = this.groups.of(key);
    const least = this.least(group);
    if (sum <= 0 || sum < least) return;
    this.#offered.push({ key, sum });
    if (sum === least) return;
    const sums = this.#sums[group] ?? [];
    const place = sums.findIndex((other) => other >= sum);
    sums.splice(place === -1 ? sums.length : place, 0, sum);
    if (sums.length > this.max) sums.shift();
  }

  found(): Sum[] {
    return this.#offered.filter(({ key, sum }) => sum >= this.least(this.groups.of(key)));
  }
}

/** Returns, by group, the greatest sum that at most `RANKED_MAX` others exceed, or 0. */
function restOf(sums: CountSums, groups: Groups): Float64Array {
  const sizes = new Uint32Array(groups.count);
  sums.forEach((key) => {
    const group = groups.of(key);
    sizes[group] = (sizes[group] ?? 0) + 1;
  });
  const all = Array.from(sizes, (size) => new Float64Array(size));
  sizes.fill(0);
  sums.forEach((key, sum) => {
    const group = groups.of(key);
    const place = sizes[group] ?? 0;
    sizes[group] = place + 1;
    const ofGroup = all[group];
    if (ofGroup) ofGroup[place] = sum;
  });
  return Float64Array.from(all, (ofGroup) => Math.max(0, ofGroup.sort().at(-1 - RANKED_MAX) ?? 0));
}
