/** `apple-app-site-association`, compared with files written by hand from Apple's documentation. */
import { describe, expect, test } from "bun:test";
import { appleAssociation } from "@/core/association/apple";
import type { AssociatedProfile, AssociationSource } from "@/core/association/source";

const TEAM = "A1B2C3D4E5";
const SHOP = `${TEAM}.com.acme.shop`;
const NEWS = `${TEAM}.com.acme.news`;
const HIDDEN = { "/": "/.well-known/*", exclude: true };

const ios = (bundleId: string) => ({ teamId: TEAM, bundleId });
const profile = (pathPrefix: string | null, bundleId: string): AssociatedProfile => ({
  pathPrefix,
  ios: ios(bundleId),
  android: null,
});

/** Returns the file as a phone would parse it. */
function fileOf(source: Partial<AssociationSource>) {
  const made = appleAssociation({ profiles: [], appConfig: {}, excludedPaths: [], isCaseSensitive: false, ...source });
  return JSON.parse(JSON.stringify(made));
}

const expectedFile = (details: [appId: string, components: unknown[]][]) => ({
  applinks: {
    defaults: { caseSensitive: false },
    details: details.map(([appId, components]) => ({ appIDs: [appId], components })),
  },
  webcredentials: { apps: details.map(([appId]) => appId) },
});

describe("nothing is listed", () => {
  test("if nothing is configured", () => {
    expect(fileOf({})).toEqual({
      applinks: { defaults: { caseSensitive: false }, details: [] },
      webcredentials: { apps: [] },
    });
  });

  test.each([
    ["without a team", { bundleId: "com.acme.shop" }],
    ["without a bundle", { teamId: TEAM, appStoreId: "284882215" }],
    ["for Android alone", null],
  ])("for an app %s", (_, own) => {
    const profiles = [{ pathPrefix: "shop", ios: own, android: { packageName: "com.acme.shop" } }];
    expect(fileOf({ profiles, appConfig: { ios: own ?? undefined } })).toEqual(expectedFile([]));
  });
});

describe("one app opens", () => {
  test("every link of a domain it is configured for", () => {
    expect(fileOf({ appConfig: { ios: ios("com.acme.shop") } })).toEqual(
      expectedFile([[SHOP, [HIDDEN, { "/": "/*" }]]]),
    );
  });

  test("every link of all domains through a profile without a prefix", () => {
    for (const pathPrefix of [null, ""]) {
      expect(fileOf({ profiles: [profile(pathPrefix, "com.acme.shop")] })).toEqual(
        expectedFile([[SHOP, [HIDDEN, { "/": "/*" }]]]),
      );
    }
  });

  test("links under its prefix", () => {
    expect(fileOf({ profiles: [profile("shop/de", "com.acme.shop")] })).toEqual(
      expectedFile([[SHOP, [HIDDEN, { "/": "/shop/de/*" }]]]),
    );
  });

  test("links under several prefixes, with longer ones listed first", () => {
    const profiles = ["shop", "shop/de", "sale"].map((prefix) => profile(prefix, "com.acme.shop"));
    expect(fileOf({ profiles })).toEqual(
      expectedFile([[SHOP, [HIDDEN, { "/": "/shop/de/*" }, { "/": "/shop/*" }, { "/": "/sale/*" }]]]),
    );
  });

  test("none of the excluded pages, with or without a slash at their end", () => {
    const source = { appConfig: { ios: ios("com.acme.shop") }, excludedPaths: ["/", "/about", "/über uns"] };
    const excluded = ["/", "/about", "/about/", "/%C3%BCber%20uns", "/%C3%BCber%20uns/"].map((path) => ({
      "/": path,
      exclude: true,
    }));
    expect(fileOf(source)).toEqual(expectedFile([[SHOP, [HIDDEN, ...excluded, { "/": "/*" }]]]));
  });

  test("none of the pages as they are written, if the file would otherwise be too long", () => {
    const excludedPaths = Array.from({ length: 500 }, (_, index) => `/${"page-".repeat(25)}${index}`);
    const source = { appConfig: { ios: ios("com.acme.shop") }, excludedPaths };
    const excluded = excludedPaths.map((path) => ({ "/": path, exclude: true }));
    expect(fileOf(source)).toEqual(expectedFile([[SHOP, [HIDDEN, ...excluded, { "/": "/*" }]]]));
    expect(JSON.stringify(fileOf(source)).length).toBeLessThan(128 * 1024);
  });
});

