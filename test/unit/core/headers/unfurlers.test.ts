import { describe, expect, test } from "bun:test";
import { agents } from "@test/support/routing-cases/user-agents";
import { UNFURLERS } from "@test/support/routing-cases/user-agents/unfurlers";
import crawlers from "crawler-user-agents";
import { unfurlerOf } from "@/core/headers/unfurlers";
import { parseUserAgent } from "@/platform/user-agent";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const ROBOTS = new Set<string>(["facebookBot", "twitterbot", "slackbot"]);

describe("recognized as an unfurler and a bot is", () => {
  test.each(UNFURLERS)("%s, with %s", (service, userAgent) => {
    expect(unfurlerOf(userAgent)).toBe(service);
    expect(parseUserAgent(userAgent).bot).toBe("crawler");
  });
});

describe("not recognized as an unfurler is", () => {
  test.each([
    ["nothing", ""],
    ["Googlebot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],
    ["Facebook's app", `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/460.0.0.32.108;FBBV/588]`],
    ["X's app", `${IPHONE} Mobile/15E148 Twitter for iPhone/10.37`],
    ["LinkedIn's app", `${IPHONE} Mobile/15E148 [LinkedInApp]/9.29.8962`],
    ["a phone with WhatsApp's name in its browser's", `${IPHONE} Mobile/15E148 WhatsApp/2.23`],
    ["Slack's app", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Slack/4.41.98 Safari/537.36"],
    ["Discord's app", "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 discord/1.0.9 Chrome/128.0.0.0 Safari/537.36"],
    ["Teams' app", "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/128.0.0.0 Safari/537.36 Teams/24.1"],
    ["Slack's feed reader", "Slackbot 1.0 (+https://api.slack.com/robots)"],
    [
      "Facebook's model trainer",
      "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
    ],
    ["whoever says it late", `${"x".repeat(512)} Twitterbot/1.0`],
  ])("%s", (_, userAgent) => {
    expect(unfurlerOf(userAgent)).toBeNull();
  });

  test("any browser of the routing cases", () => {
    const others = Object.entries(agents).filter(([name]) => !ROBOTS.has(name));
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter(([, { userAgent }]) => unfurlerOf(userAgent) !== null)).toEqual([]);
  });

  test("any crawler of a public list, except these", () => {
    const found = crawlers.filter(({ instances }) => instances.some((userAgent) => unfurlerOf(userAgent) !== null));
    expect(found.map(({ pattern }) => pattern).toSorted()).toEqual([
      ...["BlueskyPreviewBot", "Discordbot", "Facebot", "LinkedInBot", "Mastodon", "Meta-ExternalHit\\/"],
      ...["MicrosoftPreview\\/", "SkypeUriPreview", "Slack-ImgProxy", "Slackbot", "TelegramBot", "Twitterbot"],
      ...["WhatsApp", "facebookexternalhit"],
    ]);
  });
});
