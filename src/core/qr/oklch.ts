/**
 * Colors by perceived lightness, chroma and hue: OKLab in polar form, by Björn Ottosson
 * (https://bottosson.github.io/posts/oklab/, the source of the matrices). A color darkened here keeps its hue.
 *
 * `culori` was tried and rejected: its gamut mapping gives different results for 1 in 40 colors, which users would
 * notice when they request the same proposal again, and it would be another package in `core`, to save some 45 lines.
 */
import { contrastOf, linearOf, type Rgb } from "./colour";

export interface Oklch {
  /** From 0 for black to 1 for white. */
  lightness: number;
  /** From 0 for greys to about 0.32 in sRGB. */
  chroma: number;
  /** Radians. */
  hue: number;
}

const LIGHTNESS_STEP = 0.01;
const CHROMA_HALVINGS = 20;
const OUTSIDE = 1e-4;

export function oklchOf(colour: string): Oklch {
  const [red, green, blue] = linearOf(colour);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

/**
 * Converts to `#rrggbb`. A color outside sRGB is replaced by one of the same lightness and hue with the largest
 * chroma that sRGB has.
 */
export function colourFrom(colour: Oklch): string {
  const whole = linearFrom(colour);
  if (isWithin(whole)) return hexOf(whole);
  let [inside, outside] = [0, colour.chroma];
  for (let halvings = 0; halvings < CHROMA_HALVINGS; halvings++) {
    const chroma = (inside + outside) / 2;
    if (isWithin(linearFrom({ ...colour, chroma }))) inside = chroma;
    else outside = chroma;
  }
  return hexOf(linearFrom({ ...colour, chroma: inside }));
}

/**
 * Returns the color if it has this contrast with the ground, otherwise the lightest darker one of its hue that does.
 */
export function darkenedUntil(colour: string, ground: string, contrast: number): string {
  const { lightness, ...rest } = oklchOf(colour);
  let candidate = colour;
  for (
    let down = LIGHTNESS_STEP;
    contrastOf(candidate, ground) < contrast && down < lightness;
    down += LIGHTNESS_STEP
  ) {
    candidate = colourFrom({ ...rest, lightness: lightness - down });
  }
  return contrastOf(candidate, ground) < contrast ? "#000000" : candidate;
}

function linearFrom({ lightness, chroma, hue }: Oklch): Rgb {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const isWithin = (linear: Rgb): boolean => linear.every((channel) => channel >= -OUTSIDE && channel <= 1 + OUTSIDE);

const hexOf = (linear: Rgb): string =>
  `#${linear.map((channel) => encoded(channel).toString(16).padStart(2, "0")).join("")}`;

/** Applies sRGB's transfer function; returns 0 to 255. */
function encoded(linear: number): number {
  const share = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, share)));
}
