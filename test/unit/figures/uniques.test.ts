import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  addHash,
  addHashes,
  createSketch,
  decodeSketch,
  encodeSketch,
  estimate,
  exactMax,
  foldToPrecision,
  mergeInto,
  PRECISION,
  type Sketch,
  SketchFormatError,
} from "@/figures/uniques";
import { encodedWith } from "@/figures/uniques-encoded";
import { estimateRegisters, raiseRegister } from "@/figures/uniques-registers";

/** The precision at which earlier releases stored the sketches of links. */
const FORMER_PRECISION = 12;
const PRECISIONS = [4, FORMER_PRECISION, PRECISION, 16];

/** Returns a generator of 32-bit numbers from a seed (sfc32 by Chris Doty-Humphrey, public domain). */
function halves(seed: number): () => number {
  let [a, b, c, counter] = [seed, 0x9e3779b9, 0x243f6a88, 1];
  const next = () => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let index = 0; index < 12; index++) next();
  return next;
}

function keys(seed: number, count: number): BigUint64Array {
  const next = halves(seed);
  return new BigUint64Array(Uint32Array.from({ length: count * 2 }, next).buffer);
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

describe("distinct visitors added in one batch", () => {
  test.each([
    ["to none, few", 0, 1_000],
    ["to none, just as many as are exact", 0, exactMax(PRECISION)],
    ["to none, many", 0, 5_000],
    ["to few, few", 700, 700],
    ["to few, so many that they are many together", 1_000, 1_000],
    ["to few, many", 700, 5_000],
    ["to many, few", 5_000, 300],
  ])("%s, give the same sketch as added one by one", (_, before, added) => {
    const hashes = new BigInt64Array(keys(31, added * 2).buffer);
    const chosen = Uint8Array.from(hashes, (_, index) => index % 2);
    // Some of these are among the added ones.
    const known = [...hashes.slice(0, 10), ...keys(32, before)].slice(0, before);
    const [atOnce, oneByOne] = [sketchOf(PRECISION, known), sketchOf(PRECISION, known)];
    addHashes(atOnce, hashes, chosen);
    for (const [index, hash] of hashes.entries()) if (chosen[index]) addHash(oneByOne, hash);
    expect(encodeSketch(atOnce)).toEqual(encodeSketch(oneByOne));
  });
});

describe("few visitors", () => {
  test("are counted exactly, each once", () => {
    expect(estimate(createSketch(12))).toBe(0);
    expect(estimate(sketchOf(12, [1n, 2n, 1n, 0n, 0n]))).toBe(3);
  });

  test("count once, whether their key is signed or unsigned", () => {
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
    { visitors: 10_000, seeds: 40 },
    { visitors: 100_000, seeds: 16 },
    { visitors: 1_000_000, seeds: 4 },
  ];

  /** Estimates the same visitors at either precision. The seeds are fixed, so every run measures the same. */
  function estimatesOf(seed: number, visitors: number): number[] {
    const sketch = sketchOf(PRECISION, keys(seed * 7919 + visitors, visitors));
    return [FORMER_PRECISION, PRECISION].map((precision) => estimate(foldToPrecision(sketch, precision)));
  }

  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const rms = (numbers: number[]) => Math.sqrt(mean(numbers.map((number) => number ** 2)));
  const percentile95 = (numbers: number[]) =>
    numbers.map(Math.abs).sort((a, b) => a - b)[Math.ceil(numbers.length * 0.95) - 1] ?? Number.NaN;

  test.each(sizes)(
    "$visitors visitors are estimated within the expected error at either precision",
    ({ visitors, seeds }) => {
      const estimates = Array.from({ length: seeds }, (_, seed) => estimatesOf(seed, visitors));
      for (const [at, precision] of [FORMER_PRECISION, PRECISION].entries()) {
        const standardError = 1.04 / Math.sqrt(2 ** precision);
        const errors = estimates.map((both) => (both[at] ?? 0) / visitors - 1);
        if (visitors <= exactMax(precision)) {
          expect(errors.every((error) => error === 0)).toBe(true);
          continue;
        }
        expect(Math.abs(mean(errors))).toBeLessThan((3 * standardError) / Math.sqrt(seeds));
        expect(rms(errors)).toBeLessThan(1.3 * standardError);
        expect(percentile95(errors)).toBeLessThan(2.2 * standardError);
      }
    },
  );

  /**
   * Returns the share of days estimated within 2%, adding visitors directly to registers. Seeded, so every run
   * measures the same.
   */
  function within2Percent(precision: number, visitors: number, days: number): number {
    let good = 0;
    const next = halves(visitors);
    for (let day = 0; day < days; day++) {
      const registers = new Uint8Array(2 ** precision);
      for (let visitor = 0; visitor < visitors; visitor++) raiseRegister(registers, precision, next(), next());
      if (Math.abs(estimateRegisters(registers, precision) / visitors - 1) <= 0.02) good++;
    }
    return good / days;
  }

  const busyDays = [
    { visitors: 1_537, days: 800 },
    { visitors: 5_000, days: 800 },
    { visitors: 20_000, days: 400 },
    { visitors: 50_000, days: 200 },
    { visitors: 150_000, days: 120 },
  ];

  test.each(busyDays)("95 of 100 days of $visitors visitors are estimated within 2%", ({ visitors, days }) => {
    expect(within2Percent(PRECISION, visitors, days)).toBeGreaterThanOrEqual(0.95);
  });

  test("a lower precision would not suffice for busy days", () => {
    expect(within2Percent(PRECISION - 1, 50_000, 200)).toBeLessThan(0.95);
  });

  test("ten million visitors are estimated within 2%, at either precision", () => {
    const million = 1_000_000;
    const registers = [FORMER_PRECISION, PRECISION].map((precision) => new Uint8Array(2 ** precision));
    for (let part = 0; part < 10; part++) {
      const next = halves(part * million);
      for (let visitor = 0; visitor < million; visitor++) {
        const [low, high] = [next(), next()];
        for (const sketch of registers) raiseRegister(sketch, Math.log2(sketch.length), high, low);
      }
    }
    for (const sketch of registers) {
      const estimated = estimateRegisters(sketch, Math.log2(sketch.length));
      expect(Math.abs(estimated / (10 * million) - 1)).toBeLessThan(0.02);
    }
  });

  test("a returning visitor changes nothing", () => {
    const sketch = sketchOf(12, keys(3, 5_000));
    const before = encodeSketch(sketch);
    for (const hash of keys(3, 5_000)) addHash(sketch, hash);
    expect(encodeSketch(sketch)).toEqual(before);
  });

  test("keys of all zeros and all ones are counted, the zeros with the maximum in their register", () => {
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

  test("gives the sketch of the union", () => {
    fc.assert(
      fc.property(precision, fc.array(slice, { maxLength: 4 }), (p, parts) => {
        const union = sketchOf(p, parts.flat());
        const sources = parts.map((part) => sketchOf(p, part));
        expect(encodeSketch(merged(p, sources))).toEqual(encodeSketch(union));
      }),
      { numRuns: 60 },
    );
  });

  test("does not depend on the order or grouping of the sketches, whatever their precisions", () => {
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

  test("does not change the source, even when the target grows later", () => {
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

  test("a sketch of an earlier release with a current one is as exact as the earlier one", () => {
    const hashes = keys(4, 3_000);
    for (const count of [300, 1_000, 2_500]) {
      const today = sketchOf(PRECISION, hashes.slice(0, count));
      const former = sketchOf(FORMER_PRECISION, hashes.slice(0, count));
      expect(encodeSketch(foldToPrecision(today, FORMER_PRECISION))).toEqual(encodeSketch(former));
      const target = merged(PRECISION, [former]);
      expect(target.precision).toBe(count > exactMax(FORMER_PRECISION) ? FORMER_PRECISION : PRECISION);
      mergeInto(target, sketchOf(PRECISION, hashes));
      expect(Math.abs(estimate(target) / 3_000 - 1)).toBeLessThan(0.05);
    }
  });

  test("keeps the higher precision if the other sketch still lists its visitors", () => {
    const high = sketchOf(14, keys(4, 1_000));
    mergeInto(high, sketchOf(12, keys(5, 300)));
    expect(high.precision).toBe(14);
    expect(estimate(high)).toBe(1_300);
  });

  test("a sketch into itself changes nothing", () => {
    for (const count of [100, 5_000]) {
      const sketch = sketchOf(12, keys(1, count));
      mergeInto(sketch, sketch);
      expect(sketch).toEqual(sketchOf(12, keys(1, count)));
    }
  });
});

describe("encoded bytes", () => {
  test("decode to the same sketch", () => {
    fc.assert(
      fc.property(fc.constantFrom(...PRECISIONS), fc.nat(4_000), fc.nat(1_000), (precision, count, seed) => {
        const sketch = sketchOf(precision, keys(seed, count));
        expect(decodeSketch(encodeSketch(sketch))).toEqual(sketch);
      }),
      { numRuns: 60 },
    );
  });

  describe("take more visitors as if they were decoded", () => {
    test.each([
      [10, 10],
      [40, 10],
      [1_000, 600],
      [1_530, 12],
      [1_536, 1],
      [3_000, 400],
      [3, 4_000],
    ])("with up to %i visitors, up to %i more", (knownMax, moreMax) => {
      fc.assert(
        fc.property(fc.nat(knownMax), fc.nat(moreMax), fc.nat(1_000), fc.nat(50), (known, more, seed, again) => {
          const before = [...keys(seed, known)];
          const added = [...keys(seed + 1, more), ...before.slice(0, again), ...keys(seed + 1, Math.min(more, again))];
          expectSame(before, added);
        }),
        { numRuns: 20 },
      );
    });

    test("with signed and unsigned keys whose halves are equal, including the first keys", () => {
      const half = fc.constantFrom(0n, 1n, 2n ** 31n, 2n ** 32n - 1n);
      const key = fc.oneof(
        fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n),
        fc.tuple(half, half).map(([a, b]) => a * 2n ** 32n + b),
      );
      fc.assert(fc.property(fc.array(key, { maxLength: 40 }), fc.array(key, { maxLength: 10 }), expectSame));
    });

    test("at any offset in a buffer", () => {
      const encoded = encodeSketch(sketchOf(PRECISION, keys(1, 50)));
      const within = Buffer.concat([Buffer.from("abc"), encoded]).subarray(3);
      expect(encodedWith(within, keys(2, 3))).toEqual(
        encodeSketch(sketchOf(PRECISION, [...keys(1, 50), ...keys(2, 3)])),
      );
    });

    test("except bytes of another precision and damaged ones, which stay unchanged", () => {
      const [exact, dense] = [keys(1, 3), keys(1, 5_000)].map((each) => encodeSketch(sketchOf(PRECISION, each)));
      const former = [keys(1, 3), keys(1, 5_000)].map((each) => encodeSketch(sketchOf(FORMER_PRECISION, each)));
      for (const stored of [
        ...former,
        exact?.with(0, 2),
        exact?.slice(0, -1),
        exact?.with(1, 2),
        dense?.slice(0, -1),
      ]) {
        const copy = stored?.slice();
        expect(encodedWith(stored ?? null, keys(2, 2))).toBeUndefined();
        expect(stored).toEqual(copy);
      }
    });

    function expectSame(known: readonly bigint[], more: readonly bigint[]) {
      const stored = known.length > 0 ? encodeSketch(sketchOf(PRECISION, known)) : null;
      const asked = BigUint64Array.from(more);
      const bytes = encodedWith(stored, asked);
      expect(Buffer.compare(bytes ?? Buffer.of(), encodeSketch(sketchOf(PRECISION, [...known, ...more])))).toBe(0);
      expect(asked).toEqual(BigUint64Array.from(more));
    }
  });

  test("decode at any offset in a buffer, as in rows of a database", () => {
    for (const count of [50, 5_000]) {
      const sketch = sketchOf(12, keys(1, count));
      const encoded = encodeSketch(sketch);
      const buffer = Buffer.concat([Buffer.from("abc"), encoded, Buffer.from("de")]);
      expect(decodeSketch(buffer.subarray(3, 3 + encoded.length))).toEqual(sketch);
    }
  });

  test("of a known sketch never change, because stored rows outlive releases", () => {
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
