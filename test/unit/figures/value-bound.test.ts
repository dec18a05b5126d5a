import { describe, expect, test } from "bun:test";
import { CountSums } from "@/figures/count-sums";
import { addCounts, type Counts, countsOf, decodeCounts, encodeCounts, NO_COUNTS } from "@/figures/counts";
import { CLICK_DIMENSIONS, REST_VALUE } from "@/figures/dimensions";
import { codeOf, figureKey } from "@/figures/keys";
import { cellKey, createUnit, differencesOf } from "@/figures/verify/unit-figures";
import {
  addBounded,
  allocatePlaces,
  boundValues,
  type FreeKeys,
  limitToListed,
  newlyListed,
} from "@/figures/write/value-bound";

const TERM = CLICK_DIMENSIONS.utmTerm.code;
const COUNTRY = CLICK_DIMENSIONS.country.code;
const [BLANK_ID, REST_ID, FIRST_ID] = [1, 2, 3];
const free = (code: number): FreeKeys => ({ rest: figureKey(REST_ID, code), blank: figureKey(BLANK_ID, code) });
const term = (id: number) => figureKey(id, TERM);
const total = ({ keys, counts }: Counts, code = TERM) =>
  counts.reduce((sum, count, index) => sum + (codeOf(keys[index] ?? 0) === code ? count : 0), 0);
const of = (row: Counts, key: number) => row.counts[row.keys.indexOf(key)] ?? 0;

/** Assigns numbers as the writer does: to values for which there is room. */
class Writer {
  readonly numbers = new Map<string, number>();
  row: Counts = NO_COUNTS;

  constructor(readonly max: number) {}

