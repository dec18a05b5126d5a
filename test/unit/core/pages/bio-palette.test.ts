import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BIO_PRESETS } from "@/contract/links/bio-pages";
import { bioPalette, bioShades } from "@/core/pages/bio-palette";
import { CONTRAST_MIN, contrastOf, PROPOSED_CONTRAST_MIN } from "@/core/qr/colour";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const theme = fc.record(
  { preset: fc.constantFrom(...BIO_PRESETS), background: colour, text: colour, accent: colour },
  { requiredKeys: [] },
);

describe("whatever colours are set", () => {
  test("text is readable on the page and on its items, and items stand out from the page", () => {
    fc.assert(
      fc.property(theme, (set) => {
        const { background, text, accent, accentText, outline, soft, softText } = bioPalette(set);
        expect(contrastOf(soft, softText)).toBeGreaterThanOrEqual(PROPOSED_CONTRAST_MIN);
        expect(contrastOf(background, text)).toBeGreaterThanOrEqual(PROPOSED_CONTRAST_MIN);
        expect(contrastOf(accent, accentText)).toBeGreaterThanOrEqual(PROPOSED_CONTRAST_MIN);
        expect(contrastOf(background, outline)).toBeGreaterThanOrEqual(CONTRAST_MIN);
      }),
      { numRuns: 1000 },
    );
  });

  test("the background and the accent stay as set", () => {
    fc.assert(
      fc.property(colour, colour, colour, (background, text, accent) => {
        expect(bioPalette({ background, text, accent })).toMatchObject({ background, accent });
      }),
    );
  });
});

test("readable text stays as set", () => {
  expect(bioPalette({ background: "#FFF", text: "#123", accent: "#00f" })).toEqual({
    background: "#ffffff",
    text: "#112233",
    accent: "#0000ff",
    accentText: "#ffffff",
    outline: "#0000ff",
    soft: "#dbdbff",
    softText: "#112233",
  });
});

test("unreadable text is darkened or lightened, but no more than needed", () => {
  const onWhite = bioPalette({ background: "#ffffff", text: "#ff8888" });
  expect([onWhite.text, contrastOf("#ffffff", onWhite.text) < 6]).toEqual(["#995252", true]);
  expect(bioPalette({ background: "#000000", text: "#000000" }).text).toBe("#808080");
});

test.each(BIO_PRESETS)("the preset %s is readable without any correction", (preset) => {
  const { background, text, accent, accentText } = bioPalette({ preset });
  expect([accentText, contrastOf(background, text) > 10, contrastOf(background, accent) > 4.5]).toEqual([
    background,
    true,
    true,
  ]);
});

test("only `auto` has dark colors, which keep the accent of the light ones", () => {
  expect(bioShades({ preset: "light", background: "#fff" }).dark).toBeNull();
  const { always, dark } = bioShades({ preset: "auto", background: "#ffeecc", accent: "#c00" });
  expect([always.background, always.accent]).toEqual(["#ffeecc", "#cc0000"]);
  expect([dark?.background, dark?.accent]).toEqual(["#14161a", "#cc0000"]);
});
