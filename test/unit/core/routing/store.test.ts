import { describe, expect, test } from "bun:test";
import { definitionOf, routingCases } from "@test/support/routing-cases";
import type { AppTarget } from "@/contract/routing";
import { compileLink, finalDestination } from "@/core/routing/compiled-link";
import { NEEDS, UNKNOWN_VISITOR_FACTS } from "@/core/routing/facts";
import type { LinkDefinition } from "@/core/routing/link";
import { storeOf } from "@/core/routing/store";

const [anyCase] = routingCases;
if (anyCase === undefined) throw new Error("no cases");
const plain: LinkDefinition = {
  ...definitionOf(anyCase),
  rules: [],
  splitTargets: [],
  defaultUrl: "https://example.com/",
};
const app: AppTarget = {
  fallback: "store",
  ios: { appStoreId: "284882215" },
  android: { packageName: "com.example.app" },
};
const visitor = UNKNOWN_VISITOR_FACTS;
const onAndroid = { ...visitor, platform: "android", deviceType: "mobile" } as const;
const onIos = { ...visitor, platform: "ios", deviceType: "mobile" } as const;
const TOKEN = "abcdefghijklmnopqrstuvwxyz-_01";
const PLAY = "https://play.google.com/store/apps/details?id=com.example.app";

const visit = (
  definition: Partial<LinkDefinition>,
  facts: typeof onAndroid | typeof onIos | typeof visitor,
  query = "",
) => {
  const link = compileLink({ ...plain, ...definition });
  const route = link.route(facts, { draw: () => 0 });
  return { route, url: finalDestination(link, route, { query, matchToken: TOKEN }) };
};

describe("a token", () => {
  test("is passed to Play in the referrer", () => {
    expect(visit({ app }, onAndroid).url).toBe(`${PLAY}&referrer=match_token%3D${TOKEN}`);
  });

  test("comes first in the referrer", () => {
    expect(visit({ app, utm: { source: "mail" } }, onAndroid, "gclid=g").url).toBe(
      `${PLAY}&referrer=match_token%3D${TOKEN}%26utm_source%3Dmail%26gclid%3Dg`,
    );
  });

  test("is passed to the App Store as the campaign", () => {
    expect(visit({ app }, onIos).url).toBe(`https://apps.apple.com/app/id284882215?ct=${TOKEN}&mt=8`);
  });

  test("is left out if the app has a campaign of its own", () => {
    const named = { ...app, ios: { appStoreId: "284882215", campaignName: "spring", providerToken: "123" } };
    expect(visit({ app: named }, onIos).url).toBe("https://apps.apple.com/app/id284882215?ct=spring&mt=8&pt=123");
  });

  test("is merged into the referrer of a Play URL from a rule, a split or the default", () => {
    const defaultUrl = `${PLAY}&referrer=utm_source%3Dad%26utm_medium%3Dcpc&hl=de`;
    const expected = `${PLAY}&hl=de&referrer=match_token%3D${TOKEN}%26utm_source%3Dad%26utm_medium%3Dcpc`;
    expect(visit({ defaultUrl }, visitor).url).toBe(expected);
    expect(visit({ rules: [{ destinationUrl: defaultUrl }] }, visitor).url).toBe(expected);
    expect(visit({ splitTargets: [{ key: "a", destinationUrl: defaultUrl }] }, visitor).url).toBe(expected);
  });

  test("replaces one that is already in the referrer", () => {
    const defaultUrl = `${PLAY}&referrer=match_token%3Dforged%26a%3D1`;
    expect(visit({ defaultUrl }, visitor).url).toBe(`${PLAY}&referrer=match_token%3D${TOKEN}%26a%3D1`);
  });

  test("is added to an App Store URL as the default, unless the URL has a campaign", () => {
    const defaultUrl = "https://apps.apple.com/de/app/name/id1";
    expect(visit({ defaultUrl }, visitor).url).toBe(`${defaultUrl}?ct=${TOKEN}&mt=8`);
    expect(visit({ defaultUrl: `${defaultUrl}?ct=own` }, visitor).url).toBe(`${defaultUrl}?ct=own&mt=8`);
  });

  test("is the campaign for another app, even if the link's own app has a campaign", () => {
    const named = { ...app, ios: { appStoreId: "284882215", campaignName: "spring", providerToken: "123" } };
    const defaultUrl = "https://apps.apple.com/app/id1";
    expect(visit({ app: named, defaultUrl }, visitor).url).toBe(`${defaultUrl}?ct=${TOKEN}&mt=8`);
  });

  test("is not added to web URLs", () => {
    expect(visit({}, onAndroid).url).toBe("https://example.com/");
  });
});

