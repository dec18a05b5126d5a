import { describe, expect, test } from "bun:test";
import { agents } from "@test/support/routing-cases/user-agents";
import type { AppTarget } from "@/contract/routing";
import { type AppOfferInput, appOfferOf, inAppBrowserOf } from "@/core/routing/in-app";
import { parseUserAgent } from "@/platform/user-agent";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.0.0 Mobile Safari/537.36";

const shortUrl = "https://go.example.com/shop/spring";
const fallbackUrl = "https://example.com/?a=1;b#c";
const query = "utm_source=bio&pw=secret&b=%C3%BC";
const BOTH = { ios: { bundleId: "com.acme" }, android: { packageName: "com.acme" }, fallback: "web" } as const;
const WITH_SCHEME: AppTarget = { ...BOTH, ios: { ...BOTH.ios, scheme: "acme" } };

const HANDED_ON = `${shortUrl}?utm_source=bio&b=%C3%BC`;
const BY_INTENT =
  "intent://go.example.com/shop/spring?utm_source=bio&b=%C3%BC#Intent;scheme=https;package=com.acme;" +
  "S.browser_fallback_url=https%3A%2F%2Fexample.com%2F%3Fa%3D1%3Bb%23c;end";
const BY_SCHEME = "acme://go.example.com/shop/spring?utm_source=bio&b=%C3%BC";
const SAFARI = `x-safari-${HANDED_ON}`;
const SAFARI_WINDOW = `${SAFARI} in a window`;
const INSTAGRAM = `instagram://extbrowser/?url=${encodeURIComponent(HANDED_ON)}`;
const THREADS = `barcelona://extbrowser/?url=${encodeURIComponent(HANDED_ON)}`;

/** Returns the URL that a visitor with this browser is offered, or null. */
function offered(userAgent: string, app: AppTarget): string | null {
  const browser = inAppBrowserOf(userAgent);
  if (!browser) return null;
  const { platform } = parseUserAgent(userAgent);
  const offer = appOfferOf({
    app,
    platform,
    browser,
    shortUrl,
    query,
    visitToken: null,
    referrer: null,
    hasPlaces: false,
    fallbackUrl,
  });
  return offer && (offer.opensWindow ? `${offer.url} in a window` : offer.url);
}

type Recorded = [app: string, withScheme: string, without: string, userAgent: string];

const onIos = (app: string, without: string, rest: string): Recorded => [app, BY_SCHEME, without, `${IPHONE} ${rest}`];
const onAndroid = (app: string, rest: string): Recorded => [app, BY_INTENT, BY_INTENT, `${ANDROID} ${rest}`];

const RECORDED: Recorded[] = [
  onIos("Instagram", INSTAGRAM, "Mobile/15E148 Instagram 330.0.3.29.109 (iPhone14,5; iOS 17_4; en_US; scale=3.00)"),
  [
    "Instagram",
    BY_SCHEME,
    INSTAGRAM,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 26_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/23E254 Instagram 424.1.0.31.54 (iPhone18,4; iOS 26_4_1; en_GB; en-GB; scale=3.00; 1260x2736; IABMV/1; 933996394) NW/3 Safari/604.1",
  ],
  onAndroid("Instagram", "Instagram 331.0.0.37.90 Android (34/14; 420dpi; 1080x2400; Google/google; Pixel 8)"),
  onIos("Threads", THREADS, "Mobile/15E148 Barcelona 400.0.0.21.70 (iPhone16,2; iOS 18_7)"),
  onAndroid("Threads", "Barcelona 448.0.0.54.85 Android (36/16; 540dpi; 1080x2340; samsung; SM-S926U; e2q; qcom)"),
  onIos("Facebook", SAFARI_WINDOW, "Mobile/15E148 [FBAN/FBIOS;FBAV/460.0.0.32.108;FBBV/588]"),
  onIos("Facebook", SAFARI_WINDOW, "Mobile/22G100 Safari/604.1 MetaIAB Facebook"),
  onIos(
    "Facebook",
    SAFARI_WINDOW,
    "Mobile/15E148 [FBAN/MessengerForiOS;FBAV/500.0.0.30.110;FBDV/iPhone15,2;FBMD/iPhone]",
  ),
  onIos("Facebook", SAFARI_WINDOW, "Mobile/15E148 LightSpeed [FBAN/MessengerLiteForiOS;FBAV/485.0.0.36.104;FBSN/iOS]"),
  onAndroid("Facebook", "[FB_IAB/FB4A;FBAV/460.0.0.48.109;]"),
  onAndroid("Facebook", "[FB_IAB/Orca-Android;FBAV/431.0.0.0.19;]"),
  onAndroid("Facebook", "MetaIAB Facebook"),
  onIos("TikTok", SAFARI, "Mobile/15E148 musical_ly_34.1.0 JsSdk/2.0 NetType/WIFI BytedanceWebview/d8a21c6"),
  onIos("TikTok", SAFARI, "Mobile/15E148 Safari/604.1 musical_ly_41.9.0"),
  onAndroid("TikTok", "trill_340105 BytedanceWebview/d8a21c6"),
  onIos("LinkedIn", SAFARI, "Mobile/15E148 [LinkedInApp]/9.29.8962"),
  onIos("Snapchat", SAFARI, "Mobile/15E148 Snapchat/12.81.0.44 (like Safari/8617.2.4, panda)"),
  onIos("Snapchat", SAFARI, "Version/26.6.1 Mobile/15E148 Snapchat/14.25.0.48 (like Safari/8624.5.1.10.3, panda)"),
  onIos("WeChat", SAFARI, "Mobile/15E148 MicroMessenger/8.0.48(0x18003030) NetType/WIFI Language/en"),
  onIos("Line", SAFARI, "Mobile/15E148 Safari Line/14.9.0"),
  onAndroid("Line", "Line/14.4.0/IAB"),
  onIos("Pinterest", SAFARI, "Mobile/15E148 [Pinterest/iOS]"),
  onAndroid("Pinterest", "Pinterest/12.13.0"),
  onIos("X", SAFARI, "Mobile/15E148 Twitter for iPhone/10.37"),
  onIos("X", SAFARI, "Mobile/23E261 Twitter for iPhone/11.92"),
  onAndroid("X", "TwitterAndroid"),
  ["Facebook", BY_SCHEME, SAFARI_WINDOW, agents.facebookIos.userAgent],
  ["Facebook", BY_INTENT, BY_INTENT, agents.facebookAndroid.userAgent],
  ["Instagram", BY_SCHEME, INSTAGRAM, agents.instagramIos.userAgent],
  ["Instagram", BY_INTENT, BY_INTENT, agents.instagramAndroid.userAgent],
  ["TikTok", BY_SCHEME, SAFARI, agents.tiktokIos.userAgent],
  ["TikTok", BY_INTENT, BY_INTENT, agents.tiktokAndroid.userAgent],
  ["Snapchat", BY_SCHEME, SAFARI, agents.snapchat.userAgent],
  ["WeChat", BY_SCHEME, SAFARI, agents.wechat.userAgent],
];

