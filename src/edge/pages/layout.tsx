import type { Children } from "@kitajs/html";
import { BrandHeader, pageIconOf } from "@/pages/brand-header";
import { attribute, Frame } from "@/pages/frame";
import { OWN_STYLE, OwnHeader } from "@/pages/own-header";
import { accentStyle, themeColours } from "@/pages/style";
import type { PageTheme } from "../theme";

export { attribute };

export interface LayoutProps {
  title: string;
  nonce: string;
  theme: PageTheme;
  description?: string;
  /** Added to the common style. */
  style?: string;
  /** The class of `main`. */
  class?: string;
  /** Added to the head. */
  head?: Children;
  /** Whether the page has a header of its own. */
  isHeaded?: boolean;
  /** Whether the page itself has a link to the organization's help. */
  isHelpful?: boolean;
  children: Children;
}

/** The frame of every page that visitors see, with the organization's branding. */
export const Layout = ({ title, nonce, theme, description, style = "", head, children, ...page }: LayoutProps) => (
  <Frame
    title={title}
    language={theme.language}
    dir={theme.words.dir}
    nonce={nonce}
    style={style + ownStyle(theme)}
    colours={themeColours(theme.brand?.accent ?? undefined)}
    head={<Head theme={theme} description={description} more={head} />}
    header={page.isHeaded ? undefined : <Header theme={theme} />}
    footer={<Footer theme={theme} isHelpful={page.isHelpful === true} />}
    class={page.class}
  >
    {children}
  </Frame>
);

const ownStyle = ({ brand, isOurs }: PageTheme): string => {
  if (brand) return brand.accent ? accentStyle(brand.accent) : "";
  return isOurs ? OWN_STYLE : "";
};

const Head = ({ theme, description, more }: Pick<LayoutProps, "theme" | "description"> & { more?: Children }) => (
  <>
    {description ? <meta name="description" content={attribute(description)} /> : ""}
    {theme.brand ? <link rel="icon" href={pageIconOf(theme.brand)} /> : ""}
    {more ?? ""}
  </>
);

function Header({ theme: { brand, isOurs } }: { theme: PageTheme }) {
  if (!brand) return isOurs ? <OwnHeader /> : "";
  return <BrandHeader brand={brand} />;
}

function Footer({ theme: { brand, words }, isHelpful }: { theme: PageTheme; isHelpful: boolean }) {
  const supportUrl = isHelpful ? null : brand?.supportUrl;
  if (!brand?.footerText && !supportUrl) return "";
  return (
    <footer>
      {brand?.footerText ? (
        <p dir="auto" safe>
          {brand.footerText}
        </p>
      ) : (
        ""
      )}
      {supportUrl ? (
        <p>
          <a href={attribute(supportUrl)} rel="noopener" safe>
            {words.help}
          </a>
        </p>
      ) : (
        ""
      )}
    </footer>
  );
}
