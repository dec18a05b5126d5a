/**
 * Chooses the colors of a bio page. Whatever a customer sets, the page stays readable: text with too little contrast
 * is darkened or lightened (WCAG 2.2, 1.4.3), what must stand out from the page gets an outline (1.4.11), and a
 * gradient ends before no text could be read on all of it.
 */
import type { BioTheme } from "@/contract/links/bio-pages";
import {
  blackOrWhiteOn,
  CONTRAST_MIN,
  colourOf,
  leastContrastOf,
  mixOf,
  PROPOSED_CONTRAST_MIN,
  readableOn,
} from "../qr/colour";

/** Each color is `#rrggbb`. */
export interface BioPalette {
  background: string;
  /** Of a gradient: its color at the bottom. */
  backgroundEnd?: string;
  /** Text on the background. */
  text: string;
  /** Items. */
  accent: string;
  /** Text on the accent. */
  accentText: string;
  /** Outline of items, which sets them off from the background. */
  outline: string;
  /** Softly drawn items: the background mixed with a little of the accent. */
  soft: string;
  /** Text on soft items. */
  softText: string;
}

type Base = Pick<BioPalette, "background" | "text" | "accent">;

const LIGHT: Base = { background: "#f7f7f4", text: "#16181d", accent: "#1f3fa8" };
const DARK: Base = { background: "#14161a", text: "#f1f2f4", accent: "#8fb0ff" };
const PRESETS: Record<NonNullable<BioTheme["preset"]>, Base> = {
  light: LIGHT,
  dark: DARK,
  contrast: { background: "#000000", text: "#ffffff", accent: "#ffe600" },
  auto: LIGHT,
};

const SOFT_SHARE = 0.14;
/** In how many steps a gradient is looked at, and shortened. */
const GRADIENT_STEPS = 20;

export interface BioShades {
  always: BioPalette;
  /** For visitors whose device is in dark mode; null if the page looks the same to everyone. */
  dark: BioPalette | null;
}

/** In dark mode only the accent is carried over: a background is made for one mode. */
export const bioShades = (theme: BioTheme): BioShades => ({
  always: bioPalette(theme),
  dark: theme.preset === "auto" ? bioPalette({ preset: "dark", accent: theme.accent }) : null,
});

export function bioPalette(theme: BioTheme): BioPalette {
  const preset = PRESETS[theme.preset ?? "light"];
  const background = given(theme.background) ?? preset.background;
  const end = given(theme.backgroundEnd);
  const ground = { background, ...(end !== undefined && { backgroundEnd: readableEnd(background, end) }) };
  const grounds = groundsOf(ground);
  const text = readableOn(grounds, given(theme.text) ?? preset.text);
  const accent = given(theme.accent) ?? preset.accent;
  const hint = isDark(ground) ? readableOn(background, accent) : accent;
  const soft = mixOf(background, hint, SOFT_SHARE);
  return {
    ...ground,
    text,
    accent,
    accentText: readableOn(accent, background),
    outline: leastContrastOf(grounds, accent) >= CONTRAST_MIN ? accent : text,
    soft,
    softText: readableOn(soft, text),
  };
}

type Ground = Pick<BioPalette, "background" | "backgroundEnd">;

/**
 * Returns the colors of the background from the top to the bottom. Between its ends, a gradient can be darker than
 * both, such as from red to blue.
 */
export const groundsOf = ({ background, backgroundEnd }: Ground): string[] =>
  backgroundEnd === undefined
    ? [background]
    : Array.from({ length: GRADIENT_STEPS + 1 }, (_, step) => mixOf(background, backgroundEnd, step / GRADIENT_STEPS));

/** Returns the color, or the farthest one on the way to it up to which black or white text can be read. */
function readableEnd(background: string, end: string): string {
  for (let step = GRADIENT_STEPS; step > 0; step--) {
    const backgroundEnd = mixOf(background, end, step / GRADIENT_STEPS);
    const grounds = groundsOf({ background, backgroundEnd });
    if (leastContrastOf(grounds, blackOrWhiteOn(...grounds)) >= PROPOSED_CONTRAST_MIN) return backgroundEnd;
  }
  return background;
}

export const isDark = (ground: Ground): boolean => blackOrWhiteOn(...groundsOf(ground)) === "#ffffff";

const given = (colour: string | undefined) => (colour === undefined ? undefined : colourOf(colour));
