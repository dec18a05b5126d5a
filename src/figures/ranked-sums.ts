/**
 * Sums that stand, with the greatest of each group known beforehand: so the greatest of them and of some more are found by
 * going through those more alone, not through all.
 */
import type { CountSums } from "./count-sums";

export interface Sum {
  key: number;
  sum: number;
}

export interface Groups {
  count: number;
  /** Groups are counted from 0. */
  of(key: number): number;
}

/** Of each group as many are ranked: more than are asked for, since those that come in `more` as well are passed over. */
const RANKED_MAX = 128;

export class RankedSums {
  /** Holds the sums of each group, the greatest first. */
  readonly ranked: readonly (readonly Sum[])[];
  /** By group, what none of those left out exceeds; 0 where none is. */
  readonly rest: Float64Array;
  /** Holds the total of each group. */
  readonly totals: Float64Array;

  /** `sums` may not change afterwards. */
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

/** Of each group those with the `max` greatest sums above 0, and whatever equals the last of these; in no order. */
export function greatestOf(standing: RankedSums, more: CountSums, max: number): Sum[] {
  const { sums, groups, ranked, rest } = standing;
  const greatest = new Greatest(groups, max);
  for (const group of ranked) for (const { key, sum } of group) greatest.offer(key, sum + more.of(key));
  more.forEach((key, sum) => {
    const group = groups.of(key);
    const restMax = rest[group] ?? 0;
    // Nearly all end here, without being looked for among hundreds of thousands.
    if (sum + restMax < greatest.least(group)) return;
    const before = sums.of(key);
    const isRanked = before > restMax;
    if (!isRanked) greatest.offer(key, before + sum);
  });
  const isWhole = rest.every((restMax, group) => restMax === 0 || restMax < greatest.least(group));
  return isWhole ? greatest.found() : greatestOfAll(standing, more, max);
}

/** Where so many of the ranked have lost that others may come before them. */
function greatestOfAll({ sums, groups }: RankedSums, more: CountSums, max: number): Sum[] {
  const all = sums.copy();
  more.forEach(all.add);
  const greatest = new Greatest(groups, max);
  all.forEach((key, sum) => {
    greatest.offer(key, sum);
  });
  return greatest.found();
}

/** Tens of thousands may be offered: only those that are among the greatest when they come become objects. */
class Greatest {
  readonly #sums: number[][];
  readonly #offered: Sum[] = [];

  constructor(
    private readonly groups: Groups,
    private readonly max: number,
  ) {
    this.#sums = Array.from({ length: groups.count }, () => []);
  }

  /** The last of the greatest so far; 0 while there are fewer. */
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

/** By group, the greatest sum of which no more than `RANKED_MAX` are above. */
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
