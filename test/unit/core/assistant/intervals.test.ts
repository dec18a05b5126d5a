import { describe, expect, test } from "bun:test";
import { compareCounts, compareShares, shareOf } from "@/core/assistant/intervals";

describe("a share's interval", () => {
  test.each([
    [0, 10, 0, 0.2775],
    [1, 10, 0.0179, 0.4042],
    [5, 10, 0.2366, 0.7634],
    [10, 10, 0.7225, 1],
    [812, 1000, 0.7866, 0.835],
  ])("of %i in %i", (count, total, low, high) => {
    const share = shareOf(count, total);
    expect(share?.value).toBe(count / total);
    expect(share?.low).toBeCloseTo(low, 3);
    expect(share?.high).toBeCloseTo(high, 3);
  });

  test("has ends that lie 1.96 of their own standard errors away from the counted share", () => {
    for (const [count, total] of [
      [1, 10],
      [5, 10],
      [42, 600],
      [812, 1000],
    ] as const) {
      const { value, low, high } = shareOf(count, total) ?? { value: 0, low: 0, high: 0 };
      for (const end of [low, high]) {
        expect(Math.abs(value - end) / Math.sqrt((end * (1 - end)) / total)).toBeCloseTo(1.96, 3);
      }
    }
  });

  test.each([
    [0, 0],
    [3, 2],
  ])("is undefined for %i in %i", (count, total) => {
    expect(shareOf(count, total)).toBeUndefined();
  });
});

describe("the difference between two shares", () => {
  test.each([
    [100, 1000, 50, 1000, "up"],
    [50, 1000, 100, 1000, "down"],
    [6, 100, 5, 100, "unclear"],
    [0, 0, 5, 100, "unclear"],
  ] as const)("%i of %i against %i of %i: %s", (count, total, before, totalBefore, direction) => {
    expect(compareShares(shareOf(count, total), shareOf(before, totalBefore))).toBe(direction);
  });
});

describe("the difference between two counts", () => {
  test.each([
    [1200, 900, "up"],
    [900, 1200, "down"],
    [103, 97, "unclear"],
    [0, 0, "unclear"],
    [3, 0, "unclear"],
    [105_000, 100_000, "unclear"],
    [10, 0, "up"],
  ] as const)("%i against %i: %s", (now, before, direction) => {
    expect(compareCounts(now, before)).toBe(direction);
  });
});
