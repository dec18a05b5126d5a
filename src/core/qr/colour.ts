/** Colors as `#rrggbb`, and how well a scanner or a person can distinguish two of them. */

/** Codes with less contrast are refused; WCAG 2.2, 1.4.11, requires the same of graphics that carry meaning. */
export const CONTRAST_MIN = 3;
/** The least contrast of color pairs that we propose; WCAG 2.2, 1.4.3, requires the same of text. */
export const PROPOSED_CONTRAST_MIN = 4.5;

export type Rgb = [red: number, green: number, blue: number];

/** Converts `#rgb` or `#rrggbb`, with or without `#`, to lower-case `#rrggbb`; returns undefined for anything else. */
export function colourOf(given: string): string | undefined {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(given)?.[1]?.toLowerCase();
  return digits && `#${digits.length === 6 ? digits : digits.replaceAll(/./g, "$&$&")}`;
}

/** Returns the channels of a `#rrggbb`, each from 0 to 255. */
export const channelsOf = (colour: string): Rgb => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

/** Returns linear channels from 0 to 1: the inverse of sRGB's transfer function (IEC 61966-2-1). */
export function linearOf(colour: string): Rgb {
  const [red, green, blue] = channelsOf(colour);
  return [linear(red), linear(green), linear(blue)];
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Returns 0 for black to 1 for white (WCAG 2.2, "relative luminance"). */
export function luminanceOf(colour: string): number {
  const [red, green, blue] = linearOf(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the contrast on the ground where it is least. */
export const leastContrastOf = (grounds: readonly string[], colour: string): number =>
  Math.min(...grounds.map((ground) => contrastOf(ground, colour)));

/** Rounds down to two digits, so that the contrast shown is never more than the actual one. */
export const shownContrast = (contrast: number): number => Math.floor(contrast * 100) / 100;

/**
 * Returns why some scanners could not read a code in these two colors, or undefined if all can. Many scanners fail on
 * inverted codes.
 */
export function pairFault(dark: string, light: string): string | undefined {
  const contrast = contrastOf(dark, light);
  if (luminanceOf(dark) > luminanceOf(light))
    return "dark must be darker than light: many scanners fail on inverted codes";
  if (contrast >= CONTRAST_MIN) return undefined;
  return `the contrast of dark and light is ${shownContrast(contrast)}:1, expected at least ${CONTRAST_MIN}:1`;
}

const BLACK = "#000000";
const WHITE = "#ffffff";
const STEPS = 10;

/**
 * Returns the one that is easier to read on all the grounds. On any single ground, at least one of them has a contrast
 * of 4.5:1.
 */
export const blackOrWhiteOn = (...grounds: readonly string[]): string =>
  leastContrastOf(grounds, WHITE) >= leastContrastOf(grounds, BLACK) ? WHITE : BLACK;

/** Returns the color, or the first one on its way to black or white that can be read on the ground, or on all of them. */
export function readableOn(ground: string | readonly string[], colour: string): string {
  const grounds = [ground].flat();
  const goal = blackOrWhiteOn(...grounds);
  for (let step = 0; step < STEPS; step++) {
    const mixed = mixOf(colour, goal, step / STEPS);
    if (leastContrastOf(grounds, mixed) >= PROPOSED_CONTRAST_MIN) return mixed;
  }
  return goal;
}

/** Mixes two colors channel by channel in sRGB; `share` is that of the second, from 0 to 1. */
export function mixOf(one: string, other: string, share: number): string {
  const [from, to]: [Rgb, Rgb] = [channelsOf(one), channelsOf(other)];
  const channels = from.map((channel, at) => Math.round(channel + ((to[at] ?? channel) - channel) * share));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
