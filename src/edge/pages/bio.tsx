/**
 * Renders a bio page: title, a few words, and items as large links in the theme's colors, without scripts or further
 * requests.
 */
import type { BioTheme } from "@/contract/links/bio-pages";
import { type BioPalette, bioPalette } from "@/core/bio-palette";
import { contrastOf } from "@/core/qr/colour";
import type { PageTheme } from "../theme";
import { BioIcon } from "./bio-icons";
import { attribute, pageIconOf } from "./layout";

export interface ShownItem {
  title: string;
  icon?: string;
  /** The URL is absolute, or a query of the page's own address. */
  href: string;
}

interface ShownPage {
  title: string;
  bio: string | null;
  bioTheme: BioTheme;
  /** This is the page's own address. */
  url: string;
  items: readonly ShownItem[];
}

/** Of what systems have. */
const FONTS: Record<NonNullable<BioTheme["font"]>, string> = {
  sans: "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif",
  serif: "ui-serif,Georgia,Cambria,'Times New Roman',Times,serif",
  mono: "ui-monospace,Menlo,Consolas,'Liberation Mono',monospace",
  rounded: "ui-rounded,'SF Pro Rounded','Hiragino Maru Gothic ProN',Quicksand,Nunito,system-ui,sans-serif",
};

const styleOf = ({ background, text, accent, accentText, outline }: BioPalette, font: string) => `
:root{color-scheme:${contrastOf(background, "#000000") < contrastOf(background, "#ffffff") ? "dark" : "light"}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;padding:3rem 1.25rem;background:${background};color:${text};
font:1.0625rem/1.5 ${font};overflow-wrap:anywhere}
main{max-width:34rem;margin:0 auto}
h1{margin:0 0 .5rem;font-size:1.75rem;line-height:1.2;text-align:center;text-wrap:balance}
p{margin:0;text-align:center;white-space:pre-line}
ul{margin:2rem 0 0;padding:0;list-style:none}
li+li{margin-top:.875rem}
.item{display:flex;align-items:center;gap:.75rem;min-height:3.5rem;padding:.75rem 1rem;border:2px solid ${outline};
border-radius:.875rem;background:${accent};color:${accentText};font-weight:600;text-decoration:none}
.item:hover span:last-child{text-decoration:underline}
footer{max-width:34rem;margin:2.5rem auto 0;text-align:center;font-size:.9rem}
footer a{color:inherit}
img{display:block;margin:0 auto 1rem;border-radius:50%}
a:focus-visible{outline:3px solid ${text};outline-offset:3px}
.item span:last-child{flex:1;text-align:center}
.item:has(.icon) span:last-child{padding-right:2.5rem}
.icon{flex:none;width:1.75rem;height:1.75rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;
stroke-linejoin:round}
.letters{display:grid;place-items:center;border:2px solid currentColor;border-radius:50%;font-size:.8rem;line-height:1}
@media (forced-colors:active){.item{border-color:LinkText}}`;

export function bioPage(theme: PageTheme, { title, bio, bioTheme, url, items }: ShownPage): string {
  const style = styleOf(bioPalette(bioTheme), FONTS[bioTheme.font ?? "sans"]);
  return `<!doctype html>${(
    <html lang={theme.language} dir={theme.words.dir}>
      <Head title={title} bio={bio} url={url} style={style} nonce={theme.nonce} />
      <body>
        <main>
          {theme.brand?.hasLogo ? <Logo brand={theme.brand} /> : ""}
          <h1 dir="auto" safe>
            {title}
          </h1>
          {bio === null ? "" : <Words text={bio} />}
          {items.length === 0 ? "" : <ul>{items.map((item) => Item(item)).join("")}</ul>}
        </main>
        {theme.brand ? <Foot brand={theme.brand} help={theme.words.help} /> : ""}
      </body>
    </html>
  )}`;
}

/** By our own icons: a visitor's address is nobody else's business. */
const Logo = ({ brand }: { brand: NonNullable<PageTheme["brand"]> }) => (
  <img src={pageIconOf(brand)} alt="" width="96" height="96" />
);

const Words = ({ text }: { text: string }) => (
  <p dir="auto" safe>
    {text}
  </p>
);

const Item = ({ title, icon, href }: ShownItem) => (
  <li>
    <a class="item" href={attribute(href)}>
      {icon ? <BioIcon name={icon} /> : ""}
      <span dir="auto" safe>
        {title}
      </span>
    </a>
  </li>
);

function Foot({ brand: { footerText, supportUrl }, help }: { brand: NonNullable<PageTheme["brand"]>; help: string }) {
  if (!footerText && !supportUrl) return "";
  return (
    <footer>
      {footerText ? <Words text={footerText} /> : ""}
      {supportUrl ? (
        <a href={attribute(supportUrl)} rel="noopener" safe>
          {help}
        </a>
      ) : (
        ""
      )}
    </footer>
  );
}

interface HeadProperties extends Pick<ShownPage, "title" | "bio" | "url"> {
  style: string;
  nonce: string;
}

/** With what search engines and those who show previews of links read. */
function Head({ title, bio, url, style, nonce }: HeadProperties) {
  const [name, words, address] = [title, bio ?? "", url].map(attribute);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title safe>{title}</title>
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={address} />
      <meta property="og:title" content={name} />
      {words ? <meta name="description" content={words} /> : ""}
      {words ? <meta property="og:description" content={words} /> : ""}
      <style nonce={nonce}>{style}</style>
    </head>
  );
}
