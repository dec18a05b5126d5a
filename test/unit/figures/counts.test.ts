import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CountIndex } from "@/figures/count-index";
import { CountSums } from "@/figures/count-sums";
import {
  addCounts,
  addToPacked,
  type Counts,
  countsOf,
  decodeCounts,
  encodeCounts,
  KEYS_END,
  NO_COUNTS,
} from "@/figures/counts";

const key = fc.integer({ min: 0, max: KEYS_END - 1 });
const count = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const entries = fc.array(fc.tuple(key, fc.integer({ min: -1_000_000, max: 1_000_000 })), { maxLength: 60 });

const plain = ({ keys, counts }: Counts) => [...keys].map((each, index) => [each, counts[index]]);

function summed(all: readonly (readonly [number, number])[]): [number, number][] {
  const sums = new Map<number, number>();
  for (const [each, times] of all) sums.set(each, (sums.get(each) ?? 0) + times);
  return [...sums].filter(([, sum]) => sum !== 0).sort(([a], [b]) => a - b);
}

describe("packed counts", () => {
  test("unpack to the same counts, for any keys and counts", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(key, count), { selector: ([each]) => each }), (all) => {
        const counts = countsOf(all);
        expect(plain(decodeCounts(encodeCounts(counts)))).toEqual(plain(counts));
      }),
    );
  });

  test("can be added to without unpacking", () => {
    fc.assert(
      fc.property(entries, entries, fc.boolean(), (one, other, isOpposite) => {
        const row = countsOf(one);
        const added = countsOf([...other, ...(isOpposite ? one.map(([each, times]) => [each, -times] as const) : [])]);
        const sum = addCounts(row, added);
        const { bytes, keys } = addToPacked(encodeCounts(row), added);
        expect(Buffer.from(bytes)).toEqual(Buffer.from(encodeCounts(sum)));
        expect(keys).toBe(sum.keys.length);
      }),
    );
  });

  test("of an earlier release are converted to the current format when counts are added", () => {
    const former = Uint8Array.of(0x13, 2, 0x20, 4);
    const added = countsOf([[67, 5]]);
    expect(decodeCounts(addToPacked(former, added).bytes)).toEqual(addCounts(decodeCounts(former), added));
    expect(decodeCounts(addToPacked(former, NO_COUNTS).bytes)).toEqual(decodeCounts(former));
  });

  test("are sorted, summed by key and without zeros", () => {
    const counts = countsOf([
      [7, 1],
      [3, 2],
      [7, 4],
      [5, 1],
      [5, -1],
    ]);
    expect(plain(counts)).toEqual([
      [3, 2],
      [7, 5],
    ]);
  });

  test.each([-1, KEYS_END, KEYS_END + 1, Number.NaN])("refuse the key %d", (none) => {
    expect(() => countsOf([[none, 1]])).toThrow(RangeError);
  });

  test("from before dimensions had six bits decode to the current keys, in the same order", () => {
    // Twice value 5 of dimension 1, once value 5 of dimension 15, minus three times value 70,000 of 9, in the former
    // encoding.
    const stored = new Uint8Array([81, 4, 14, 2, 170, 173, 68, 5]);
    const keys = [5 * 64 + 1, 5 * 64 + 15, 70_000 * 64 + 9];
    expect(decodeCounts(stored)).toEqual({ keys: Uint32Array.from(keys), counts: Int32Array.from([2, 1, -3]) });
    expect(decodeCounts(encodeCounts(decodeCounts(stored)))).toEqual(decodeCounts(stored));
  });

  test("with small key steps and small counts take two bytes each, plus two bytes for the format", () => {
    expect(encodeCounts(countsOf(Array.from({ length: 100 }, (_, index) => [index * 16, 3] as const))).length).toBe(
      202,
    );
  });

  test("add up by key, without keys whose sum is zero", () => {
    fc.assert(
      fc.property(entries, entries, (one, other) => {
        expect(plain(addCounts(countsOf(one), countsOf(other)))).toEqual(summed([...one, ...other]));
      }),
    );
    expect(addCounts(NO_COUNTS, NO_COUNTS).keys).toHaveLength(0);
  });
});

describe("an index of packed counts", () => {
  const many = fc.array(fc.tuple(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: -9, max: 9 })), {
    maxLength: 1_500,
    size: "max",
  });

  test("finds each count, zero for other keys, and the sum of each code", () => {
    fc.assert(
      fc.property(fc.oneof(many, entries), key, (all, other) => {
        const sums = new Map(summed(all));
        const index = new CountIndex(encodeCounts(countsOf(all)));
        for (const asked of [...sums.keys(), ...[...sums.keys()].map((each) => each + 1), 0, other, KEYS_END - 1]) {
          expect([asked, index.countOf(asked)]).toEqual([asked, sums.get(asked) ?? 0]);
        }
        for (let code = 0; code < 64; code++) {
          const ofCode = [...sums].filter(([each]) => each % 64 === code);
          expect(index.sumOf(code)).toBe(ofCode.reduce((sum, [, times]) => sum + times, 0));
        }
      }),
      { numRuns: 40 },
    );
  });

  test("of an earlier release is read with the current keys", () => {
    const index = new CountIndex(new Uint8Array([81, 4, 14, 2, 170, 173, 68, 5]));
    expect([5 * 64 + 1, 5 * 64 + 15, 70_000 * 64 + 9, 81].map((each) => index.countOf(each))).toEqual([2, 1, -3, 0]);
    expect([1, 15, 9, 0].map((code) => index.sumOf(code))).toEqual([2, 1, -3, 0]);
  });
});

describe("sums", () => {
  test("of any number of packed counts equal the sums of their entries", () => {
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 5 }), (parts) => {
        const sums = new CountSums();
        for (const part of parts) sums.addAll(encodeCounts(countsOf(part)));
        const found: [number, number][] = [];
        sums.forEach((each, sum) => {
          found.push([each, sum]);
        });
        expect(found.filter(([, sum]) => sum !== 0).sort(([a], [b]) => a - b)).toEqual(summed(parts.flat()));
      }),
    );
  });

  test("include the lowest and the highest possible key", () => {
    const sums = new CountSums();
    sums.addAll(
      encodeCounts(
        countsOf([
          [0, 3],
          [KEYS_END - 1, -2],
        ]),
      ),
    );
    expect(plain(sums.toCounts())).toContainAllValues([
      [0, 3],
      [KEYS_END - 1, -2],
    ]);
  });

  test("hold a hundred thousand keys", () => {
    const sums = new CountSums();
    for (let round = 0; round < 2; round++) {
      for (let each = 0; each < 100_000; each++) sums.add(each * 16 + 1, 1);
    }
    const { keys, counts } = sums.toCounts();
    expect(new Set(keys).size).toBe(100_000);
    expect(counts.every((sum) => sum === 2)).toBe(true);
  });
});
