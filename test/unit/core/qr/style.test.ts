import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { QR_WIDTH, type QrFormat, type QrStyleInput } from "@/contract/links/qr";
import { contrastOf, luminanceOf } from "@/core/qr/colour";
import { levelsFor } from "@/core/qr/level";
import { oklchOf } from "@/core/qr/oklch";
import { proposeStyle, type StyleQuestion } from "@/core/qr/style";
import { PLACEMENTS, THEMES } from "@/core/qr/vocabulary";

const propose = (input: QrStyleInput, question: Partial<StyleQuestion> = {}) =>
  proposeStyle({ input, subject: "spring", accentColor: undefined, logo: undefined, ...question });

describe("the placement determines format and width", () => {
  test.each<[string, QrStyleInput, QrFormat, number]>([
    ["a poster", { placement: "Poster" }, "pdf", 2048],
    ["words around it", { placement: "on a poster in the hall" }, "pdf", 2048],
    ["packaging", { placement: "packaging" }, "svg", 1200],
    ["a sticker", { placement: "stickers" }, "svg", 1024],
    ["a flyer", { placement: "flyer" }, "pdf", 1200],
    ["a business card", { placement: "business card" }, "svg", 600],
    ["outdoors", { placement: "billboard" }, "pdf", 4096],
    ["e-mail with its hyphen", { placement: "E-Mail footer" }, "png", 480],
    ["social media", { placement: "instagram story" }, "png", 1080],
    ["a screen", { placement: "presentation" }, "png", 1024],
    ["nothing", {}, "png", 1024],
    ["an unknown one", { placement: "moon" }, "png", 1024],
    ["a part of a word", { placement: "posterior" }, "png", 1024],
    ["the channel in its stead", { channel: "print" }, "pdf", 1200],
    ["the source in its stead", { source: "newsletter" }, "png", 480],
    ["the placement before the channel", { placement: "sticker", channel: "email" }, "svg", 1024],
    ["the channel before the source", { channel: "social", source: "print" }, "png", 1080],
  ])("%s", (_, input, formatRecommendation, width) => {
    expect(propose(input).style).toMatchObject({ formatRecommendation, width, margin: 4 });
  });

  test("no keyword is listed twice", () => {
    for (const rows of [THEMES, PLACEMENTS]) {
      const words = rows.flatMap((row) => row.words);
      expect(words).toEqual([...new Set(words)]);
    }
  });
});

describe("the accent", () => {
  test("of the request takes precedence over the branding's", () => {
    expect(propose({ accentColor: "#1F4FD8" }, { accentColor: "#880000" }).style.darkColor).toBe("#1f4fd8");
    expect(propose({}, { accentColor: "#800" }).style.darkColor).toBe("#880000");
  });

  test("that is too light is darkened, with a warning", () => {
    const { style, warnings } = propose({ accentColor: "#ffd400" });
    expect(style.darkColor).not.toBe("#ffd400");
    expect(warnings).toEqual([expect.stringContaining(style.darkColor)]);
  });

  test("is grey in a minimal theme, and darker in a dark theme", () => {
    expect(oklchOf(propose({ accentColor: "#d81f4f", theme: "minimal" }).style.darkColor).chroma).toBeCloseTo(0, 2);
    expect(oklchOf(propose({ accentColor: "#d81f4f", theme: "night" }).style.darkColor).lightness).toBeLessThan(0.31);
  });

  test("tints the background in a pastel theme", () => {
    const { lightColor } = propose({ accentColor: "#1f4fd8", theme: "pastel" }).style;
    expect(lightColor).not.toBe("#ffffff");
    expect(luminanceOf(lightColor)).toBeGreaterThan(0.8);
  });
});

test("every pair is dark on light with a contrast of at least 4.5:1, for any request", () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
  const theme = fc.constantFrom(undefined, "no such", ...THEMES.map(({ name }) => name));
  fc.assert(
    fc.property(colour, theme, (accentColor, theme) => {
      const { style, swatches, confidence } = propose({ accentColor, theme });
      for (const { darkColor, lightColor } of [style, ...swatches]) {
        expect(contrastOf(darkColor, lightColor)).toBeGreaterThanOrEqual(4.5);
        expect(luminanceOf(darkColor)).toBeLessThan(luminanceOf(lightColor));
      }
      expect(swatches[0]).toMatchObject({ darkColor: style.darkColor, lightColor: style.lightColor });
      expect(Number.isInteger(confidence) && confidence >= 0 && confidence <= 100).toBe(true);
    }),
  );
});

test("no two swatches are the same pair", () => {
  const { swatches } = propose({ accentColor: "#000000" });
  const pairs = swatches.map(({ darkColor, lightColor }) => `${darkColor} ${lightColor}`);
  expect(pairs).toEqual([...new Set(pairs)]);
});

describe("confidence", () => {
  test.each<[string, QrStyleInput, Partial<StyleQuestion>, number]>([
    ["nothing", {}, {}, 40],
    ["an accent of the branding", {}, { accentColor: "#1f4fd8" }, 60],
    ["a theme", { theme: "warm" }, {}, 55],
    ["a placement", { placement: "poster" }, {}, 55],
    ["a campaign", { campaignName: "Spring sale" }, {}, 50],
    ["everything", { campaignName: "Spring", theme: "bold", placement: "poster", accentColor: "#1f4fd8" }, {}, 100],
    ["words it does not know", { theme: "qwerty", placement: "asdf" }, {}, 20],
    ["a logo there is not", {}, { logo: { lacking: "None." } }, 30],
  ])("of %s", (_, input, question, confidence) => {
    expect(propose(input, question).confidence).toBe(confidence);
  });
});

describe("the query", () => {
  test("contains the whole style", () => {
    const { style } = propose(
      { placement: "poster", accentColor: "#1f4fd8" },
      { logo: { url: "https://a.example/?b=c&d" } },
    );
    expect(Object.fromEntries(new URLSearchParams(style.query))).toEqual({
      format: "pdf",
      dark: "#1f4fd8",
      light: "#ffffff",
      width: "2048",
      logo: "https://a.example/?b=c&d",
    });
    expect(style.includeLogo).toBe(true);
  });

  test("names no logo that is unavailable", () => {
    const { style, warnings } = propose({}, { logo: { lacking: "None." } });
    expect(style).toMatchObject({ includeLogo: false, query: expect.not.stringContaining("logo") });
    expect(warnings).toEqual(["None."]);
  });
});

test("a style is named after its campaign, or else the link, and its placement", () => {
  expect(propose({}).style.name).toBe("spring");
  expect(propose({ campaignName: " Easter ", placement: "poster" }).style.name).toBe("Easter, poster");
});

test("the same request gives the same style", () => {
  const input = { theme: "warm", placement: "poster", accentColor: "#7dd3fc" };
  expect(propose(input)).toEqual(propose(input));
});

test("every placement's width is within the allowed range", () => {
  for (const { width } of PLACEMENTS) expect(width >= QR_WIDTH.min && width <= QR_WIDTH.max).toBe(true);
});

test.each<[QrFormat, boolean, string]>([
  ["png", false, "ML"],
  ["svg", false, "QML"],
  ["pdf", false, "QML"],
  ["png", true, "H"],
  ["pdf", true, "H"],
])(
  "a %s, with or without a logo (%p), tries the error correction levels %s in this order",
  (format, hasLogo, levels) => {
    expect(levelsFor(format, hasLogo).join("")).toBe(levels);
  },
);