describe("excluded pages are listed", () => {
  const about = ["/about", "/about/"].map((path) => ({ "/": path, exclude: true }));

  test("once for all apps that open every link", () => {
    const profiles = [profile(null, "com.acme.shop"), profile(null, "com.acme.news")];
    expect(fileOf({ profiles, excludedPaths: ["/about"] }).applinks.details).toEqual([
      { appIDs: [SHOP, NEWS], components: [HIDDEN, ...about, { "/": "/*" }] },
    ]);
  });

  test("only for apps that would open them", () => {
    const profiles = [profile("shop/de", "com.acme.shop"), profile(null, "com.acme.news")];
    const source = { profiles, excludedPaths: ["/about"], isDashboard: true };
    const [shop, news] = fileOf(source).applinks.details;
    expect(shop).toEqual({ appIDs: [SHOP], components: [HIDDEN, { "/": "/shop/de/*" }] });
    expect(news.components).toEqual(expect.arrayContaining([...about, { "/": "/app/*", exclude: true }]));
  });

  test("for an app whose prefix is one of the service's own paths", () => {
    const source = { profiles: [profile("App", "com.acme.shop")], isDashboard: true };
    const excluded = ["/app", "/app/*"].map((path) => ({ "/": path, exclude: true }));
    expect(fileOf(source)).toEqual(expectedFile([[SHOP, [HIDDEN, ...excluded, { "/": "/App/*" }]]]));
  });
});

describe("of several apps", () => {
  test("the one with the longer prefix is listed first, and the other excludes its links", () => {
    const source = { profiles: [profile("news", "com.acme.news")], appConfig: { ios: ios("com.acme.shop") } };
    expect(fileOf(source)).toEqual(
      expectedFile([
        [NEWS, [HIDDEN, { "/": "/news/*" }]],
        [SHOP, [HIDDEN, { "/": "/news/*", exclude: true }, { "/": "/*" }]],
      ]),
    );
  });

  test("each keeps its own prefix nested in the other's", () => {
    const profiles = [
      profile(null, "com.acme.shop"),
      profile("news", "com.acme.news"),
      profile("news/sale", "com.acme.shop"),
    ];
    expect(fileOf({ profiles })).toEqual(
      expectedFile([
        [SHOP, [HIDDEN, { "/": "/news/sale/*" }, { "/": "/news/*", exclude: true }, { "/": "/*" }]],
        [NEWS, [HIDDEN, { "/": "/news/sale/*", exclude: true }, { "/": "/news/*" }]],
      ]),
    );
  });

  test("those with the same prefix in any case both open it, the older one first", () => {
    const profiles = [profile("Shop", "com.acme.shop"), profile("shop", "com.acme.news")];
    const file = fileOf({ profiles });
    expect(file.applinks.details).toEqual([
      { appIDs: [SHOP, NEWS], components: [HIDDEN, { "/": "/Shop/*" }, { "/": "/shop/*" }] },
    ]);
    expect(file.webcredentials).toEqual({ apps: [SHOP, NEWS] });
  });

  test("each opens only its own prefix if the domain is case-sensitive", () => {
    const profiles = [profile("Shop", "com.acme.shop"), profile("shop", "com.acme.news")];
    const file = fileOf({ profiles, isCaseSensitive: true });
    expect(file.applinks.defaults).toEqual({ caseSensitive: true });
    expect(file.applinks.details).toEqual([
      { appIDs: [SHOP], components: [HIDDEN, { "/": "/Shop/*" }] },
      { appIDs: [NEWS], components: [HIDDEN, { "/": "/shop/*" }] },
    ]);
  });
});

test("prefixes are percent-encoded as in URLs", () => {
  const profiles = ["café", "東京/Straße", "a.b_c-d"].map((prefix) => profile(prefix, "com.acme.shop"));
  expect(fileOf({ profiles })).toEqual(
    expectedFile([
      [SHOP, [HIDDEN, { "/": "/%E6%9D%B1%E4%BA%AC/Stra%C3%9Fe/*" }, { "/": "/caf%C3%A9/*" }, { "/": "/a.b_c-d/*" }]],
    ]),
  );
});
