/**
 * Chooses the colors of a bio page. Whatever a customer sets is readable: text that is not is darkened or lightened
 * until it is (WCAG 2.2, 1.4.3), and what is to be told from the page gets an outline (1.4.11).
 */
import type { BioTheme } from "@/contract/links/bio-pages";
import { CONTRAST_MIN, channelsOf, colourOf, contrastOf, PROPOSED_CONTRAST_MIN, type Rgb } from "./qr/colour";

/** Each color is a `#rrggbb`. */
export interface BioPalette {
  background: string;
  /** This is the text color on the background. */
  text: string;
  /** This is the color of items. */
  accent: string;
  /** This is the text color on the accent. */
  accentText: string;
  /** Around items, to be told from the background. */
  outline: string;
}

type Base = Pick<BioPalette, "background" | "text" | "accent">;

const PRESETS: Record<NonNullable<BioTheme["preset"]>, Base> = {
  light: { background: "#f7f7f4", text: "#16181d", accent: "#1f3fa8" },
  dark: { background: "#14161a", text: "#f1f2f4", accent: "#8fb0ff" },
  contrast: { background: "#000000", text: "#ffffff", accent: "#ffe600" },
};

const BLACK = "#000000";
const WHITE = "#ffffff";
const STEPS = 10;

export function bioPalette(theme: BioTheme): BioPalette {
  const preset = PRESETS[theme.preset ?? "light"];
  const background = given(theme.background) ?? preset.background;
  const text = readableOn(background, given(theme.text) ?? preset.text);
  const accent = given(theme.accent) ?? preset.accent;
  return {
    background,
    text,
    accent,
    accentText: readableOn(accent, background),
    outline: contrastOf(accent, background) >= CONTRAST_MIN ? accent : text,
  };
}

const given = (colour: string | undefined) => (colour === undefined ? undefined : colourOf(colour));

/** The colour, or the first on its way to black or white that can be read; one of these two can be on any ground. */
function readableOn(ground: string, colour: string): string {
  const goal = contrastOf(ground, BLACK) > contrastOf(ground, WHITE) ? BLACK : WHITE;
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(colour, goal, step / STEPS);
    if (contrastOf(ground, mixed) >= PROPOSED_CONTRAST_MIN) return mixed;
  }
  return goal;
}

/** `share` of the goal, from 0 to 1, in sRGB as it is written. */
function mix(colour: string, goal: string, share: number): string {
  const [from, to]: Rgb[] = [channelsOf(colour), channelsOf(goal)];
  const channels = from?.map((channel, at) => Math.round(channel + ((to?.[at] ?? channel) - channel) * share)) ?? [];
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
