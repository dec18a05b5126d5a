import type { CtaOverlay } from "@/contract/links/link-pages";
import type { PixelTag } from "@/core/pixels";
import type { PageTheme } from "../theme";
import { CopyScript, GoOn, type Onward } from "./go-on";
import { Layout } from "./layout";
import { Pixels } from "./pixels";

/**
 * A call to action before the destination. The button leads there as well where it has no URL of its own; then no second
 * link says the same.
 */
export function ctaPage(theme: PageTheme, cta: CtaOverlay, onward: Onward, tags: readonly PixelTag[]): string {
  const { words, nonce } = theme;
  const title = cta.message || words.cta.title;
  const place = cta.mode === "overlay" ? `card ${cta.position ?? "bottom"}` : "";
  const button = cta.buttonUrl ? { url: cta.buttonUrl, copied: null } : onward;
  return `<!doctype html>${(
    <Layout title={title} nonce={nonce} theme={theme} class={place}>
      <h1 dir="auto" safe>
        {title}
      </h1>
      <GoOn onward={button} text={cta.buttonText || words.goOn} isButton />
      {button === onward ? "" : <GoOn onward={onward} text={words.goOn} isButton={false} />}
      <Pixels tags={tags} nonce={nonce} />
      <CopyScript onward={onward} theme={theme} />
    </Layout>
  )}`;
}
