import type { PageTheme } from "../theme";
import { attribute, Layout } from "./layout";
import type { SocialCard } from "./social";

/** Clamps the texts, because networks cut off long ones. */
const STYLE = `
main{padding:0;overflow:hidden}
main img{display:block;width:100%;height:auto;aspect-ratio:40/21;object-fit:cover;background:var(--tint)}
.said{padding:.875rem 1rem}.said>*{display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden;margin:0}
.said span{font-size:.8125rem;color:var(--soft);-webkit-line-clamp:1}
h1{font-size:1.0625rem;letter-spacing:0;text-wrap:wrap;-webkit-line-clamp:2}
.said p{font-size:.9375rem;line-height:1.4;-webkit-line-clamp:3}`;

/** Renders a preview of the card that networks make of a shared link, as far as they all agree. */
export function sharedCardPage(theme: PageTheme, { title, description, imageUrl, url }: SocialCard): string {
  return `<!doctype html>${(
    <Layout title={title} nonce={theme.nonce} theme={theme} style={STYLE}>
      {imageUrl ? <img src={attribute(imageUrl)} alt="" width="640" height="336" /> : ""}
      <div class="said">
        <span dir="ltr" safe>
          {URL.parse(url)?.host ?? ""}
        </span>
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
      </div>
    </Layout>
  )}`;
}
