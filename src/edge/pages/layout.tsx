import type { Children } from "@kitajs/html";
import { VISITOR_ICONS_PATH } from "@/contract/public";
import { attribute, Frame } from "@/pages/frame";
import type { PageTheme } from "../theme";
import { wordsIn } from "./words";

export { attribute };

export interface LayoutProps {
  title: string;
  nonce: string;
  /** Defaults to plain and English. */
  look?: PageTheme;
  description?: string;
  /** Sets the class of `main`. */
  class?: string;
  /** What goes into the head besides. */
  head?: Children;
  children: Children;
}

/** What every page a visitor sees is in: the frame, dressed in the organization's branding. */
export const Layout = ({ title, nonce, look, description, head, children, ...main }: LayoutProps) => (
  <Frame
    title={title}
    language={look?.language ?? "en"}
    dir={(look?.words ?? wordsIn("en")).dir}
    nonce={nonce}
    style={accentStyle(look)}
    head={<Head look={look} description={description} more={head} />}
    header={look?.brand ? <Header brand={look.brand} /> : undefined}
    footer={look?.brand ? <Footer look={look} /> : undefined}
    class={main.class}
  >
    {children}
  </Frame>
);

const Head = ({ look, description, more }: Pick<LayoutProps, "look" | "description"> & { more?: Children }) => (
  <>
    {description ? <meta name="description" content={attribute(description)} /> : ""}
    {look?.brand ? <link rel="icon" href={pageIconOf(look.brand)} /> : ""}
    {more ?? ""}
  </>
);

type Brand = NonNullable<PageTheme["brand"]>;

/** Logos come by our own icons: a visitor's address is nobody else's business. */
export const pageIconOf = ({ orgId }: Brand): string => `${VISITOR_ICONS_PATH}/${orgId}`;

const Header = ({ brand }: { brand: Brand }) => (
  <header>
    {brand.hasLogo ? <img src={pageIconOf(brand)} alt="" width="40" height="40" /> : ""}
    <span dir="auto" safe>
      {brand.name}
    </span>
  </header>
);

const Footer = ({ look: { brand, words } }: { look: PageTheme }) => (
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

const accentStyle = (look: PageTheme | undefined): string =>
  look?.brand?.accent ? `:root{--accent:${look.brand.accent.ground};--on-accent:${look.brand.accent.ink}}` : "";