  write(batch: Map<string, number>): void {
    const strangers = [...batch].filter(([value]) => !this.numbers.has(value));
    const asked = strangers.map(([value, count]) => ({ code: TERM, value, count }));
    for (const { value } of newlyListed(this.row, this.#packed(batch), asked, this.max, free)) {
      this.numbers.set(value, FIRST_ID + this.numbers.size);
    }
    this.row = addBounded(this.row, this.#packed(batch), this.max, free);
  }

  #packed(batch: Map<string, number>): Counts {
    return countsOf([...batch].map(([value, count]) => [term(this.numbers.get(value) ?? REST_ID), count]));
  }

  of(value: string): number {
    const id = this.numbers.get(value);
    return id === undefined ? 0 : of(this.row, term(id));
  }
}

describe("100,000 made-up terms", () => {
  const REAL = ["shoes", "boots", "sandals"];
  const MAX = 256;
  const writer = new Writer(MAX);
  const counted = new Map<string, number>();
  let sent = 0;
  for (let batchNumber = 0; batchNumber < 50; batchNumber++) {
    const batch = new Map<string, number>();
    for (let index = 0; index < 2_000; index++) batch.set(crypto.randomUUID(), 1);
    // The flood begins before the real values arrive.
    if (batchNumber > 0) for (const [index, value] of REAL.entries()) batch.set(value, 20 * (index + 1));
    for (const [value, count] of batch) counted.set(value, (counted.get(value) ?? 0) + count);
    sent += [...batch.values()].reduce((sum, count) => sum + count, 0);
    writer.write(batch);
  }

  test("keep a row small", () => {
    expect(writer.row.keys.length).toBe(MAX + 1);
    expect(encodeCounts(writer.row).length).toBeLessThan(4 * MAX);
  });

  test("do not affect the counts of real terms, even if those arrive later", () => {
    expect(REAL.map((value) => writer.of(value))).toEqual(REAL.map((value) => counted.get(value) ?? 0));
  });

  test("keep the total exact", () => {
    expect(total(decodeCounts(encodeCounts(writer.row)))).toBe(sent);
  });

  test("get no more numbers than there is room for", () => {
    expect(writer.numbers.size).toBe(MAX + REAL.length);
  });
});

describe("a full row", () => {
  const row = countsOf([
    [term(BLANK_ID), 7],
    [term(10), 2],
    [term(11), 5],
  ]);

  test("keeps its listed values, and counts new ones as the rest", () => {
    const after = addBounded(
      row,
      countsOf([
        [term(11), 1],
        [term(12), 4],
        [term(BLANK_ID), 1],
      ]),
      2,
      free,
    );
    expect([BLANK_ID, 10, 11, 12, REST_ID].map((id) => of(after, term(id)))).toEqual([8, 2, 6, 0, 4]);
  });

  test("replaces a listed value by one with more than twice its count", () => {
    const after = addBounded(row, countsOf([[term(12), 5]]), 2, free);
    expect([BLANK_ID, 10, 11, 12, REST_ID].map((id) => of(after, term(id)))).toEqual([7, 0, 5, 5, 2]);
  });

  test("has no limit for a dimension whose values cannot be made up", () => {
    const added = countsOf(Array.from({ length: 50 }, (_, id) => [figureKey(FIRST_ID + id, COUNTRY), 1]));
    expect(addBounded(row, added, 2, free)).toEqual(addCounts(row, added));
  });

  test("never moves negative counts", () => {
    const corrected = countsOf([
      [term(10), -3],
      [term(11), 1],
    ]);
    const after = addBounded(
      corrected,
      countsOf([
        [term(12), 9],
        [term(13), -1],
      ]),
      2,
      free,
    );
    expect([10, 11, 12, 13, REST_ID].map((id) => of(after, term(id)))).toEqual([-3, 0, 9, -1, 1]);
  });
});

test("of values with equal counts, those that have a number come first", () => {
  const known = { key: term(10), count: 1 };
  const { admitted } = allocatePlaces([], [{ key: undefined, count: 1 }, known, { key: undefined, count: 1 }], 1);
  expect(admitted).toEqual([known]);
});

test("a subtraction comes from the value as far as it is listed, and otherwise from the rest", () => {
  const stored = new CountSums();
  stored.add(term(10), 2);
  const taken = limitToListed(
    countsOf([
      [term(10), -3],
      [term(11), -1],
      [figureKey(10, COUNTRY), -1],
    ]),
    stored,
    free,
  );
  expect([term(10), term(11), term(REST_ID), figureKey(10, COUNTRY)].map((key) => of(taken, key))).toEqual([
    -2, 0, -2, -1,
  ]);
});

test("a recount keeps the greatest values and the blank one, and sums the others as the rest", () => {
  const values: [string, number][] = [
    ["", 3],
    ["a", 1],
    ["b", 4],
    ["c", 2],
    ["d", 1],
  ];
  expect(boundValues(values, 2, "rest")).toEqual([
    ["", 3],
    ["b", 4],
    ["c", 2],
    ["rest", 2],
  ]);
  expect(boundValues(values, 4, "rest")).toEqual(values);
});

describe("figures with a rest", () => {
  const key = (value: string, dimension = "utmTerm") => cellKey("link", "clicks", dimension, value);
  const unit = (values: Record<string, number>, dimension?: string) => {
    const made = createUnit();
    for (const [value, count] of Object.entries(values)) made.cells.set(key(value, dimension), count);
    return made;
  };
  const should = unit({ "": 9, a: 5, b: 2, c: 1 });
  const differing = (have: Record<string, number>) =>
    differencesOf(unit(have), should).map((found) => [found.value, found.have, found.should]);

  test("match a recount if the rest is what their values lack", () => {
    expect(differing({ "": 9, a: 4, b: 2, [REST_VALUE]: 2 })).toEqual([]);
    expect(differing({ "": 9, a: 5, b: 2, c: 1, [REST_VALUE]: 0 })).toEqual([]);
  });

  test.each([
    ["the rest is less", { "": 9, a: 4, b: 2, [REST_VALUE]: 1 }, [[REST_VALUE, 1, 2]]],
    ["the rest is more", { "": 9, a: 5, b: 2, c: 1, [REST_VALUE]: 1 }, [[REST_VALUE, 1, 0]]],
    ["a value is more", { "": 9, a: 6, b: 2, [REST_VALUE]: 1 }, [["a", 6, 5]]],
    ["a value stands for nothing", { "": 9, a: 5, b: 2, z: 1, [REST_VALUE]: 1 }, [["z", 1, 0]]],
    [
      "a blank one is less",
      { "": 8, a: 5, b: 2, [REST_VALUE]: 2 },
      [
        ["", 8, 9],
        [REST_VALUE, 2, 1],
      ],
    ],
    ["there is no rest", { "": 9, a: 5, b: 1, c: 1 }, [["b", 1, 2]]],
  ])("differ from a recount if %s", (_, have, expected) => {
    expect(differing(have)).toEqual(expected);
  });

  test("differ from a recount in a dimension that has no limit", () => {
    const [have, ought] = [unit({ AT: 1, [REST_VALUE]: 1 }, "country"), unit({ AT: 2 }, "country")];
    expect(differencesOf(have, ought)).toHaveLength(2);
  });
});
