/**
 * A picture made of a name: its first letter on a colour. Letters are drawn by outlines of our own, since a server may
 * have no fonts, and so look alike on every one. There are outlines for digits and for Latin, Greek, Cyrillic, Armenian,
 * Georgian, Hebrew and Arabic letters; a name without any of them gets a plain mark.
 */
import glyphs from "./glyphs.json";

/** Maps an upper-case letter to its path in a square of 256. */
const OUTLINES = new Map(Object.entries(glyphs));
const MARK = "M128 62L194 128L128 194L62 128ZM128 100L100 128L128 156L156 128Z";
export const DEFAULT_ACCENT = "#1f4fd8";
const NAME_LENGTH_MAX = 200;

/** What stands on the picture; empty where it is the mark. */
export function initialOf(name: string): string {
  const drawable = Array.from(name.slice(0, NAME_LENGTH_MAX).normalize("NFC"), outlined);
  return drawable.find((letter) => letter !== undefined) ?? "";
}

/** In upper case where the script has one; a letter with an accent that has no outline becomes the letter without. */
function outlined(letter: string): string | undefined {
  const plain = letter.normalize("NFKD").toUpperCase().charAt(0);
  return [letter.toUpperCase(), letter, plain].find((form) => OUTLINES.has(form));
}

/** `#rrggbb`; what is no `#rgb` or `#rrggbb` becomes the default. */
export function accentOf(colour: string | undefined): string {
  if (!colour || !/^#([\da-f]{3}|[\da-f]{6})$/i.test(colour)) return DEFAULT_ACCENT;
  const lowered = colour.toLowerCase();
  return lowered.length === 7 ? lowered : lowered.replaceAll(/[\da-f]/g, "$&$&");
}

/** `initial` and `accent` as made above: nothing of a customer's stands in the markup but them. */
export function drawInitial(initial: string, accent: string): string {
  const path = OUTLINES.get(initial) ?? MARK;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="${accent}"/><path d="${path}" fill="${inkOn(accent)}" fill-rule="nonzero"/></svg>`;
}

/** Black or white, whichever is read better: one of them has a contrast of at least 4.5 to 1 on any colour (WCAG 2.2). */
function inkOn(accent: string): string {
  const luminance = relativeLuminance(accent);
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
}

function relativeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
