/**
 * Recognizes browsers inside other apps. They ignore Universal Links and App Links, so that a tap never opens the
 * customer's app by itself; what does open it there is a link of another kind, which a visitor has to tap.
 *
 * On iOS an app without a scheme opens by Universal Link alone, and so not before the visit has moved on to the visitor's
 * own browser. Safari takes any page by `x-safari-https:` (from iOS 17 on); Instagram and Threads let that one through no
 * more, and open other browsers by an address of their own instead. None of these is documented by its maker, and some apps
 * (X, WeChat, Snapchat) refuse them all at times: the page also says which menu to look into. None leads back
 * here, since the visitor's own browser is none of these.
 */
import type { Platform } from "@/contract/platforms";
import type { AppTarget } from "@/contract/routing";
import { type Pair, readVisitorQuery, writeQuery } from "../query";

export interface InAppBrowser {
  name: string;
  /** What it writes into its User-Agent. */
  sign: RegExp;
  /** Of an app that opens other browsers itself: its scheme. */
  opensBrowsersBy?: string;
  /** Whether it follows links of other schemes only into a window of their own. */
  needsWindow?: boolean;
}

/** Facebook's stands for Messenger, too. */
const IN_APP: readonly InAppBrowser[] = [
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

/** The app whose browser this is; null for a browser of its own. */
export function inAppBrowserOf(userAgent: string): InAppBrowser | null {
  return IN_APP.find(({ sign }) => sign.test(userAgent)) ?? null;
}

export interface AppOfferInput {
  app: AppTarget | null;
  platform: Platform | undefined;
  browser: Pick<InAppBrowser, "opensBrowsersBy" | "needsWindow">;
  /** The short URL as the visitor has it: what the app is opened with, so that it can ask where it leads. */
  shortUrl: string;
  /** The visit's, as it came; it comes along to another browser, but for what is never handed on. */
  query: string;
  /** What tells in another browser that it is the same visit. */
  visitToken: Pair | null;
  /** Where Android goes when the app is not there. */
  fallbackUrl: string;
}

/** A link that leads out of another app's browser: straight into the app, or into a browser from which the app opens. */
export interface AppOffer {
  to: "app" | "browser";
  url: string;
  opensWindow: boolean;
}

/**
 * What opens the app with the short URL from within another app's browser: on Android `intent:`
 * (https://developer.chrome.com/docs/android/intents), on iOS the app's scheme, or a browser that heeds Universal Links.
 * Null where the app has nothing to be opened by.
 */
export function appOfferOf(input: AppOfferInput): AppOffer | null {
  const { app, platform, shortUrl } = input;
  const { scheme, bundleId } = app?.ios ?? {};
  if (platform === "ios") {
    if (scheme) return into("app", `${scheme}://${withoutScheme(shortUrl)}`);
    return bundleId ? { ...into("browser", browserUrl(input)), opensWindow: input.browser.needsWindow === true } : null;
  }
  const intent = platform === "android" ? intentUrl(input) : null;
  return intent === null ? null : into("app", intent);
}

const into = (to: AppOffer["to"], url: string): AppOffer => ({ to, url, opensWindow: false });

function browserUrl({ browser, shortUrl, query, visitToken }: AppOfferInput): string {
  const handedOn = writeQuery([...readVisitorQuery(query), ...(visitToken ? [visitToken] : [])]);
  const url = handedOn === "" ? shortUrl : `${shortUrl}?${handedOn}`;
  const { opensBrowsersBy } = browser;
  return opensBrowsersBy ? `${opensBrowsersBy}://extbrowser/?url=${encodeURIComponent(url)}` : `x-safari-${url}`;
}

function intentUrl({ app, shortUrl, fallbackUrl }: AppOfferInput): string | null {
  const { packageName, scheme } = app?.android ?? {};
  if (!packageName && !scheme) return null;
  const parts = [
    `scheme=${scheme || "https"}`,
    ...(packageName ? [`package=${encodeURIComponent(packageName)}`] : []),
    `S.browser_fallback_url=${encodeURIComponent(fallbackUrl)}`,
  ];
  return `intent://${withoutScheme(shortUrl)}#Intent;${parts.join(";")};end`;
}

const withoutScheme = (url: string): string => url.slice(url.indexOf("//") + 2);
