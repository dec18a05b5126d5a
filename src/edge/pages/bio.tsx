/**
 * Renders a bio page: a cover and an avatar, a title, a short text, and items as large links, with images and below
 * headings, or a row of icons, in the theme's colors. The page runs no scripts and requests nothing from other hosts.
 * Its owner's texts are read out and hyphenated in their own language if that can be told, otherwise in the visitor's.
 */
import type { BioItem, BioTheme } from "@/contract/links/bio-pages";
import { textLanguage } from "@/core/pages/text-language";
import { letterOf, pageIconOf } from "@/pages/brand-header";
import type { PageTheme } from "../theme";
import { BioIcon } from "./bio-icons";
import { type BioLook, bioLook } from "./bio-style";
import { attribute } from "./layout";

export interface ShownItem extends Pick<BioItem, "title" | "icon" | "display"> {
  /** An absolute URL, or a query on the page's own URL; null for a heading. */
  href: string | null;
  /** A path on the page's own host. */
  imageUrl: string | null;
}

interface LinkItem extends ShownItem {
  href: string;
}

/** The items below a heading, or those before the first one. */
interface Section {
  heading: string | null;
  items: LinkItem[];
}

export interface ShownPage {
  title: string;
  bio: string | null;
  bioTheme: BioTheme;
  /** The page's own URL. */
  url: string;
  /** A path on the page's own host, like `coverUrl`. */
  avatarUrl: string | null;
  coverUrl: string | null;
  items: readonly ShownItem[];
}

export function bioPage(theme: PageTheme, page: ShownPage): string {
  const { title, bio, bioTheme, url, coverUrl, items } = page;
  const avatarUrl = page.avatarUrl ?? (theme.brand?.hasLogo ? pageIconOf(theme.brand) : null);
  const icons = items.filter(isLink).filter(({ display }) => display === "icon");
  const language = textLanguage([title, bio ?? "", ...items.map((item) => item.title)].join(" "));
  const head = { title, bio, url, avatarUrl, look: bioLook(branded(bioTheme, theme)), nonce: theme.nonce };
  return `<!doctype html>${(
    <html lang={theme.language} dir={theme.words.dir}>
      <Head {...head} />
      <body>
        <main lang={language}>
          {coverUrl ? <img class="cover" src={attribute(coverUrl)} alt="" width="960" height="320" /> : ""}
          <Avatar url={avatarUrl} title={title} />
          <h1 dir="auto" safe>
            {title}
          </h1>
          {bio === null ? "" : <Words text={bio} />}
          {icons.length === 0 ? "" : <ul class="row">{icons.map((item) => IconItem(item)).join("")}</ul>}
          {sectionsOf(items).map((section) => (
            <Items {...section} />
          ))}
        </main>
        {theme.brand ? <Foot brand={theme.brand} help={theme.words.help} /> : ""}
      </body>
    </html>
  )}`;
}

/** Items without a color of their own have the organization's, except on pages of high contrast. */
const branded = (theme: BioTheme, { brand }: PageTheme): BioTheme =>
  theme.preset === "contrast" ? theme : { ...theme, accent: theme.accent ?? brand?.accent?.light.accent };

/** The image is served by the service's own hosts, so that no other party learns the visitor's address. */
const Avatar = ({ url, title }: { url: string | null; title: string }) =>
  url ? (
    <img class="avatar" src={attribute(url)} alt="" width="96" height="96" />
  ) : (
    <div class="avatar" aria-hidden="true" safe>
      {letterOf(title)}
    </div>
  );

const Words = ({ text }: { text: string }) => (
  <p dir="auto" safe>
    {text}
  </p>
);

const isLink = (item: ShownItem): item is LinkItem => item.href !== null;

/** Returns the sections that have items. */
function sectionsOf(items: readonly ShownItem[]): Section[] {
  const sections: Section[] = [{ heading: null, items: [] }];
  for (const item of items) {
    if (!isLink(item)) sections.push({ heading: item.title, items: [] });
    else if (item.display !== "icon") sections.at(-1)?.items.push(item);
  }
  return sections.filter((section) => section.items.length > 0);
}

const Items = ({ heading, items }: Section) => (
  <>
    {heading === null ? (
      ""
    ) : (
      <h2 dir="auto" safe>
        {heading}
      </h2>
    )}
    <ul>{items.map((item) => Item(item)).join("")}</ul>
  </>
);

function Item({ title, icon, href, display, imageUrl }: LinkItem) {
  const isTile = display === "card" && imageUrl !== null;
  return (
    <li>
      <a class={isTile ? "item tile" : "item"} href={attribute(href)}>
        {imageUrl ? <ItemImage url={imageUrl} isTile={isTile} /> : icon ? <BioIcon name={icon} /> : ""}
        <span dir="auto" safe>
          {title}
        </span>
      </a>
    </li>
  );
}

const IconItem = ({ title, icon, href, imageUrl }: LinkItem) => (
  <li>
    <a href={attribute(href)} aria-label={attribute(title)} title={attribute(title)}>
      {imageUrl ? <ItemImage url={imageUrl} isTile={false} /> : <BioIcon name={icon ?? title} />}
    </a>
  </li>
);

/** Loaded once the page is there, and only near the window: a page may have many. */
const ItemImage = ({ url, isTile }: { url: string; isTile: boolean }) =>
  isTile ? (
    <img src={attribute(url)} alt="" width="640" height="320" loading="lazy" />
  ) : (
    <img class="thumb" src={attribute(url)} alt="" width="48" height="48" loading="lazy" />
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

interface HeadProperties extends Pick<ShownPage, "title" | "bio" | "url" | "avatarUrl"> {
  look: BioLook;
  nonce: string;
}

/** The page's head, with the tags that search engines and link previews read. */
function Head({ title, bio, url, avatarUrl, look, nonce }: HeadProperties) {
  const [name, words, address] = [title, bio ?? "", url].map(attribute);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title safe>{title}</title>
      <link rel="canonical" href={address} />
      {avatarUrl ? <link rel="icon" href={attribute(avatarUrl)} /> : ""}
      {look.frames.map(({ ground, media }) => (
        <meta name="theme-color" content={ground} {...{ media }} />
      ))}
      <meta property="og:type" content="website" />
      <meta property="og:url" content={address} />
      <meta property="og:title" content={name} />
      {words ? <meta name="description" content={words} /> : ""}
      {words ? <meta property="og:description" content={words} /> : ""}
      <style nonce={nonce}>{look.style}</style>
    </head>
  );
}
