import type { Children } from "@kitajs/html";
import { VISITOR_ICONS_PATH } from "@/contract/public";
import type { Look } from "../look";
import { wordsIn } from "./words";

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

export interface LayoutProps {
  title: string;
  nonce: string;
  /** English and plain when absent. */
  look?: Look;
  description?: string;
  /** Of `main`. */
  class?: string;
  /** What goes into the head besides. */
  head?: Children;
  children: Children;
}

/** The frame of every page a visitor sees: one column, readable on a phone, its style under the nonce. */
export const Layout = ({ title, nonce, look, description, head, children, ...main }: LayoutProps) => (
  <html lang={look?.language ?? "en"} dir={(look?.words ?? wordsIn("en")).dir}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      {description ? <meta name="description" content={attribute(description)} /> : ""}
      {look?.brand ? <link rel="icon" href={iconOf(look.brand)} /> : ""}
      <title safe>{title}</title>
      <style nonce={nonce}>{STYLE + accentStyle(look)}</style>
      {head ?? ""}
    </head>
    <body>
      {look?.brand ? <Header brand={look.brand} /> : <div />}
      <main class={main.class}>{children}</main>
      {look?.brand ? <Footer look={look} /> : <div />}
    </body>
  </html>
);

type Brand = NonNullable<Look["brand"]>;

/** Logos come by our own icons: a visitor's address is nobody else's business. */
export const iconOf = ({ orgId }: Brand): string => `${VISITOR_ICONS_PATH}/${orgId}`;

const Header = ({ brand }: { brand: Brand }) => (
  <header>
    {brand.hasLogo ? <img src={iconOf(brand)} alt="" width="40" height="40" /> : ""}
    <span dir="auto" safe>
      {brand.name}
    </span>
  </header>
);

const Footer = ({ look: { brand, words } }: { look: Look }) => (
  <footer>
    {brand?.footerText ? (
      <p dir="auto" safe>
        {brand.footerText}
      </p>
    ) : (
      ""
    )}
    {brand?.supportUrl ? (
      <p>
        <a href={attribute(brand.supportUrl)} rel="noopener" safe>
          {words.help}
        </a>
      </p>
    ) : (
      ""
    )}
  </footer>
);

const accentStyle = (look: Look | undefined): string =>
  look?.brand?.accent ? `:root{--accent:${look.brand.accent.ground};--on-accent:${look.brand.accent.ink}}` : "";

/** The markup's own escaping leaves `&` in attributes, where `&lt;` would be read as `<`. */
export const attribute = (text: string): string => text.replaceAll("&", "&amp;");
