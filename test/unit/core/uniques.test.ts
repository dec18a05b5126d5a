import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  addHash,
  createSketch,
  decodeSketch,
  encodeSketch,
  estimate,
  exactMax,
  LINK_PRECISION,
  mergeInto,
  ORGANIZATION_PRECISION,
  type Sketch,
  SketchFormatError,
} from "@/core/uniques";

const PRECISIONS = [4, LINK_PRECISION, ORGANIZATION_PRECISION, 16];

/** Uniform 64-bit keys, the same for the same seed (sfc32 by Chris Doty-Humphrey, public domain). */
function keys(seed: number, count: number): BigUint64Array {
  const halves = new Uint32Array(count * 2);
  let [a, b, c, counter] = [seed, 0x9e3779b9, 0x243f6a88, 1];
  for (let index = -12; index < halves.length; index++) {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    if (index >= 0) halves[index] = sum;
  }
  return new BigUint64Array(halves.buffer);
}

function sketchOf(precision: number, hashes: Iterable<bigint>): Sketch {
  const sketch = createSketch(precision);
  for (const hash of hashes) addHash(sketch, hash);
  return sketch;
}

function merged(precision: number, sources: Sketch[]): Sketch {
  const target = createSketch(precision);
  for (const source of sources) mergeInto(target, source);
  return target;
}

describe("few visitors", () => {
  test("are counted exactly, each once", () => {
    expect(estimate(createSketch(12))).toBe(0);
    expect(estimate(sketchOf(12, [1n, 2n, 1n, 0n, 0n]))).toBe(3);
  });

  test("are the same visitor signed and unsigned", () => {
    expect(estimate(sketchOf(12, [-1n, 2n ** 64n - 1n, -(2n ** 63n), 2n ** 63n]))).toBe(2);
  });

  test.each([
    [12, 384],
    [14, 1536],
  ])("at precision %i are exact up to %i", (precision, most) => {
    expect(exactMax(precision)).toBe(most);
    const exact = sketchOf(precision, keys(1, most));
    expect(estimate(exact)).toBe(most);
    expect(encodeSketch(exact).length).toBeLessThanOrEqual(4 + (2 ** precision * 3) / 4);
    addHash(exact, 123_456_789n);
    expect(exact.visitors).toBeInstanceOf(Uint8Array);
  });

  test("a precision out of bounds is refused", () => {
    for (const precision of [3, 17, 12.5, Number.NaN]) expect(() => createSketch(precision)).toThrow(RangeError);
  });
});

describe("many visitors", () => {
  const sizes = [
    { visitors: 10, seeds: 40 },
    { visitors: 100, seeds: 40 },
    { visitors: 1_000, seeds: 100 },
    { visitors: 10_000, seeds: 100 },
    { visitors: 100_000, seeds: 40 },
    { visitors: 1_000_000, seeds: 10 },
  ];

  /** Relative errors of one size over several seeds, which are fixed: a run measures what every run measures. */
  function errors(precision: number, visitors: number, seeds: number): number[] {
    return Array.from({ length: seeds }, (_, seed) => {
      return estimate(sketchOf(precision, keys(seed * 7919 + visitors, visitors))) / visitors - 1;
    });
  }

  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const rms = (numbers: number[]) => Math.sqrt(mean(numbers.map((number) => number ** 2)));
  const percentile95 = (numbers: number[]) =>
    numbers.map(Math.abs).sort((a, b) => a - b)[Math.ceil(numbers.length * 0.95) - 1] ?? Number.NaN;

  for (const precision of [LINK_PRECISION, ORGANIZATION_PRECISION]) {
    const standardError = 1.04 / Math.sqrt(2 ** precision);
    test.each(sizes)(`precision ${precision}: $visitors visitors`, ({ visitors, seeds }) => {
      const found = errors(precision, visitors, seeds);
      if (visitors <= exactMax(precision)) return expect(found.every((error) => error === 0)).toBe(true);
      expect(Math.abs(mean(found))).toBeLessThan((3 * standardError) / Math.sqrt(seeds));
      expect(rms(found)).toBeLessThan(1.3 * standardError);
      expect(percentile95(found)).toBeLessThan(2.2 * standardError);
    });
  }

  test("organizations stay within 2 % in 95 of 100 cases", () => {
    const found = sizes.flatMap(({ visitors, seeds }) => errors(ORGANIZATION_PRECISION, visitors, seeds));
    expect(percentile95(found)).toBeLessThanOrEqual(0.02);
  });

  test("ten millions are within 2 %, at either precision", () => {
    const million = 1_000_000;
    const sketches = [LINK_PRECISION, ORGANIZATION_PRECISION].map((precision) => createSketch(precision));
    for (let part = 0; part < 10; part++) {
      for (const hash of keys(part * million, million)) for (const sketch of sketches) addHash(sketch, hash);
    }
    for (const sketch of sketches) expect(Math.abs(estimate(sketch) / (10 * million) - 1)).toBeLessThan(0.02);
  });

  test("links stay within 2 % in three of four cases", () => {
    const found = errors(LINK_PRECISION, 50_000, 100);
    expect(found.filter((error) => Math.abs(error) <= 0.02).length).toBeGreaterThanOrEqual(75);
  });

  test("a visitor who returns changes nothing", () => {
    const sketch = sketchOf(12, keys(3, 5_000));
    const before = encodeSketch(sketch);
    for (const hash of keys(3, 5_000)) addHash(sketch, hash);
    expect(encodeSketch(sketch)).toEqual(before);
  });

  test("keys of zeros and of ones fill a register to its end", () => {
    for (const precision of PRECISIONS) {
      const sketch = sketchOf(precision, keys(5, 2 ** precision));
      for (const hash of [0n, 1n, 2n ** 32n, 2n ** 64n - 1n]) addHash(sketch, hash);
      expect(sketch.visitors instanceof Uint8Array && sketch.visitors[0]).toBe(64 - precision + 1);
      expect(decodeSketch(encodeSketch(sketch))).toEqual(sketch);
    }
  });
});

