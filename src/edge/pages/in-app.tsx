import type { PixelTag } from "@/core/pixels";
import type { AppOffer } from "@/core/routing/in-app";
import type { PageTheme } from "../theme";
import { CopyScript, GoOn, type Onward } from "./go-on";
import { Layout } from "./layout";
import { Pixels } from "./pixels";

export interface InAppFacts {
  offer: AppOffer;
  /** The App Store, where this visit leads there. */
  store: Onward | null;
  web: Onward;
}

/** Within another app's browser, where the customer's app has to be opened by a tap of the visitor's. */
export function inAppPage(theme: PageTheme, { offer, store, web }: InAppFacts, tags: readonly PixelTag[]): string {
  const { words, nonce } = theme;
  const { title } = words.inApp;
  const { text, button } = offer.to === "app" ? words.inApp : words.inApp.byBrowser;
  return `<!doctype html>${(
    <Layout title={title} nonce={nonce} theme={theme}>
      <h1 safe>{title}</h1>
      <p safe>{text}</p>
      <GoOn onward={{ url: offer.url, copied: null }} text={button} isButton opensWindow={offer.opensWindow} />
      {offer.to === "browser" ? <p safe>{words.inApp.byBrowser.otherwise}</p> : ""}
      {store ? <GoOn onward={store} text={words.store.title} isButton={false} /> : ""}
      <GoOn onward={web} text={words.goOn} isButton={false} />
      <Pixels tags={tags} nonce={nonce} />
      {store ? <CopyScript onward={store} theme={theme} /> : ""}
    </Layout>
  )}`;
}
