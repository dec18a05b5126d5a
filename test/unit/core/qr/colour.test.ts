import { describe, expect, test } from "bun:test";
import { colourOf, contrastOf, luminanceOf, pairFault, shownContrast } from "@/core/qr/colour";

describe("colourOf", () => {
  test.each([
    ["#1F4FD8", "#1f4fd8"],
    ["1f4fd8", "#1f4fd8"],
    ["#abc", "#aabbcc"],
    ["ABC", "#aabbcc"],
    ["", undefined],
    ["#", undefined],
    ["#ab", undefined],
    ["#abcd", undefined],
    ["#1f4fd8ff", undefined],
    ["##aabbc", undefined],
    ["#ggg", undefined],
    ["red", undefined],
    ["#abc\n", undefined],
    ["#１２３", undefined],
  ])("%j is %p", (given, colour) => {
    expect(colourOf(given)).toBe(colour);
  });
});

describe("contrast, as WCAG computes it", () => {
  test.each([
    ["#000000", "#ffffff", 21],
    ["#ffffff", "#000000", 21],
    ["#777777", "#ffffff", 4.478],
    ["#767676", "#ffffff", 4.542],
    ["#ff0000", "#ffffff", 3.998],
    ["#0000ff", "#ffffff", 8.592],
    ["#1f4fd8", "#1f4fd8", 1],
  ])("of %s and %s", (one, other, ratio) => {
    expect(contrastOf(one, other)).toBeCloseTo(ratio, 3);
  });

  test("luminance runs from 0 for black to 1 for white", () => {
    expect([luminanceOf("#000000"), luminanceOf("#ffffff")]).toEqual([0, expect.closeTo(1, 10)]);
  });

  test("is rounded down when shown", () => {
    expect([2.9999, 4.5, 21].map(shownContrast)).toEqual([2.99, 4.5, 21]);
  });
});

describe("a pair", () => {
  test.each([
    ["black on white", "#000000", "#ffffff", undefined],
    ["just enough", "#949494", "#ffffff", undefined],
    ["just too little", "#959595", "#ffffff", /2\.99:1, expected at least 3:1/],
    ["two of the same", "#1f4fd8", "#1f4fd8", /1:1/],
    ["light on dark", "#ffffff", "#000000", /must be darker/],
    ["a little lighter", "#010101", "#000000", /must be darker/],
  ])("of %s", (_, dark, light, fault) => {
    const found = pairFault(dark, light);
    if (fault) expect(found).toMatch(fault);
    else expect(found).toBeUndefined();
  });
});