describe("the in-app browser", () => {
  test.each(RECORDED)("of %s offers %s, and without a scheme %s: %s", (app, withScheme, without, userAgent) => {
    expect(parseUserAgent(userAgent).bot).toBeNull();
    expect(inAppBrowserOf(userAgent)?.name).toBe(app);
    expect([offered(userAgent, WITH_SCHEME), offered(userAgent, BOTH)]).toEqual([withScheme, without]);
  });

  test("offers nothing to any other recorded user agent", () => {
    const inApps = new Set(RECORDED.map(([, , , userAgent]) => userAgent));
    const others = Object.values(agents).filter(({ userAgent }) => !inApps.has(userAgent));
    expect(others.length).toBeGreaterThan(40);
    expect(others.filter(({ userAgent }) => offered(userAgent, WITH_SCHEME) !== null)).toEqual([]);
  });
});

test.each([
  ["Safari", `${IPHONE} Version/17.4 Mobile/15E148 Safari/604.1`],
  ["Chrome", "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/124.0.0.0 Mobile Safari/537.36"],
  ["some app's own view", ANDROID],
  ["Opera on a phone called Blade Line", `${IPHONE} OPT/4.5 (Blade Line)`],
  ["Pinterest's robot", "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)"],
  ["nobody", ""],
])("%s is not an in-app browser", (_, userAgent) => {
  expect(inAppBrowserOf(userAgent)).toBeNull();
});

describe("the app is opened by", () => {
  const offerFor = (app: AppTarget | null, platform: AppOfferInput["platform"], changes: Partial<AppOfferInput> = {}) =>
    appOfferOf({
      app,
      platform,
      browser: {},
      shortUrl,
      query: "",
      visitToken: null,
      referrer: null,
      hasPlaces: false,
      fallbackUrl,
      ...changes,
    })?.url ?? null;
  const fallback = "S.browser_fallback_url=https%3A%2F%2Fexample.com%2F%3Fa%3D1%3Bb%23c";
  const fallbackPart = { fallback: "store" as const };

  test.each([
    [
      "an intent by its scheme",
      "android" as const,
      { android: { packageName: "com.acme", scheme: "acme" } },
      `intent://go.example.com/shop/spring#Intent;scheme=acme;package=com.acme;${fallback};end`,
    ],
    [
      "an intent without a package",
      "android" as const,
      { android: { scheme: "acme" } },
      `intent://go.example.com/shop/spring#Intent;scheme=acme;${fallback};end`,
    ],
    ["its scheme on iOS", "ios" as const, { ios: { scheme: "acme" } }, "acme://go.example.com/shop/spring"],
    ["a browser on iOS without one", "ios" as const, { ios: { bundleId: "com.acme" } }, `x-safari-${shortUrl}`],
    ["nothing on iOS where no Universal Link opens it", "ios" as const, { ios: { appStoreId: "1" } }, null],
    ["nothing on Android when it is an app for iOS", "android" as const, { ios: { scheme: "acme" } }, null],
    ["nothing elsewhere", "desktop" as const, { android: { packageName: "com.acme" }, ios: { scheme: "acme" } }, null],
  ])("%s", (_, platform, app, expected) => {
    expect(offerFor({ ...app, ...fallbackPart }, platform)).toBe(expected);
  });

  test("nothing for a link without an app", () => {
    expect(offerFor(null, "ios")).toBeNull();
  });

  test("a browser at the link's own URL, over http if the link uses http", () => {
    const visitToken = { key: "wm_visit", text: "wm_visit=t" };
    const local = { shortUrl: "http://localhost:3000/spring", query: "a=<1>&wm_x=2", visitToken };
    expect(offerFor(BOTH, "ios", local)).toBe("x-safari-http://localhost:3000/spring?a=%3C1%3E&wm_visit=t");
  });
});
