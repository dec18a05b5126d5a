import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BIO_PRESETS } from "@/contract/links/bio-pages";
import { bioPalette, bioShades, groundsOf } from "@/core/pages/bio-palette";
import { CONTRAST_MIN, contrastOf, leastContrastOf, mixOf, PROPOSED_CONTRAST_MIN } from "@/core/qr/colour";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const theme = fc.record(
  {
    preset: fc.constantFrom(...BIO_PRESETS),
    ...{ background: colour, backgroundEnd: colour, text: colour, accent: colour },
  },
  { requiredKeys: [] },
);

/** What the steps at which a gradient is looked at, in whole channels, may miss between two of them. */
const ROUNDED = 0.1;

describe("whatever colours are set", () => {
  test("text is readable on the page and on its items, and items stand out from the page", () => {
    fc.assert(
      fc.property(theme, (set) => {
        const { background, backgroundEnd = background, ...others } = bioPalette(set);
        const { text, accent, accentText, outline, soft, softText } = others;
        expect(contrastOf(soft, softText)).toBeGreaterThanOrEqual(PROPOSED_CONTRAST_MIN);
        for (const share of [0, 0.1, 0.25, 0.4, 0.5, 0.65, 0.85, 1]) {
          const ground = mixOf(background, backgroundEnd, share);
          expect(contrastOf(ground, text)).toBeGreaterThanOrEqual(PROPOSED_CONTRAST_MIN - ROUNDED);
          expect(contrastOf(ground, outline)).toBeGreaterThanOrEqual(CONTRAST_MIN - ROUNDED);
        }
        expect(contrastOf(accent, accentText)).toBeGreaterThanOrEqual(PROPOSED_CONTRAST_MIN);
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

describe("a gradient", () => {
  test("between colors on which the same text can be read stays as set", () => {
    const palette = bioPalette({ background: "#fff", backgroundEnd: "#FFD9A8", text: "#123" });
    expect(palette).toMatchObject({ background: "#ffffff", backgroundEnd: "#ffd9a8", text: "#112233" });
    expect([groundsOf(palette)[0], groundsOf(palette).at(-1)]).toEqual(["#ffffff", "#ffd9a8"]);
  });

  test("corrects text by the color on which it is hardest to read, wherever that is", () => {
    const [atTop, whole] = [{ background: "#ffffff" }, { background: "#ffffff", backgroundEnd: "#ffb0b0" }].map(
      (set) => bioPalette({ ...set, text: "#707070" }).text,
    );
    expect([atTop, whole]).toEqual(["#707070", "#4e4e4e"]);
    // Halfway from red to blue it is darker than at both ends.
    const grounds = groundsOf({ background: "#ff0000", backgroundEnd: "#0000ff" });
    expect(leastContrastOf(grounds, "#000000")).toBeLessThan(
      Math.min(contrastOf("#ff0000", "#000000"), contrastOf("#0000ff", "#000000")),
    );
  });

  test("from white to black ends where dark text is still readable", () => {
    const { backgroundEnd = "", text } = bioPalette({ background: "#ffffff", backgroundEnd: "#000000" });
    expect([text, contrastOf(backgroundEnd, text) >= PROPOSED_CONTRAST_MIN]).toEqual(["#14161a", true]);
    expect(contrastOf(mixOf("#ffffff", "#000000", 0.6), text)).toBeLessThan(PROPOSED_CONTRAST_MIN);
  });

  test("is not carried over to dark mode", () => {
    const { always, dark } = bioShades({ preset: "auto", backgroundEnd: "#ffd9a8" });
    expect([always.backgroundEnd, dark?.backgroundEnd]).toEqual(["#ffd9a8", undefined]);
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
