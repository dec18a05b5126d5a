import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { channelsOf, contrastOf } from "@/core/qr/colour";
import { colourFrom, darkenedUntil, oklchOf } from "@/core/qr/oklch";

const colours = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const degrees = (radians: number) => ((radians * 180) / Math.PI + 360) % 360;

describe("oklchOf", () => {
  // Values from the table of `oklch()` equivalents in CSS Color 4.
  test.each([
    ["#ff0000", 0.628, 0.2577, 29.23],
    ["#00ff00", 0.8664, 0.2948, 142.5],
    ["#0000ff", 0.452, 0.3132, 264.05],
  ])("%s", (colour, lightness, chroma, hue) => {
    const found = oklchOf(colour);
    expect(found.lightness).toBeCloseTo(lightness, 3);
    expect(found.chroma).toBeCloseTo(chroma, 3);
    expect(degrees(found.hue)).toBeCloseTo(hue, 1);
  });

  test("greys have no chroma, and a lightness from 0 to 1", () => {
    expect(oklchOf("#808080").chroma).toBeCloseTo(0, 4);
    expect([oklchOf("#000000").lightness, oklchOf("#ffffff").lightness]).toEqual([
      expect.closeTo(0, 4),
      expect.closeTo(1, 4),
    ]);
  });

  test("colourFrom reverses it for any colour", () => {
    fc.assert(fc.property(colours, (colour) => expect(colourFrom(oklchOf(colour))).toBe(colour)));
  });

  test("colourFrom brings a colour outside sRGB into it at the same lightness", () => {
    const colour = colourFrom({ lightness: 0.6, chroma: 0.5, hue: 2 });
    expect(colour).toMatch(/^#[\da-f]{6}$/);
    expect(oklchOf(colour).lightness).toBeCloseTo(0.6, 2);
  });
});

describe("darkenedUntil", () => {
  test("leaves a colour that is dark enough unchanged", () => {
    expect(darkenedUntil("#1f4fd8", "#ffffff", 4.5)).toBe("#1f4fd8");
  });

  test.each(["#ffd400", "#7dd3fc", "#f9a8d4", "#34d399"])("%s becomes darker and keeps its hue", (colour) => {
    const dark = darkenedUntil(colour, "#ffffff", 4.5);
    expect(contrastOf(dark, "#ffffff")).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(dark, "#ffffff")).toBeLessThan(5);
    expect(Math.abs(degrees(oklchOf(dark).hue) - degrees(oklchOf(colour).hue))).toBeLessThan(3);
  });

  test("reaches the contrast for any colour on any light ground", () => {
    const grounds = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 230, max: 255 })));
    fc.assert(
      fc.property(colours, grounds, (colour, ground) => {
        const light = `#${ground.map((channel) => channel.toString(16)).join("")}`;
        const dark = darkenedUntil(colour, light, 4.5);
        expect(channelsOf(dark).every((channel) => channel >= 0 && channel <= 255)).toBe(true);
        expect(contrastOf(dark, light)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});
