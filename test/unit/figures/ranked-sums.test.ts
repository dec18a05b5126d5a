import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CountSums } from "@/figures/count-sums";
import { greatestOf, RankedSums } from "@/figures/ranked-sums";

const GROUPS = { count: 3, of: (key: number) => key % 3 };
const MAX = 10;

type Entries = readonly (readonly [key: number, count: number])[];

function sumsOf(entries: Entries): CountSums {
  const sums = new CountSums();
  for (const [key, count] of entries) sums.add(key, count);
  return sums;
}

const found = (standing: Entries, more: Entries) =>
  greatestOf(new RankedSums(sumsOf(standing), GROUPS), sumsOf(more), MAX)
    .map(({ key, sum }) => [key, sum])
    .sort(([one = 0], [other = 0]) => one - other);

/** Calculates the same by sorting everything. */
function expected(entries: Entries) {
  const sums = new Map<number, number>();
  for (const [key, count] of entries) sums.set(key, (sums.get(key) ?? 0) + count);
  const wanted = [0, 1, 2].flatMap((group) => {
    const ofGroup = [...sums].filter(([key, sum]) => GROUPS.of(key) === group && sum > 0).sort(([, a], [, b]) => b - a);
    const [, least = 0] = ofGroup[MAX - 1] ?? [];
    return ofGroup.filter(([, sum]) => sum >= least);
  });
  return wanted.sort(([one], [other]) => one - other);
}

const range = (length: number, entry: (index: number) => readonly [number, number]) =>
  Array.from({ length }, (_, index) => entry(index));

describe("the greatest of base and added sums", () => {
  test.each<[string, Entries, Entries]>([
    ["nothing", [], []],
    ["few of each", range(20, (key) => [key, key + 1]), []],
    ["those that come in more alone", [], range(50, (key) => [key, key])],
    ["many, all of one sum", range(900, (key) => [key, 7]), [[4, 1]]],
    ["many, with ties at the tenth", range(900, (key) => [key, key < 60 ? 5 : 3]), []],
    ["what more lifts from far below", range(900, (key) => [key, 1_000 - key]), [[897, 5_000]]],
    ["what more takes away", range(900, (key) => [key, 1_000 - key]), range(30, (key) => [key, -(1_000 - key)])],
    [
      "what comes after all that are ranked were taken away",
      range(900, (key) => [key, 1_000 - key]),
      range(600, (key) => [key, -1_000]),
    ],
  ])("of %s", (_, standing, more) => {
    expect(found(standing, more)).toEqual(expected([...standing, ...more]));
  });

  test("equal those found by sorting everything, for any base and added sums", () => {
    const entries = (countMax: number) =>
      fc.array(fc.tuple(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: -countMax, max: countMax })), {
        maxLength: 900,
        size: "max",
      });
    fc.assert(
      fc.property(entries(20), entries(30), (standing, more) => {
        expect(found(standing, more)).toEqual(expected([...standing, ...more]));
      }),
    );
  });

  test("do not change the base sums", () => {
    const standing = new RankedSums(sumsOf(range(900, (key) => [key, key])), GROUPS);
    const before = greatestOf(standing, new CountSums(), MAX);
    greatestOf(standing, sumsOf(range(900, (key) => [key, 5_000])), MAX);
    expect(greatestOf(standing, new CountSums(), MAX)).toEqual(before);
  });
});
