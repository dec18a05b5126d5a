/**
 * Draws a picture from a name: its first letter on a colour. Letters are drawn from our own outlines, because a
 * server may have no fonts; so they look the same on every server. There are outlines for digits and for Latin,
 * Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic letters; a name without any of them gets a plain mark.
 */
import { luminanceOf } from "@/core/qr/colour";
import glyphs from "./glyphs.json";

/** Maps an upper-case letter to its path in a square of 256. */
const OUTLINES = new Map(Object.entries(glyphs));
const MARK = "M128 62L194 128L128 194L62 128ZM128 100L100 128L128 156L156 128Z";
export const DEFAULT_ACCENT = "#1f4fd8";
const NAME_LENGTH_MAX = 200;

/** Returns the letter to draw; empty if the mark is drawn instead. */
export function initialOf(name: string): string {
  const drawable = Array.from(name.slice(0, NAME_LENGTH_MAX).normalize("NFC"), outlined);
  return drawable.find((letter) => letter !== undefined) ?? "";
}

/**
 * Returns the letter in upper case if its script has one; an accented letter without an outline becomes the plain
 * letter. Undefined if there is no outline for either.
 */
function outlined(letter: string): string | undefined {
  const plain = letter.normalize("NFKD").toUpperCase().charAt(0);
  return [letter.toUpperCase(), letter, plain].find((form) => OUTLINES.has(form));
}

/** Returns the color as `#rrggbb`; the default for anything but `#rgb` and `#rrggbb`. */
export function accentOf(colour: string | undefined): string {
  if (!colour || !/^#([\da-f]{3}|[\da-f]{6})$/i.test(colour)) return DEFAULT_ACCENT;
  const lowered = colour.toLowerCase();
  return lowered.length === 7 ? lowered : lowered.replaceAll(/[\da-f]/g, "$&$&");
}

/** Expects what `initialOf` and `accentOf` return: nothing else that comes from a customer is in the markup. */
export function drawInitial(initial: string, accent: string): string {
  const path = OUTLINES.get(initial) ?? MARK;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="${accent}"/><path d="${path}" fill="${inkOn(accent)}" fill-rule="nonzero"/></svg>`;
}

/**
 * Returns black or white, whichever is easier to read: one of them has a contrast of at least 4.5 to 1 on any color
 * (WCAG 2.2).
 */
function inkOn(accent: string): string {
  const luminance = luminanceOf(accent);
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
}
