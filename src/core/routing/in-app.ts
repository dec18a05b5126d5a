/**
 * Recognizes browsers inside other apps. They ignore Universal Links and App Links, so that a tap never opens the
 * customer's app by itself; what does open it there is a link of another kind, which a visitor has to tap.
 */
import type { Platform } from "@/contract/platforms";
import type { AppTarget } from "@/contract/routing";

/** By what each writes into its User-Agent. Facebook's stands for Messenger and Threads, too. */
const IN_APP: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Instagram", /\bInstagram\b/],
  ["Facebook", /\bFB(?:AN|AV|_IAB|IOS)\b|\bBarcelona\b/],
  ["TikTok", /\b(?:musical_ly|BytedanceWebview|TikTok|trill)/i],
  ["LinkedIn", /\bLinkedInApp\b/],
  ["Snapchat", /\bSnapchat\b/],
  ["WeChat", /\bMicroMessenger\b/],
  ["Line", /\bLine\/\d/],
  ["Pinterest", /\bPinterest\/|\[Pinterest/],
  ["X", /\bTwitter for (?:iPhone|iPad|Android)|\bTwitterAndroid\b/],
];

/** The app whose browser this is; null for a browser of its own. */
export function inAppBrowserOf(userAgent: string): string | null {
  return IN_APP.find(([, sign]) => sign.test(userAgent))?.[0] ?? null;
}

export interface AppOfferInput {
  app: AppTarget | null;
  platform: Platform | undefined;
  /** The short URL as the visitor has it: what the app is opened with, so that it can ask where it leads. */
  shortUrl: string;
  /** Where Android goes when the app is not there. */
  fallbackUrl: string;
}

/**
 * A URL that opens the app with the short URL from within another app's browser: on Android `intent:`
 * (https://developer.chrome.com/docs/android/intents), on iOS the app's scheme. Null where the app has nothing to be
 * opened by.
 */
export function appUrlOf({ app, platform, shortUrl, fallbackUrl }: AppOfferInput): string | null {
  const address = shortUrl.slice(shortUrl.indexOf("//") + 2);
  if (platform === "ios") return app?.ios?.scheme ? `${app.ios.scheme}://${address}` : null;
  const { packageName, scheme } = app?.android ?? {};
  if (platform !== "android" || !(packageName || scheme)) return null;
  const parts = [
    `scheme=${scheme || "https"}`,
    ...(packageName ? [`package=${encodeURIComponent(packageName)}`] : []),
    `S.browser_fallback_url=${encodeURIComponent(fallbackUrl)}`,
  ];
  return `intent://${address}#Intent;${parts.join(";")};end`;
}
