/** Colours as `#rrggbb`, and how well a reader, or a person, tells two of them apart. */

/** Below it a code is refused; WCAG 2.2, 1.4.11, asks as much of graphics that carry meaning. */
export const CONTRAST_MIN = 3;
/** Of pairs that we propose; WCAG 2.2, 1.4.3, asks as much of text. */
export const PROPOSED_CONTRAST_MIN = 4.5;

export type Rgb = [red: number, green: number, blue: number];

/** `#rgb` or `#rrggbb`, with or without `#`, as `#rrggbb` in lower case; undefined for anything else. */
export function colourOf(given: string): string | undefined {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(given)?.[1]?.toLowerCase();
  return digits && `#${digits.length === 6 ? digits : digits.replaceAll(/./g, "$&$&")}`;
}

/** Of a `#rrggbb`, each from 0 to 255. */
export const channelsOf = (colour: string): Rgb => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

/** Each from 0 to 1, without the transfer function of sRGB (IEC 61966-2-1). */
export function linearOf(colour: string): Rgb {
  const [red, green, blue] = channelsOf(colour);
  return [linear(red), linear(green), linear(blue)];
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** From 0 for black to 1 for white (WCAG 2.2, "relative luminance"). */
export function luminanceOf(colour: string): number {
  const [red, green, blue] = linearOf(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** To two digits, and never more than it is. */
export const shownContrast = (contrast: number): number => Math.floor(contrast * 100) / 100;

/**
 * Says why these two colors make a code that some scanners cannot read; undefined if all can. Many fail on inverted
 * codes.
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

/** Whichever is read better on the ground; the contrast of one of the two is at least 4.5 to 1 on any. */
export const blackOrWhiteOn = (ground: string): string =>
  contrastOf(ground, WHITE) >= contrastOf(ground, BLACK) ? WHITE : BLACK;

/** Returns the color, or the first one on its way to black or white that can be read on the ground. */
export function readableOn(ground: string, colour: string): string {
  const goal = blackOrWhiteOn(ground);
  for (let step = 0; step < STEPS; step++) {
    const mixed = mixOf(colour, goal, step / STEPS);
    if (contrastOf(ground, mixed) >= PROPOSED_CONTRAST_MIN) return mixed;
  }
  return goal;
}

/** `share` of the second, from 0 to 1, in sRGB as it is written. */
export function mixOf(one: string, other: string, share: number): string {
  const [from, to]: [Rgb, Rgb] = [channelsOf(one), channelsOf(other)];
  const channels = from.map((channel, at) => Math.round(channel + ((to[at] ?? channel) - channel) * share));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
