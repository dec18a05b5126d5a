/**
 * The colors of the pages that visitors see, in light and in dark, and what an organization's accent makes of them. Whatever
 * the accent is, text can be read (WCAG 2.2, 1.4.3) and buttons can be told from the page (1.4.11).
 */
import { blackOrWhiteOn, CONTRAST_MIN, colourOf, contrastOf, mixOf, readableOn } from "./qr/colour";

export const SHADES = ["light", "dark"] as const;
export type Shade = (typeof SHADES)[number];

export interface Ground {
  /** Behind the card. */
  paper: string;
  /** Of the card. */
  surface: string;
  ink: string;
  /** Of less important text. */
  soft: string;
  /** Around fields, to be told from the surface. */
  field: string;
}

export const GROUNDS: Record<Shade, Ground> = {
  light: { paper: "#f3f4f6", surface: "#ffffff", ink: "#16181d", soft: "#555b69", field: "#868c9a" },
  dark: { paper: "#0e1014", surface: "#181b21", ink: "#f1f2f4", soft: "#a9afbc", field: "#7d8494" },
};

/** Without a color of their own, pages have these, which suit each shade. */
const DEFAULT_ACCENTS: Record<Shade, string> = { light: "#1f4fd8", dark: "#8fb0ff" };

/** How much of the accent is in what is tinted by it. */
const TINT_SHARE = 0.12;

export interface Accented {
  accent: string;
  /** Text on the accent. */
  onAccent: string;
  /** Around what is filled with the accent. */
  edge: string;
  /** A hint of the accent on the surface, and what can be read on it. */
  tint: string;
  onTint: string;
  /** A hint of the accent on the paper. */
  wash: string;
}

/** What is no `#rgb` or `#rrggbb` gives the default accent. */
export function pagePalette(given: string | undefined): Record<Shade, Accented> {
  const accent = given === undefined ? undefined : colourOf(given);
  return { light: accented("light", accent), dark: accented("dark", accent) };
}

function accented(shade: Shade, accent = DEFAULT_ACCENTS[shade]): Accented {
  const { paper, surface, field } = GROUNDS[shade];
  // Of a dark accent nothing would be seen in the dark.
  const hint = shade === "dark" ? readableOn(surface, accent) : accent;
  const tint = mixOf(surface, hint, TINT_SHARE);
  return {
    accent,
    onAccent: blackOrWhiteOn(accent),
    edge: contrastOf(accent, surface) >= CONTRAST_MIN ? accent : field,
    tint,
    onTint: readableOn(tint, accent),
    wash: mixOf(paper, hint, TINT_SHARE),
  };
}