describe("merging", () => {
  const POOL = keys(11, 6_000);
  const slice = fc.tuple(fc.nat(6_000), fc.nat(2_500)).map(([from, length]) => [...POOL.slice(from, from + length)]);
  const precision = fc.constantFrom(...PRECISIONS);

  test("is the sketch of the union", () => {
    fc.assert(
      fc.property(precision, fc.array(slice, { maxLength: 4 }), (p, parts) => {
        const union = sketchOf(p, parts.flat());
        const sources = parts.map((part) => sketchOf(p, part));
        expect(encodeSketch(merged(p, sources))).toEqual(encodeSketch(union));
      }),
      { numRuns: 60 },
    );
  });

  test("does not depend on the order, nor on who merged whom before, whatever the precisions", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(precision, slice), { minLength: 1, maxLength: 4 }), (parts) => {
        const sources = parts.map(([p, part]) => sketchOf(p, part));
        const forwards = merged(16, sources);
        const backwards = merged(16, sources.toReversed());
        const nested = merged(16, [merged(16, sources.slice(0, 2)), merged(16, sources.slice(2))]);
        expect(encodeSketch(backwards)).toEqual(encodeSketch(forwards));
        expect(encodeSketch(nested)).toEqual(encodeSketch(forwards));
      }),
      { numRuns: 40 },
    );
  });

  test("leaves the source as it is, and owes it nothing", () => {
    for (const count of [100, 5_000]) {
      const source = sketchOf(12, keys(1, count));
      const before = encodeSketch(source);
      const target = merged(12, [source]);
      for (const hash of keys(2, 3_000)) addHash(target, hash);
      expect(encodeSketch(source)).toEqual(before);
    }
  });

  test("folds registers of a higher precision down to what the lower one would have counted", () => {
    const hashes = keys(4, 20_000);
    const low = sketchOf(12, hashes.slice(0, 10_000));
    mergeInto(low, sketchOf(14, hashes.slice(10_000)));
    expect(low).toEqual(sketchOf(12, hashes));
    const high = sketchOf(14, hashes.slice(10_000));
    mergeInto(high, sketchOf(12, hashes.slice(0, 10_000)));
    expect(high).toEqual(sketchOf(12, hashes));
  });

  test("keeps its precision when the other still holds its visitors", () => {
    const high = sketchOf(14, keys(4, 1_000));
    mergeInto(high, sketchOf(12, keys(5, 300)));
    expect(high.precision).toBe(14);
    expect(estimate(high)).toBe(1_300);
  });

  test("a sketch merged into itself is itself", () => {
    for (const count of [100, 5_000]) {
      const sketch = sketchOf(12, keys(1, count));
      mergeInto(sketch, sketch);
      expect(sketch).toEqual(sketchOf(12, keys(1, count)));
    }
  });
});

describe("bytes", () => {
  test("give back the sketch they were made of", () => {
    fc.assert(
      fc.property(fc.constantFrom(...PRECISIONS), fc.nat(4_000), fc.nat(1_000), (precision, count, seed) => {
        const sketch = sketchOf(precision, keys(seed, count));
        expect(decodeSketch(encodeSketch(sketch))).toEqual(sketch);
      }),
      { numRuns: 60 },
    );
  });

  test("may lie anywhere in a buffer, as rows of a database do", () => {
    for (const count of [50, 5_000]) {
      const sketch = sketchOf(12, keys(1, count));
      const encoded = encodeSketch(sketch);
      const buffer = Buffer.concat([Buffer.from("abc"), encoded, Buffer.from("de")]);
      expect(decodeSketch(buffer.subarray(3, 3 + encoded.length))).toEqual(sketch);
    }
  });

  test("of a known sketch stay what they are, since rows outlive versions", () => {
    expect(Buffer.from(encodeSketch(sketchOf(12, [2n, -1n]))).toString("hex")).toBe(
      "01000c00" + "0000000000000002" + "ffffffffffffffff",
    );
  });

  const exact = encodeSketch(sketchOf(12, [1n, 2n]));
  const dense = encodeSketch(sketchOf(12, keys(1, 1_000)));
  test.each([
    ["nothing", new Uint8Array()],
    ["a later version", exact.with(0, 2)],
    ["an unknown state", exact.with(1, 2)],
    ["no precision", exact.with(2, 0)],
    ["half a key", exact.slice(0, -3)],
    ["more keys than may be held", new Uint8Array(4 + 385 * 8).fill(1).with(1, 0).with(2, 12)],
    ["registers cut short", dense.slice(0, -1)],
    ["registers of another precision", dense.with(2, 14)],
  ])("of %s are refused", (_, bytes) => {
    expect(() => decodeSketch(bytes)).toThrow(SketchFormatError);
  });
});
