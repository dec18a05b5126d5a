import { describe, expect, test } from "bun:test";
import { appUrlOf, inAppBrowserOf } from "@/core/routing/in-app";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.0.0 Mobile Safari/537.36";

describe("the browser of", () => {
  test.each([
    ["Instagram", `${IPHONE} Mobile/15E148 Instagram 330.0.3.29.109 (iPhone14,5; iOS 17_4; en_US; scale=3.00)`],
    ["Instagram", `${ANDROID} Instagram 331.0.0.37.90 Android (34/14; 420dpi; 1080x2400; Google/google; Pixel 8)`],
    ["Facebook", `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/460.0.0.32.108;FBBV/588]`],
    ["Facebook", `${ANDROID} [FB_IAB/FB4A;FBAV/460.0.0.48.109;]`],
    ["TikTok", `${IPHONE} Mobile/15E148 musical_ly_34.1.0 JsSdk/2.0 NetType/WIFI BytedanceWebview/d8a21c6`],
    ["TikTok", `${ANDROID} trill_340105 BytedanceWebview/d8a21c6`],
    ["LinkedIn", `${IPHONE} Mobile/15E148 [LinkedInApp]/9.29.8962`],
    ["Snapchat", `${IPHONE} Mobile/15E148 Snapchat/12.81.0.44 (like Safari/8617.2.4, panda)`],
    ["WeChat", `${IPHONE} Mobile/15E148 MicroMessenger/8.0.48(0x18003030) NetType/WIFI Language/en`],
    ["Line", `${ANDROID} Line/14.4.0/IAB`],
    ["Pinterest", `${IPHONE} Mobile/15E148 [Pinterest/iOS]`],
    ["Pinterest", `${ANDROID} Pinterest/12.13.0`],
    ["X", `${IPHONE} Mobile/15E148 Twitter for iPhone/10.37`],
    ["X", `${ANDROID} TwitterAndroid`],
  ])("%s", (name, userAgent) => {
    expect(inAppBrowserOf(userAgent)).toBe(name);
  });
});

test.each([
  ["Safari", `${IPHONE} Version/17.4 Mobile/15E148 Safari/604.1`],
  ["Chrome", "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/124.0.0.0 Mobile Safari/537.36"],
  ["some app's own view", ANDROID],
  ["Opera on a phone called Blade Line", `${IPHONE} OPT/4.5 (Blade Line)`],
  ["Pinterest's robot", "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)"],
  ["nobody", ""],
])("%s is none of them", (_, userAgent) => {
  expect(inAppBrowserOf(userAgent)).toBeNull();
});

describe("the app is opened by", () => {
  const shortUrl = "https://go.example.com/shop/spring";
  const fallbackUrl = "https://example.com/?a=1;b#c";
  const fallback = "S.browser_fallback_url=https%3A%2F%2Fexample.com%2F%3Fa%3D1%3Bb%23c";
  const fallbackPart = { fallback: "store" as const };

  test.each([
    [
      "an intent to its package",
      "android" as const,
      { android: { packageName: "com.acme" } },
      `intent://go.example.com/shop/spring#Intent;scheme=https;package=com.acme;${fallback};end`,
    ],
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
    ["nothing on iOS without a scheme", "ios" as const, { ios: { appStoreId: "1" } }, null],
    ["nothing on Android when it is an app for iOS", "android" as const, { ios: { scheme: "acme" } }, null],
    ["nothing elsewhere", "desktop" as const, { android: { packageName: "com.acme" }, ios: { scheme: "acme" } }, null],
  ])("%s", (_, platform, app, expected) => {
    expect(appUrlOf({ app: { ...app, ...fallbackPart }, platform, shortUrl, fallbackUrl })).toBe(expected);
  });

  test("nothing for a link without an app", () => {
    expect(appUrlOf({ app: null, platform: "ios", shortUrl, fallbackUrl })).toBeNull();
  });
});
