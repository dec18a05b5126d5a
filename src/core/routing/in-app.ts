/**
 * Recognizes browsers inside other apps. They ignore Universal Links and App Links, so a tap does not open the
 * customer's app there; a link with another scheme does, but the visitor has to tap it.
 *
 * On iOS, an app without a scheme opens only by Universal Link, and therefore only after the visitor has moved to
 * their own browser. Safari opens any page by `x-safari-https:` (from iOS 17 on). Instagram and Threads now block
 * that, but open other browsers by an address of their own. None of this is documented by the makers, and some apps
 * (X, WeChat, Snapchat) block all of it at times, so the page also says which menu to use. None of these links can
 * loop, because the visitor's own browser is not an in-app browser.
 */
import type { Platform } from "@/contract/platforms";
import type { AppTarget } from "@/contract/routing";
import { type Pair, readVisitorQuery, writeQuery } from "../query";

export interface InAppBrowser {
  name: string;
  /** Identifies the browser in its User-Agent. */
  sign: RegExp;
  /** Scheme by which the app opens other browsers, if it does. */
  opensBrowsersBy?: string;
  /** Whether the browser follows links with other schemes only if they open a new window. */
  needsWindow?: boolean;
}

/** The entry for Facebook also covers Messenger. */
export const IN_APP: readonly InAppBrowser[] = [
  { name: "Instagram", sign: /\bInstagram\b/, opensBrowsersBy: "instagram" },
  { name: "Threads", sign: /\bBarcelona\b/, opensBrowsersBy: "barcelona" },
  { name: "Facebook", sign: /\bFB(?:AN|AV|_IAB|IOS)\b|\bMetaIAB\b/, needsWindow: true },
  { name: "TikTok", sign: /\b(?:musical_ly|BytedanceWebview|TikTok|trill)/i },
  { name: "LinkedIn", sign: /\bLinkedInApp\b/ },
  { name: "Snapchat", sign: /\bSnapchat\b/ },
  { name: "WeChat", sign: /\bMicroMessenger\b/ },
  { name: "Line", sign: /\bLine\/\d/ },
  { name: "Pinterest", sign: /\bPinterest\/|\[Pinterest/ },
  { name: "X", sign: /\bTwitter for (?:iPhone|iPad|Android)|\bTwitterAndroid\b/ },
];

/** Returns the app whose built-in browser this is; null for a standalone browser. */
export function inAppBrowserOf(userAgent: string): InAppBrowser | null {
  return IN_APP.find(({ sign }) => sign.test(userAgent)) ?? null;
}

export interface AppOfferInput {
  app: AppTarget | null;
  platform: Platform | undefined;
  browser: Pick<InAppBrowser, "opensBrowsersBy" | "needsWindow">;
  /** The app is opened with the short URL, so that it can resolve it. */
  shortUrl: string;
  /** The visit's query, as received. The app gets it, without the parameters that are never passed on. */
  query: string;
  /** Lets another browser continue the same visit. */
  visitToken: Pair | null;
  /** The page that the visitor came from, for the other browser, which does not know it. */
  referrer: Pair | null;
  /** Whether the app gets the visit token as well: it can then resolve a link whose places are all taken. */
  hasPlaces: boolean;
  /** Where Android goes if the app is not installed. */
  fallbackUrl: string;
}

/**
 * A link out of another app's browser: directly into the customer's app, or into a browser from which that app opens.
 */
export interface AppOffer {
  to: "app" | "browser";
  url: string;
  opensWindow: boolean;
}

/**
 * Returns the link that opens the app with the short URL from within another app's browser. On Android that is an
 * `intent:` URL (https://developer.chrome.com/docs/android/intents); on iOS it uses the app's scheme, or else opens a
 * browser that follows Universal Links. Returns null if nothing can open the app.
 */
export function appOfferOf(input: AppOfferInput): AppOffer | null {
  const { app, platform } = input;
  const { scheme, bundleId } = app?.ios ?? {};
  if (platform === "ios") {
    if (scheme) return into("app", `${scheme}://${appAddress(input)}`);
    return bundleId ? { ...into("browser", browserUrl(input)), opensWindow: input.browser.needsWindow === true } : null;
  }
  const intent = platform === "android" ? intentUrl(input) : null;
  return intent === null ? null : into("app", intent);
}

const into = (to: AppOffer["to"], url: string): AppOffer => ({ to, url, opensWindow: false });

/** Returns the short URL with the visit's parameters, and with those of `own` that there are. */
function handedOn({ shortUrl, query }: AppOfferInput, own: (Pair | null)[]): string {
  const parameters = writeQuery([...readVisitorQuery(query), ...own.filter((one) => one !== null)]);
  return parameters === "" ? shortUrl : `${shortUrl}?${parameters}`;
}

/** Returns the short URL for the app, without its scheme. */
const appAddress = (input: AppOfferInput): string =>
  withoutScheme(handedOn(input, input.hasPlaces ? [input.visitToken] : []));

function browserUrl(input: AppOfferInput): string {
  const url = handedOn(input, [input.referrer, input.visitToken]);
  const { opensBrowsersBy } = input.browser;
  return opensBrowsersBy ? `${opensBrowsersBy}://extbrowser/?url=${encodeURIComponent(url)}` : `x-safari-${url}`;
}

function intentUrl(input: AppOfferInput): string | null {
  const { packageName, scheme } = input.app?.android ?? {};
  if (!packageName && !scheme) return null;
  const parts = [
    `scheme=${scheme || "https"}`,
    ...(packageName ? [`package=${encodeURIComponent(packageName)}`] : []),
    `S.browser_fallback_url=${encodeURIComponent(input.fallbackUrl)}`,
  ];
  return `intent://${appAddress(input)}#Intent;${parts.join(";")};end`;
}

const withoutScheme = (url: string): string => url.slice(url.indexOf("//") + 2);
