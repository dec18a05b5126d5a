/** The style of every page of the service: one card in the middle, whose page it is above, and small print below. */
import { type Accented, GROUNDS, pagePalette, type Shade } from "@/core/pages/page-palette";

const accentOf = ({ accent, onAccent, edge, tint, onTint, wash }: Accented): string =>
  `--accent:${accent};--on-accent:${onAccent};--edge:${edge};--tint:${tint};--on-tint:${onTint};--wash:${wash}`;

/** Sets an organization's accent over the default one. */
export const accentStyle = ({ light, dark }: Record<Shade, Accented>): string =>
  `:root{${accentOf(light)}}@media (prefers-color-scheme:dark){:root{${accentOf(dark)}}}`;

const groundOf = (shade: Shade): string => {
  const { paper, surface, ink, soft, field } = GROUNDS[shade];
  return `--paper:${paper};--surface:${surface};--ink:${ink};--soft:${soft};--field:${field}`;
};

const STANDARD = pagePalette(undefined);

/** The browser window has the color at the top of the page. On a phone, the card has no edge and fills the page. */
export const themeColours = ({ light, dark } = STANDARD): Record<Shade, string> => ({
  light: light.wash,
  dark: dark.wash,
});

export const STYLE = `:root{color-scheme:light dark;${groundOf("light")};--line:#d9dce3;--fault:#b5172a;
--shadow:0 1px 2px #1018280f,0 16px 40px -16px #10182833;${accentOf(STANDARD.light)}}
@media (prefers-color-scheme:dark){:root{${groundOf("dark")};--line:#2c313b;--fault:#ff9aa2;--shadow:none;
${accentOf(STANDARD.dark)}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;background:var(--paper)}
body{margin:0;min-height:100vh;min-height:100svh;display:flex;flex-direction:column;align-items:center;
justify-content:center;gap:1.5rem;padding:2rem 1.25rem;color:var(--ink);
background:linear-gradient(var(--wash),var(--paper) 20rem) no-repeat var(--paper);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
header{display:flex;align-items:center;justify-content:center;gap:.75rem;font-weight:600;line-height:1.3}
header img,.tile{flex:none;width:2.5rem;height:2.5rem;border-radius:.625rem;object-fit:cover}
.tile{display:grid;place-items:center;background:var(--accent);color:var(--on-accent);border:1px solid var(--edge);
font-size:1.25rem;font-weight:700;line-height:1}
main,header,footer{width:100%;max-width:27rem}
main{background:var(--surface);border:1px solid var(--line);border-radius:1.25rem;box-shadow:var(--shadow);
padding:2rem 1.5rem}
main>:last-child,form>:last-child{margin-bottom:0}
.center{text-align:center}
footer{font-size:.875rem;color:var(--soft);text-align:center}footer p{margin:0}
footer a{display:inline-block;padding:.75rem}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.011em;margin:0 0 .5rem;text-wrap:balance}
h1+.button{margin-top:1.5rem}
p{margin:0 0 1.5rem;color:var(--soft);text-wrap:pretty}
p+p{margin-top:-.75rem}
a{color:inherit;text-underline-offset:.2em}
label{display:block;font-size:.9375rem;font-weight:600;margin-bottom:.375rem}
label small{font-weight:400;color:var(--soft)}
input,button,textarea,.button{width:100%;min-height:3rem;font:inherit;padding:.6875rem .875rem;border-radius:.75rem;
border:1px solid var(--field)}
input,textarea{background:var(--surface);color:inherit;margin-bottom:1.125rem}
textarea{display:block;resize:vertical}
input[type=checkbox]{width:1.5rem;height:1.5rem;min-height:0;flex:none;margin:0;padding:0;accent-color:var(--accent)}
.tick{display:flex;gap:.75rem;align-items:flex-start;margin-bottom:1.125rem}
.tick label{margin:0;font-weight:400;color:var(--soft)}
button,.button{display:block;background:var(--accent);color:var(--on-accent);border-color:var(--edge);font-weight:600;
cursor:pointer;text-align:center;text-decoration:none;margin:0 0 .75rem}
.quiet{background:transparent;color:inherit;border-color:var(--field)}
.on{display:block;text-align:center;padding:.625rem;font-weight:500}
.on:last-of-type{margin-bottom:-.75rem}
.pixels{position:absolute;width:1px;height:1px;overflow:hidden}
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
[role=alert],.fault{color:var(--fault);font-weight:600;text-wrap:wrap}.fault{margin:-.75rem 0 1.125rem;font-size:.9rem}
[aria-invalid=true]{border-color:var(--fault);box-shadow:inset 0 0 0 1px var(--fault)}
@media (hover:hover){button:hover,.button:hover{filter:brightness(1.08)}.quiet:hover{background:var(--tint);filter:none}}
@media (prefers-reduced-motion:no-preference){button,.button{transition:filter .12s}}
@media (min-width:30rem){main{padding:2.5rem}body{padding-bottom:8vh}}
@media (forced-colors:active){.button,button,.tile{border:1px solid}}`;
