import { describe, expect, test } from "bun:test";
import { DAY_MS } from "@/core/time/time-range";
import { CountSums } from "@/figures/count-sums";
import { countsOf, encodeCounts } from "@/figures/counts";
import { FiguresRow } from "@/figures/read/packed";
import { sumsOf } from "@/figures/read/row-sums";

let versions = 0;
const rowOf = (day: number, ...entries: [key: number, count: number][]) =>
  new FiguresRow({
    ...{ start: day * DAY_MS, version: String(versions++), clicks: 0, opens: 0 },
    ...{ counts: encodeCounts(countsOf(entries)), visitors: null },
  });

const told = (sums: CountSums) => {
  const entries: [number, number][] = [];
  sums.forEach((key, sum) => {
    entries.push([key, sum]);
  });
  return Object.fromEntries(entries);
};

/** Adds the sums of the standing rows and of the newest ones. */
function sumOf(rows: readonly FiguresRow[]): CountSums {
  const { standing, more } = sumsOf(rows);
  const all = standing.sums.copy();
  more.forEach(all.add);
  return all;
}

/** Ninety days, each with one value of its own and one that all share. */
const days = Array.from({ length: 90 }, (_, day) => rowOf(day, [1, 1], [1_000 + day, 2]));
const expected = (from: number, to: number) =>
  Object.fromEntries([
    ...(from < to ? [[1, to - from] as const] : []),
    ...Array.from({ length: to - from }, (_, index) => [1_000 + from + index, 2] as const),
  ]);

describe("the counts of many rows", () => {
  test.each([
    ["none", 0, 0],
    ["one", 5, 6],
    ["some of one ten of days", 2, 9],
    ["across two tens", 8, 12],
    ["across three", 8, 22],
    ["all of them", 0, 90],
    ["a range that moved", 3, 90],
    ["its end moved back", 3, 84],
    ["all of them again", 0, 90],
  ])("of %s are their sum", (_, from, to) => {
    expect(told(sumOf(days.slice(from, to)))).toEqual(expected(from, to));
  });

  test("reflect a row in the middle that was replaced", () => {
    const changed = days.with(45, rowOf(45, [1, 5], [7, 7]));
    expect(told(sumOf(days))).toEqual(expected(0, 90));
    expect(told(sumOf(changed))).toMatchObject({ 1: 94, 7: 7 });
    expect(told(sumOf(changed))).not.toHaveProperty("1045");
    expect(told(sumOf(days))).toEqual(expected(0, 90));
  });

  test("reflect the newest row as it grows, and reuse the sums of the older rows", () => {
    const grown = days.with(89, rowOf(89, [1, 1], [1_089, 3]));
    expect(told(sumOf(grown))).toEqual({ ...expected(0, 89), 1: 90, 1089: 3 });
    expect(sumsOf(grown).standing).toBe(sumsOf(days).standing);
  });

  test("include the rows of all writers", () => {
    expect(told(sumOf([...days, rowOf(45, [1, 1]), rowOf(0, [1, 1])]))).toMatchObject({ 1: 92 });
  });

  test("do not keep rows in memory that nothing else references", async () => {
    const seen = Array.from({ length: 20 }, () => {
      const rows = Array.from({ length: 90 }, (_, day) => rowOf(day, [1, 1]));
      sumsOf(rows);
      return rows.map((row) => new WeakRef(row));
    }).flat();
    await Bun.sleep(0);
    Bun.gc(true);
    await Bun.sleep(0);
    Bun.gc(true);
    // A few may seem to be in use, because the garbage collector scans the stack for anything that looks like an
    // address.
    expect(seen.filter((row) => row.deref() !== undefined).length).toBeLessThan(seen.length / 4);
  });

  test("of the newest day belong to the caller: adding to them does not affect later callers", () => {
    sumsOf(days).more.add(1, 1_000);
    expect(told(sumOf(days))).toEqual(expected(0, 90));
  });
});

test("a copy of sums is independent of the original, even after it grows", () => {
  const sums = new CountSums();
  sums.add(1, 1);
  const copy = sums.copy();
  for (let key = 1; key <= 5_000; key++) copy.add(key, 1);
  expect(told(sums)).toEqual({ 1: 1 });
  expect(told(copy)).toMatchObject({ 1: 2, 5000: 1 });
  expect(Object.keys(told(copy))).toHaveLength(5_000);
});
