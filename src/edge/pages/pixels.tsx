import type { PixelTag } from "@/core/pages/pixels";
import type { PageTheme } from "../theme";
import { ContinueLink, type ContinueTarget } from "./continue-link";
import { attribute, Layout } from "./layout";

/**
 * Seconds that a visitor waits at most; with JavaScript, only until the pixels have loaded. Without it, browsers
 * start counting once everything has loaded, so if a provider never responds, the visitor has to use the link.
 */
const WAIT_S = 1;
const GO = `var go=function(){go=function(){};location.replace(document.querySelector("a.button").href)};
addEventListener("load",function(){go()});setTimeout(function(){go()},${WAIT_S * 1000})`;

/** The providers' tags, invisible and unlabelled, for any page. */
export const Pixels = ({ tags, nonce }: { tags: readonly PixelTag[]; nonce: string }) =>
  tags.length === 0 ? (
    ""
  ) : (
    <div class="pixels" aria-hidden="true">
      {tags.map(({ images, script }) => (
        <>
          {images.map((url) => (
            <img src={attribute(url)} alt="" width="1" height="1" />
          ))}
          {script ? <script nonce={nonce}>{script.start}</script> : ""}
        </>
      ))}
      {scriptUrlsOf(tags).map((url) => (
        <script nonce={nonce} src={attribute(url)} async />
      ))}
    </div>
  );

/** Pixels of one provider may share a script, which must run once, after the starts of all of them. */
const scriptUrlsOf = (tags: readonly PixelTag[]): string[] => [
  ...new Set(tags.flatMap(({ script }) => (script ? [script.url] : []))),
];

const STYLE = `
.spin{display:block;width:2.5rem;height:2.5rem;margin:0 auto 1.25rem;border-radius:50%;border:4px solid var(--tint);
border-top-color:var(--on-tint)}
@media (prefers-reduced-motion:no-preference){.spin{animation:turn 1s linear infinite}}
@keyframes turn{to{transform:rotate(1turn)}}`;

/** Renders a page that fires the pixels and continues without any action of the visitor. */
export function pixelPage(theme: PageTheme, onward: ContinueTarget, tags: readonly PixelTag[]): string {
  const { title, text } = theme.words.passing;
  const refresh = <meta http-equiv="refresh" content={attribute(`${WAIT_S};url=${onward.url}`)} />;
  return `<!doctype html>${(
    <Layout title={title} nonce={theme.nonce} theme={theme} class="center" style={STYLE} head={refresh}>
      <span class="spin" aria-hidden="true" />
      <h1 safe>{title}</h1>
      <p safe>{text}.</p>
      <ContinueLink onward={onward} text={theme.words.goOn} isButton />
      <Pixels tags={tags} nonce={theme.nonce} />
      <script nonce={theme.nonce}>{GO}</script>
    </Layout>
  )}`;
}