describe("a click id", () => {
  const clickId = "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e";
  const leads = (definition: Partial<LinkDefinition>, matchToken?: string) => {
    const link = compileLink({ ...plain, appendClickId: true, ...definition });
    return finalDestination(link, link.route(onAndroid, { draw: () => 0 }), { query: "a=1", clickId, matchToken });
  };

  test.each<[string, Partial<LinkDefinition>]>([
    ["a configured Play URL", { defaultUrl: PLAY }],
    ["the app's own store", { app }],
  ])("comes last in the referrer of %s, with a token and without", (_, definition) => {
    expect(leads(definition, TOKEN)).toBe(`${PLAY}&referrer=match_token%3D${TOKEN}%26a%3D1%26wm_cid%3D${clickId}`);
    expect(leads(definition)).toBe(`${PLAY}&referrer=a%3D1%26wm_cid%3D${clickId}`);
  });
});

test("a visitor cannot change the app of a Play URL", () => {
  expect(visit({ defaultUrl: PLAY }, visitor, "id=com.evil&hl=de").url).toBe(
    `${PLAY}&hl=de&referrer=match_token%3D${TOKEN}`,
  );
});

describe("storeOf", () => {
  test.each([
    ["https://play.google.com/store/apps/details?id=a", "play"],
    ["https://play.google.com/store/apps/details?hl=de&id=a", "play"],
    ["https://apps.apple.com/app/id1", "app_store"],
    ["https://apps.apple.com/us/app/name/id1?l=en", "app_store"],
    ["https://itunes.apple.com/app/id1", "app_store"],
    ["https://play.google.com/store/movies/details?id=a", null],
    ["https://play.google.com/store/apps/details", null],
    ["https://play.google.com/store/apps/details#?id=a", null],
    ["https://play.google.com.evil.example/store/apps/details?id=a", null],
    ["https://apps.apple.com/story/1", null],
    ["https://apps.apple.com/?x=/app/id1", null],
    ["https://example.com/?u=https://apps.apple.com/app/id1", null],
  ] as const)("of %s is %p", (url, store) => {
    expect(storeOf(url)).toBe(store);
  });
});

test("webRoute is the default destination, with what the link adds, whichever rule or target leads to the store", () => {
  const rules = [{ destinationUrl: "https://rule.example.com/" }, { destinationUrl: PLAY }];
  const splitTargets = [{ key: "on", destinationUrl: "https://on.example.com/" }];
  const link = compileLink({ ...plain, app, rules, splitTargets, utm: { source: "news" } });
  expect(link.webRoute.url).toBe("https://example.com/?utm_source=news");
});

describe("what a link needs", () => {
  const needs = (definition: Partial<LinkDefinition>) => compileLink({ ...plain, ...definition }).needs;
  const rule = (conditions: LinkDefinition["rules"][number]["conditions"]) => ({
    destinationUrl: "https://a.example.com/",
    conditions,
  });

  test.each([
    ["nothing for a plain link", {}, 0],
    ["the user agent for a store", { app }, NEEDS.userAgent],
    ["nothing for an app that prefers the web", { app: { ...app, fallback: "web" as const } }, 0],
    [
      "nothing for a store behind a split",
      { app, splitTargets: [{ key: "a", destinationUrl: "https://a.example.com/" }] },
      0,
    ],
    ["nothing for a store behind a rule that always holds", { app, rules: [rule({})] }, 0],
    ["geography for a country", { rules: [rule({ countries: ["DE"] })] }, NEEDS.geography],
    ["the zone for a time", { rules: [rule({ startTime: "09:00" })] }, NEEDS.time | NEEDS.geography],
    ["languages for a language", { rules: [rule({ languages: ["de"] })] }, NEEDS.languages],
    ["nothing for rules behind one that always holds", { rules: [rule({}), rule({ countries: ["DE"] })] }, 0],
    [
      "all that its rules ask",
      { rules: [rule({ platform: ["ios"] }), rule({ cities: ["Berlin"] })] },
      NEEDS.userAgent | NEEDS.geography,
    ],
  ])("is %s", (_, definition, bits) => {
    expect(needs(definition)).toBe(bits);
  });
});
