import type { PixelTag } from "@/core/pages/pixels";
import type { AppOffer } from "@/core/routing/in-app";
import type { AppBranding } from "../app-branding";
import type { PageTheme } from "../theme";
import { APP_STYLE, AppHead, type AwaitedContent, isKnown } from "./app-head";
import { ContinueLink, type ContinueTarget, CopyScript } from "./continue-link";
import { Layout } from "./layout";
import { Pixels } from "./pixels";

export interface InAppFacts {
  face: AppBranding | null;
  awaited: AwaitedContent | null;
  offer: AppOffer;
  /** The App Store, if this visit leads there. */
  store: ContinueTarget | null;
  web: ContinueTarget;
}

/** Renders the page within another app's browser, where only a tap of the visitor can open the customer's app. */
export function inAppPage(theme: PageTheme, facts: InAppFacts, tags: readonly PixelTag[]): string {
  const { face, awaited, offer, store, web } = facts;
  const { words, nonce, brand } = theme;
  const { title } = words.inApp;
  const toApp = offer.to === "app";
  const { text, button } = toApp ? words.inApp : words.inApp.byBrowser;
  const goOn = toApp ? words.store.web : words.inApp.byBrowser.here;
  const isHeaded = isKnown(face, brand);
  return `<!doctype html>${(
    <Layout title={title} nonce={nonce} theme={theme} class="center" style={STYLE} isHeaded={isHeaded}>
      <AppHead {...{ face, brand, awaited, title }} />
      <p safe>{text}</p>
      <ContinueLink onward={{ url: offer.url, copied: null }} text={button} isButton opensWindow={offer.opensWindow} />
      {toApp ? (
        ""
      ) : (
        <p class="otherwise" safe>
          {words.inApp.byBrowser.otherwise}
        </p>
      )}
      {store ? <ContinueLink onward={store} text={words.store.title} isButton={false} /> : ""}
      <ContinueLink onward={web} text={goOn} isButton={false} />
      <Pixels tags={tags} nonce={nonce} />
      {store ? <CopyScript onward={store} theme={theme} /> : ""}
    </Layout>
  )}`;
}

const STYLE = `${APP_STYLE}
.otherwise{margin:0 0 .75rem;font-size:.875rem}`;
