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
  theme?: PageTheme;
  description?: string;
  /** Sets the class of `main`. */
  class?: string;
  /** What goes into the head besides. */
  head?: Children;
  children: Children;
}

/** What every page a visitor sees is in: the frame, dressed in the organization's branding. */
export const Layout = ({ title, nonce, theme, description, head, children, ...main }: LayoutProps) => (
  <Frame
    title={title}
    language={theme?.language ?? "en"}
    dir={(theme?.words ?? wordsIn("en")).dir}
    nonce={nonce}
    style={accentStyle(theme)}
    head={<Head theme={theme} description={description} more={head} />}
    header={theme?.brand ? <Header brand={theme.brand} /> : undefined}
    footer={theme?.brand ? <Footer theme={theme} /> : undefined}
    class={main.class}
  >
    {children}
  </Frame>
);

const Head = ({ theme, description, more }: Pick<LayoutProps, "theme" | "description"> & { more?: Children }) => (
  <>
    {description ? <meta name="description" content={attribute(description)} /> : ""}
    {theme?.brand ? <link rel="icon" href={pageIconOf(theme.brand)} /> : ""}
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

const Footer = ({ theme: { brand, words } }: { theme: PageTheme }) => (
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

const accentStyle = (theme: PageTheme | undefined): string =>
  theme?.brand?.accent ? `:root{--accent:${theme.brand.accent.ground};--on-accent:${theme.brand.accent.ink}}` : "";
