/** The look of a bio page: the theme's colors, font, and style of items. */
import type { BioTheme } from "@/contract/links/bio-pages";
import { type BioPalette, type BioShades, bioShades, isDark } from "@/core/pages/bio-palette";

/** Uses only fonts that come with operating systems. */
const FONTS: Record<NonNullable<BioTheme["font"]>, string> = {
  sans: "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif",
  serif: "ui-serif,Georgia,Cambria,'Times New Roman',Times,serif",
  mono: "ui-monospace,Menlo,Consolas,'Liberation Mono',monospace",
  rounded: "ui-rounded,'SF Pro Rounded','Hiragino Maru Gothic ProN',Quicksand,Nunito,system-ui,sans-serif",
};

const BUTTONS: Record<NonNullable<BioTheme["buttonStyle"]>, string> = {
  fill: "border:2px solid var(--outline);background:var(--accent);color:var(--on-accent)",
  outline: "border:2px solid var(--outline)",
  soft: "background:var(--soft);color:var(--on-soft)",
  shadow:
    "border:2px solid var(--text);background:var(--accent);color:var(--on-accent);box-shadow:4px 4px 0 var(--text)",
};

/** The pill's radius fits one line, so that long titles do not become egg-shaped. */
const SHAPES: Record<NonNullable<BioTheme["buttonShape"]>, string> = {
  rounded: "0.875rem",
  pill: "1.875rem",
  square: "0",
};

const paletteStyle = (palette: BioPalette): string =>
  `color-scheme:${isDark(palette) ? "dark" : "light"};--ground:${palette.background};--text:${palette.text};\
--accent:${palette.accent};--on-accent:${palette.accentText};--outline:${palette.outline};--soft:${palette.soft};\
--on-soft:${palette.softText}`;

/** In dark mode, a page that has one has no gradient. */
const gradientStyle = ({ always: { backgroundEnd }, dark }: BioShades): string =>
  backgroundEnd === undefined
    ? ""
    : `${dark ? "@media not (prefers-color-scheme:dark){" : ""}body{background:linear-gradient(var(--ground),\
${backgroundEnd}) no-repeat var(--ground)}${dark ? "}" : ""}`;

export interface BioLook {
  style: string;
  /** Colors of the browser's frame (`theme-color`), with the media query they apply to. */
  frames: { ground: string; media?: string }[];
}

export function bioLook({ font = "sans", buttonStyle = "fill", buttonShape = "rounded", ...theme }: BioTheme): BioLook {
  const shades = bioShades(theme);
  const { always, dark } = shades;
  const inDark = dark ? `@media (prefers-color-scheme:dark){:root{${paletteStyle(dark)}}}` : "";
  const item = `.item{--radius:${SHAPES[buttonShape]};border-radius:var(--radius);${BUTTONS[buttonStyle]}}`;
  return {
    style: `:root{${paletteStyle(always)};--font:${FONTS[font]}}${inDark}${STYLE}${item}${gradientStyle(shades)}`,
    frames: [
      ...(dark ? [{ ground: dark.background, media: "(prefers-color-scheme:dark)" }] : []),
      { ground: always.background },
    ],
  };
}

const STYLE = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;background:var(--ground)}
body{margin:0;min-height:100vh;min-height:100svh;display:flex;flex-direction:column;padding:3rem 1.25rem 2rem;
background:var(--ground);color:var(--text);font:1rem/1.5 var(--font);overflow-wrap:anywhere;
-webkit-hyphens:auto;hyphens:auto;hyphenate-limit-chars:14 5 5}
main{width:100%;max-width:36rem;margin:0 auto;flex:1}
.cover{display:block;width:calc(100% + 2.5rem);height:auto;aspect-ratio:3;object-fit:cover;margin:-3rem -1.25rem 0;
background:var(--soft)}
.avatar{display:grid;place-items:center;width:6rem;height:6rem;margin:0 auto 1rem;border-radius:50%;object-fit:cover;
background:var(--soft);color:var(--on-soft);font-size:2.5rem;font-weight:700;line-height:1}
.cover+.avatar{position:relative;width:7rem;height:7rem;margin-top:-3.5rem;border:4px solid var(--ground)}
h1{margin:0 0 .375rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.011em;text-align:center;text-wrap:balance}
p{margin:0;text-align:center;white-space:pre-line;text-wrap:pretty}
h2{margin:2.25rem 0 0;font-size:1.125rem;line-height:1.35;text-align:center;text-wrap:balance}
ul{margin:2rem 0 0;padding:0;list-style:none}
h2+ul{margin-top:.875rem}
li+li{margin-top:.875rem}
.item{display:grid;grid-template-columns:1.75rem 1fr 1.75rem;align-items:center;gap:.75rem;min-height:3.75rem;
padding:.75rem 1rem;color:inherit;font-weight:600;text-align:center;text-decoration:none}
.item span:last-child{grid-column:2}
.item:has(.thumb){grid-template-columns:3rem 1fr 3rem;padding:.375rem .5rem}
.thumb{display:block;width:3rem;height:3rem;object-fit:cover;border-radius:max(0px,calc(var(--radius) - .375rem))}
.tile{display:block;padding:0;overflow:hidden}
.tile img{display:block;width:100%;height:auto;aspect-ratio:2;object-fit:cover;background:var(--soft)}
.tile span{display:block;padding:.875rem 1rem}
.row .thumb{width:2rem;height:2rem;border-radius:50%}
.row{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem;margin-top:1rem}
.row li{margin:0}
.row a{display:grid;place-items:center;width:3rem;height:3rem;border-radius:50%;color:inherit;text-decoration:none}
.icon{width:1.5rem;height:1.5rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.brand{fill:currentColor;stroke:none}
.letters{display:grid;place-items:center;width:1.75rem;height:1.75rem;border:2px solid currentColor;border-radius:50%;
font-size:.8rem;line-height:1}
footer{max-width:36rem;margin:2.5rem auto 0;text-align:center;font-size:.875rem}
footer a{display:inline-block;padding:.75rem;color:inherit;text-underline-offset:.2em}
a:focus-visible{outline:3px solid var(--text);outline-offset:3px}
@media (hover:hover){.item:hover,.row a:hover{text-decoration:underline}.row a:hover{background:var(--soft);
color:var(--on-soft)}}
@media (hover:hover) and (prefers-reduced-motion:no-preference){.item{transition:transform .12s}
.item:hover{transform:translateY(-2px)}}
@media (min-width:40rem){body{padding-top:4rem}.cover{width:100%;margin:-1.5rem 0 0;border-radius:1.25rem}}
@media (forced-colors:active){.item{border:2px solid LinkText}}`;
