import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GROUNDS, pagePalette, SHADES } from "@/core/pages/page-palette";
import { CONTRAST_MIN, contrastOf, PROPOSED_CONTRAST_MIN } from "@/core/qr/colour";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe.each(SHADES)("%s pages", (shade) => {
  const { paper, surface, ink, soft, field } = GROUNDS[shade];

  test("are readable without any accent, and their fields stand out from the card", () => {
    for (const ground of [paper, surface]) {
      for (const text of [ink, soft]) expect(contrastOf(ground, text)).toBeGreaterThanOrEqual(PROPOSED_CONTRAST_MIN);
    }
    expect(contrastOf(surface, field)).toBeGreaterThanOrEqual(CONTRAST_MIN);
  });

  test("are readable with any accent, which stays as set", () => {
    fc.assert(
      fc.property(colour, (given) => {
        const { accent, onAccent, edge, tint, onTint, wash } = pagePalette(given)[shade];
        expect(accent).toBe(given);
        for (const [ground, text] of [
          [accent, onAccent],
          [tint, onTint],
          [tint, ink],
          [tint, soft],
          [wash, ink],
          [wash, soft],
        ] as const) {
          expect([ground, text, contrastOf(ground, text) >= PROPOSED_CONTRAST_MIN]).toEqual([ground, text, true]);
        }
        expect(contrastOf(surface, edge)).toBeGreaterThanOrEqual(CONTRAST_MIN);
      }),
      { numRuns: 1000 },
    );
  });
});

test("an invalid color gives the default of each shade", () => {
  expect(pagePalette("red")).toEqual(pagePalette(undefined));
  expect(pagePalette(undefined).light.accent).not.toBe(pagePalette(undefined).dark.accent);
});
