import type { LinkDefinition } from "@/core/routing/link";
import { cardImageUrl } from "@/platform/images/card-image";
import type { PageTheme } from "../theme";
import { ContinueLink } from "./continue-link";
import { attribute, Layout } from "./layout";

export interface SocialCard {
  title: string;
  description: string | undefined;
  imageUrl: string | undefined;
  /** The short URL, without the query it was shared with. */
  url: string;
}

/**
 * Returns the card of a link with social settings, else null. A link without any title uses its short URL, because
 * networks show no card without one.
 */
export function socialCardOf(link: LinkDefinition): SocialCard | null {
  const { social, title, shortUrl } = link;
  if (social === null) return null;
  const { description } = social;
  const imageUrl = social.imageUrl && cardImageUrl(link, social.imageUrl);
  return { title: social.title ?? (title?.trim() || withoutScheme(shortUrl)), description, imageUrl, url: shortUrl };
}

const withoutScheme = (url: string): string => url.slice(url.indexOf("//") + 2);

/** Renders the page that unfurlers make a card of. It also has a link onward, in case a person sees it. */
export function socialPage(theme: PageTheme, card: SocialCard, destination: string): string {
  const { title, description } = card;
  return `<!doctype html>${(
    <Layout
      title={title}
      nonce={theme.nonce}
      theme={theme}
      class="center"
      description={description}
      head={<CardTags card={card} />}
    >
      <h1 dir="auto" safe>
        {title}
      </h1>
      {description ? (
        <p dir="auto" safe>
          {description}
        </p>
      ) : (
        ""
      )}
      <ContinueLink onward={{ url: destination, copied: null }} text={theme.words.goOn} isButton />
    </Layout>
  )}`;
}

/** Open Graph (https://ogp.me), which all of them read, and X's own tags. */
const CardTags = ({ card: { title, description, imageUrl, url } }: { card: SocialCard }) => (
  <>
    <meta property="og:type" content="website" />
    <meta property="og:url" content={attribute(url)} />
    <meta property="og:title" content={attribute(title)} />
    <meta name="twitter:card" content={imageUrl ? "summary_large_image" : "summary"} />
    <meta name="twitter:title" content={attribute(title)} />
    {description ? <meta property="og:description" content={attribute(description)} /> : ""}
    {description ? <meta name="twitter:description" content={attribute(description)} /> : ""}
    {imageUrl ? <meta property="og:image" content={attribute(imageUrl)} /> : ""}
    {imageUrl ? <meta name="twitter:image" content={attribute(imageUrl)} /> : ""}
  </>
);
