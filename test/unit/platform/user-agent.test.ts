import { describe, expect, test } from "bun:test";
import { parseUserAgent } from "@/platform/user-agent";

const MAC = "Macintosh; Intel Mac OS X 10_15_7";
const chrome = (system: string, tail = "Chrome/120.0.0.0 Safari/537.36") =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${tail}`;

describe("a visit from", () => {
  test.each([
    [
      "an iPhone",
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
      {
        platform: "ios",
        deviceType: "mobile",
        deviceVendor: "Apple",
        deviceModel: "iPhone",
        os: "iOS",
        osVersion: "17.4",
      },
    ],
    ...[
      ["Safari, which states a version before its system's", "18_7", "Version/26.2 Mobile/15E148 Safari/604.1", "26.2"],
      ["Safari on the last system that it states", "18_7_1", "Version/18.6 Mobile/15E148 Safari/604.1", "18.7.1"],
      ["Safari that states its system again", "27_1", "Version/27.0 Mobile/15E148 Safari/604.1", "27.1"],
      ["Chrome, which states its system", "26_3", "CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1", "26.3"],
      ["Edge, which states its system", "26_3", "Version/26.0 EdgiOS/140.0 Mobile/15E148 Safari/605.1.15", "26.3"],
      ["an app that does not state it", "18_7", "Mobile/15E148", "18.7"],
    ].map(([name = "", system = "", tail = "", osVersion = ""]): [string, string, object] => [
      name,
      `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${tail}`,
      { platform: "ios", os: "iOS", osVersion },
    ]),
    [
      "an iPad",
      "Mozilla/5.0 (iPad; CPU OS 16_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.1 Mobile/15E148 Safari/604.1",
      { platform: "ios", deviceType: "tablet", deviceModel: "iPad", browser: "Mobile Safari" },
    ],
    [
      "a phone with Android",
      chrome("Linux; Android 14; SM-S911B", "Chrome/120.0.0.0 Mobile Safari/537.36"),
      { platform: "android", deviceType: "mobile", deviceVendor: "Samsung", deviceModel: "SM-S911B", osVersion: "14" },
    ],
    [
      "Windows",
      chrome("Windows NT 10.0; Win64; x64"),
      { platform: "desktop", deviceType: "desktop", os: "Windows", osVersion: "10" },
    ],
    ["a Mac", chrome(MAC), { platform: "desktop", deviceType: "desktop", os: "Mac OS", browser: "Chrome" }],
    ["Linux", chrome("X11; Linux x86_64"), { platform: "desktop", deviceType: "desktop", os: "Linux" }],
    [
      "Ubuntu",
      "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/119.0",
      { platform: "desktop", os: "Ubuntu", browser: "Firefox" },
    ],
    [
      "a Chromebook",
      chrome("X11; CrOS x86_64 14541.0.0"),
      { platform: "desktop", deviceType: "desktop", os: "Chromium OS" },
    ],
    [
      "FreeBSD",
      "Mozilla/5.0 (X11; FreeBSD amd64; rv:109.0) Gecko/20100101 Firefox/119.0",
      { platform: "other", deviceType: undefined },
    ],
    [
      "a television",
      chrome("SMART-TV; Linux; Tizen 6.0", "SamsungBrowser/4.0 Chrome/76.0 TV Safari/537.36"),
      { platform: "other", deviceType: "smarttv" },
    ],
    [
      "a console",
      "Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15",
      { platform: "other", deviceType: "console" },
    ],
    [
      "a headset",
      chrome("Linux; Android 13; Quest 3", "OculusBrowser/30 Chrome/120 VR Safari/537.36"),
      { platform: "android", deviceType: "xr" },
    ],
    [
      "a Windows phone",
      chrome("Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950", "Chrome/52 Mobile Safari/537.36 Edge/15"),
      { platform: "other", deviceType: "mobile" },
    ],
  ])("%s", (_, header, facts) => {
    expect(parseUserAgent(header)).toMatchObject({ ...facts, bot: null });
  });
});

describe("a bot", () => {
  test.each([
    ["without a header", "", "no_user_agent"],
    ["with a blank one", "   ", "no_user_agent"],
    ["that is a library", "curl/8.4.0", "crawler"],
    ["that crawls", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "crawler"],
    ["that previews", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "crawler"],
  ])("%s", (_, header, bot) => {
    expect(parseUserAgent(header).bot).toBe(bot as "crawler");
  });

  test.each([
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
    "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
    "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
    "Twitterbot/1.0",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
    "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)",
    "Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36",
    "python-requests/2.31.0",
    "Go-http-client/2.0",
    "okhttp/4.12.0",
    "Wget/1.21.4",
    "axios/1.6.2",
    "Java/17.0.9",
    "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
    "ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)",
  ])("by its own words: %s", (header) => {
    expect(parseUserAgent(header).bot).toBe("crawler");
  });
});

describe("a caller of an API for programs", () => {
  test.each([
    "okhttp/4.12.0",
    "Ktor client",
    "ktor-client",
    "ReactNative/0.72.6",
    "axios/1.6.2",
    "UnityPlayer/2021.3.1f1 (UnityWebRequest/1.0, libcurl/7.84.0-DEV)",
    "Cronet/119.0.6045.31",
    "com.example.shop/3.1 Cronet/119.0.6045.31@5e2b",
    "Dart/3.2 (dart:io)",
    "Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7 Build/TQ3A)",
    "Shop/3 CFNetwork/1568.100.1 Darwin/24.0.0",
    "MyApp/1.0.0",
    "NewsReader/2.4.1 (iPhone; iOS 17.2; Scale/3.00)",
    "QrScanner/12",
    "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36 okhttp/4.12.0",
    "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
    "Go-http-client/2.0",
    "python-requests/2.31.0",
    "Java/17.0.9",
    "",
  ])("is an app by a program's name: %s", (header) => {
    expect(parseUserAgent(header).isCrawler).toBe(false);
  });

  test.each([
    "Googlebot/2.1 (+http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
    "Twitterbot/1.0",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "WhatsApp/2.23.20.0",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36",
    "Scrapy/2.11 (+https://scrapy.org)",
  ])("is a crawler where it says so: %s", (header) => {
    expect(parseUserAgent(header).isCrawler).toBe(true);
  });
});

describe("a header", () => {
  test("is parsed once, into facts that cannot be changed", () => {
    const header = chrome(MAC, "Chrome/121.0.0.0 Safari/537.36");
    expect(parseUserAgent(header)).toBe(parseUserAgent(`${header}`));
    expect(Object.isFrozen(parseUserAgent(header))).toBe(true);
  });

  test("is truncated before it is parsed", () => {
    const header = `${chrome(MAC)} `.padEnd(512, "x");
    expect(parseUserAgent(`${header}Googlebot`)).toBe(parseUserAgent(header));
  });

  test("that is hostile is parsed without an error, and its names are shortened", () => {
    const facts = parseUserAgent(`Mozilla/5.0 (Linux; Android 14; ${"\0\t\n\\'\"".repeat(40)} Build/x)`);
    expect(facts.platform).toBe("android");
    expect((facts.deviceModel ?? "").length).toBeLessThanOrEqual(100);
  });
});
