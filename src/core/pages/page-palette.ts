/**
 * The colors of the pages that visitors see, light and dark, and those derived from an organization's accent.
 * Whatever the accent, text stays readable (WCAG 2.2, 1.4.3) and buttons stand out from the page (1.4.11).
 */
import { blackOrWhiteOn, CONTRAST_MIN, colourOf, contrastOf, mixOf, readableOn } from "../qr/colour";

export const SHADES = ["light", "dark"] as const;
export type Shade = (typeof SHADES)[number];

export interface Ground {
  /** Background behind the card. */
  paper: string;
  /** Background of the card. */
  surface: string;
  ink: string;
  /** Less important text. */
  soft: string;
  /** Borders of fields, which set them off from the surface. */
  field: string;
}

export const GROUNDS: Record<Shade, Ground> = {
  light: { paper: "#f3f4f6", surface: "#ffffff", ink: "#16181d", soft: "#555b69", field: "#868c9a" },
  dark: { paper: "#0e1014", surface: "#181b21", ink: "#f1f2f4", soft: "#a9afbc", field: "#7d8494" },
};

/** Accents of pages without one of their own, one for each shade. */
const DEFAULT_ACCENTS: Record<Shade, string> = { light: "#1f4fd8", dark: "#8fb0ff" };

/** Share of the accent in tinted areas. */
const TINT_SHARE = 0.12;

export interface Accented {
  accent: string;
  /** Text on the accent. */
  onAccent: string;
  /** Border around areas filled with the accent. */
  edge: string;
  /** `tint`: the surface with a hint of the accent. `onTint`: text on it. */
  tint: string;
  onTint: string;
  /** The paper with a hint of the accent. */
  wash: string;
}

/** Returns the colors for an accent. Anything but `#rgb` or `#rrggbb` yields the default accent. */
export function pagePalette(given: string | undefined): Record<Shade, Accented> {
  const accent = given === undefined ? undefined : colourOf(given);
  return { light: accented("light", accent), dark: accented("dark", accent) };
}

function accented(shade: Shade, accent = DEFAULT_ACCENTS[shade]): Accented {
  const { paper, surface, field } = GROUNDS[shade];
  // A hint of a dark accent would not be visible on a dark ground.
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
