/**
 * Chooses the colors of a bio page. Whatever a customer sets, the page stays readable: text with too little contrast
 * is darkened or lightened (WCAG 2.2, 1.4.3), and what must stand out from the page gets an outline (1.4.11).
 */
import type { BioTheme } from "@/contract/links/bio-pages";
import { blackOrWhiteOn, CONTRAST_MIN, colourOf, contrastOf, mixOf, readableOn } from "../qr/colour";

/** Each color is `#rrggbb`. */
export interface BioPalette {
  background: string;
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
  const text = readableOn(background, given(theme.text) ?? preset.text);
  const accent = given(theme.accent) ?? preset.accent;
  const hint = isDark({ background }) ? readableOn(background, accent) : accent;
  const soft = mixOf(background, hint, SOFT_SHARE);
  return {
    background,
    text,
    accent,
    accentText: readableOn(accent, background),
    outline: contrastOf(accent, background) >= CONTRAST_MIN ? accent : text,
    soft,
    softText: readableOn(soft, text),
  };
}

export const isDark = ({ background }: Pick<BioPalette, "background">): boolean =>
  blackOrWhiteOn(background) === "#ffffff";

const given = (colour: string | undefined) => (colour === undefined ? undefined : colourOf(colour));
