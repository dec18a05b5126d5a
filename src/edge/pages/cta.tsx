import type { CtaOverlay } from "@/contract/links/link-pages";
import type { PixelTag } from "@/core/pages/pixels";
import type { PageTheme } from "../theme";
import { ContinueLink, type ContinueTarget, CopyScript } from "./continue-link";
import { attribute, Layout } from "./layout";
import { EMBLEM_STYLE, Emblem } from "./marks";
import { Pixels } from "./pixels";

/** The visit's destination, with the title and image that the link defines for it. */
export interface DestinationCard {
  url: string;
  title: string | null;
  imageUrl: string | null;
}

export interface CtaFacts {
  cta: CtaOverlay;
  onward: ContinueTarget;
  card: DestinationCard;
}

const STYLE = `${EMBLEM_STYLE}
main.overlay{box-shadow:0 1px 2px #10182814,0 24px 64px -16px #10182859}
body:has(.top){justify-content:flex-start}body:has(.bottom){justify-content:flex-end;padding-bottom:2rem}
.to{margin:0 0 .5rem;font-size:.875rem}
h1+.to{margin-top:1.25rem}.button+.to{margin-top:1.5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.going{display:flex;align-items:center;gap:.875rem;margin:0 0 1rem;border:1px solid var(--line);border-radius:.75rem;
overflow:hidden;text-align:start;padding:.75rem}
.going .emblem{width:2.75rem;height:2.75rem;margin:0}.going .emblem svg{width:1.375rem;height:1.375rem}
.going:has(img){display:block;padding:0}.going:has(img)>div{padding:.75rem 1rem}
.going img{display:block;width:100%;height:auto;aspect-ratio:40/21;object-fit:cover;background:var(--tint)}
.going b{display:block;font-weight:600;line-height:1.35}
.going span{font-size:.875rem;color:var(--soft)}`;

/**
 * Renders a call to action before the destination, which is shown as well. A button without a URL of its own leads to
 * the destination, and there is no second link to it then.
 */
export function ctaPage(theme: PageTheme, { cta, onward, card }: CtaFacts, tags: readonly PixelTag[]): string {
  const { words, nonce } = theme;
  const title = cta.message || words.cta.title;
  const place = cta.mode === "overlay" ? ` overlay ${cta.position ?? "bottom"}` : "";
  const isOnward = !cta.buttonUrl;
  const button = cta.buttonUrl ? { url: cta.buttonUrl, copied: null } : onward;
  const destination = <Destination card={card} says={words.cta.onward} />;
  return `<!doctype html>${(
    <Layout title={title} nonce={nonce} theme={theme} class={`center${place}`} style={STYLE}>
      <h1 dir="auto" safe>
        {title}
      </h1>
      {isOnward ? destination : ""}
      <ContinueLink onward={button} text={cta.buttonText || words.goOn} isButton />
      {isOnward ? "" : destination}
      {isOnward ? "" : <ContinueLink onward={onward} text={words.goOn} isButton={false} />}
      <Pixels tags={tags} nonce={nonce} />
      <CopyScript onward={onward} theme={theme} />
    </Layout>
  )}`;
}

/** Shows the host in the ASCII form used for the request, so that no look-alike passes for another. */
const Destination = ({ card, says }: { card: DestinationCard; says: string }) => (
  <>
    <p class="to" safe>
      {says}
    </p>
    <div class="going">
      {card.imageUrl ? <img src={attribute(card.imageUrl)} alt="" width="640" height="336" /> : <Emblem name="web" />}
      <div>
        {card.title ? (
          <b dir="auto" safe>
            {card.title}
          </b>
        ) : (
          ""
        )}
        <span dir="ltr" safe>
          {URL.parse(card.url)?.host ?? ""}
        </span>
      </div>
    </div>
  </>
);
