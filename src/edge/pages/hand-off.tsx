import type { PixelTag } from "@/core/pages/pixels";
import type { AppBranding } from "../app-branding";
import type { PageTheme } from "../theme";
import { APP_STYLE, AppHead, type AwaitedContent, isKnown } from "./app-head";
import { ContinueLink, type ContinueTarget, CopyScript } from "./continue-link";
import { Layout } from "./layout";
import { Pixels } from "./pixels";

export interface HandOffFacts {
  /** The store's app, if it is the link's own. */
  face: AppBranding | null;
  awaited: AwaitedContent | null;
  onward: ContinueTarget;
  /** The way around the app; null if there is only the store. */
  web: ContinueTarget | null;
}

/**
 * Renders the page before the App Store. Its button copies the match token to the pasteboard, so that the installed
 * app opens what this link led to.
 */
export function handOffPage(theme: PageTheme, facts: HandOffFacts, tags: readonly PixelTag[]): string {
  const { face, awaited, onward, web } = facts;
  const { brand, nonce } = theme;
  const { title, text, button, web: goOn } = theme.words.store;
  const isHeaded = isKnown(face, brand);
  return `<!doctype html>${(
    <Layout title={title} nonce={nonce} theme={theme} class="center" style={APP_STYLE} isHeaded={isHeaded}>
      <AppHead {...{ face, brand, awaited, title }} />
      <p safe>{`${text}.`}</p>
      <ContinueLink onward={onward} text={button} isButton />
      {web ? <ContinueLink onward={web} text={goOn} isButton={false} /> : ""}
      <Pixels tags={tags} nonce={nonce} />
      <CopyScript onward={onward} theme={theme} />
    </Layout>
  )}`;
}
