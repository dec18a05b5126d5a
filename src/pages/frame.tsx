/**
 * Renders the frame of every page of the service: one column, readable on a phone, its style under the nonce, and no
 * script.
 */
import type { Children } from "@kitajs/html";

const STYLE = `
:root{color-scheme:light dark;--ink:#16181d;--paper:#fbfbf9;--soft:#5a6070;--line:#767c89;--accent:#1f4fd8;
--on-accent:#fff;--fault:#c0182b}
@media (prefers-color-scheme:dark){:root{--ink:#f1f2f4;--paper:#14161a;--soft:#a7adba;--line:#7d8494;--accent:#8fb0ff;
--on-accent:#14161a;--fault:#ff9aa2}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;grid-template-rows:auto 1fr auto;justify-items:center;
align-items:center;gap:24px;padding:24px;background:var(--paper);color:var(--ink);font:17px/1.5 system-ui,sans-serif;
overflow-wrap:anywhere}
header{display:flex;align-items:center;gap:.6rem;font-weight:600}
header img{border-radius:.5rem}
main,header,footer{width:100%;max-width:26rem}
main.top{align-self:start}main.bottom{align-self:end}
main.card{border:1px solid var(--line);border-radius:1rem;padding:1.5rem}
footer{font-size:.85rem;color:var(--soft)}footer p{margin:0}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .5rem}
h1+.button{margin-top:1.25rem}
p{margin:0 0 1.25rem;color:var(--soft)}
a{color:inherit}
label{display:block;font-weight:600;margin-bottom:.4rem}
label small{font-weight:400;color:var(--soft)}
input,button,textarea,.button{width:100%;font:inherit;padding:.75rem .9rem;border-radius:.6rem;border:1px solid var(--line)}
input,textarea{background:transparent;color:inherit;margin-bottom:.9rem}
input[type=checkbox]{width:1.4rem;height:1.4rem;flex:none;margin:.1rem 0 0;padding:0}
.tick{display:flex;gap:.6rem;align-items:flex-start;margin-bottom:.9rem}.tick label{margin:0;font-weight:400}
button,.button{display:block;background:var(--accent);color:var(--on-accent);font-weight:600;cursor:pointer;
text-align:center;text-decoration:none;margin-bottom:.9rem}
.on{display:block;text-align:center;padding:.6rem}
.pixels{position:absolute;width:1px;height:1px;overflow:hidden}
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
[role=alert],.fault{color:var(--fault);font-weight:600}.fault{margin:-.5rem 0 .9rem;font-size:.9rem}
[aria-invalid=true]{border-color:var(--fault)}`;

export interface FrameProps {
  title: string;
  language: string;
  dir: "ltr" | "rtl";
  nonce: string;
  /** What is added to the style. */
  style?: string;
  /** What goes into the head besides. */
  head?: Children;
  header?: Children;
  footer?: Children;
  /** Sets the class of `main`. */
  class?: string;
  children: Children;
}

export const Frame = ({
  title,
  language,
  dir,
  nonce,
  style = "",
  head,
  header,
  footer,
  children,
  ...main
}: FrameProps) => (
  <html lang={language} dir={dir}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title safe>{title}</title>
      <style nonce={nonce}>{STYLE + style}</style>
      {head ?? ""}
    </head>
    <body>
      {header ?? <div />}
      <main class={main.class}>{children}</main>
      {footer ?? <div />}
    </body>
  </html>
);

/**
 * The markup's own escaping leaves `&` in attributes, where `&lt;` would be read as `<`; and `<` and `>`, which browsers take
 * for text there, but not every program that looks for tags.
 */
export const attribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
