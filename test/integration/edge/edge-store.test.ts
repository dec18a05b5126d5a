/** Phones without the app are sent to its store, with a token that carries the visit through the installation. */
import { describe, expect, test } from "bun:test";
import { addApp, addDomain } from "@test/support/accounts/tenants";
import { startTestService } from "@test/support/service";
import type { LinkInput } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
const PIXEL =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36";
const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15";
const defaultUrl = "https://example.com/page";
const ios = { appStoreId: "284882215" };
const android = { packageName: "com.example.app" };
const PLAY = "https://play.google.com/store/apps/details?id=com.example.app";
const TOKEN = "[A-Za-z0-9_-]{30}";

const appProfileId = await addApp(service, ada.orgId, { ios, android });
const create = (input: Partial<LinkInput> = {}) => service.createLink(ada, { defaultUrl, appProfileId, ...input });
const link = await create({ slug: "get" });
const domainId = await addDomain(service, ada.orgId, {
  hostname: "go.ada.test",
  appConfig: { ios: { appStoreId: "111111111" }, android: { packageName: "com.example.domain" } },
});

const locationOf = async (path: string, userAgent: string, headers: Record<string, string> = {}) => {
  const response = await service.visit(path, { "user-agent": userAgent, ...headers });
  return [response.status, response.headers.get("location")];
};
const redirectTo = (pattern: string) => [302, expect.stringMatching(new RegExp(`^${pattern}$`))];
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

describe("a link with an app sends", () => {
  test("an iPhone to the App Store with the token as campaign", async () => {
    expect(await locationOf("/get", IPHONE)).toEqual(
      redirectTo(`https://apps\\.apple\\.com/app/id284882215\\?ct=${TOKEN}&mt=8`),
    );
  });

  test("an Android phone to Google Play with the token in the referrer", async () => {
    expect(await locationOf("/get", PIXEL)).toEqual(redirectTo(`${escaped(PLAY)}&referrer=match_token%3D${TOKEN}`));
  });

  test("computers and bots to the web destination", async () => {
    expect(await locationOf("/get", MAC)).toEqual([302, defaultUrl]);
    expect(await locationOf("/get", "curl/8.5.0")).toEqual([302, defaultUrl]);
  });

  test("each visit with a token of its own", async () => {
    const visits = await Promise.all(Array.from({ length: 10 }, () => locationOf("/get", PIXEL)));
    expect(new Set(visits.map(([, location]) => location)).size).toBe(10);
  });

  test("the query parameters in Play's referrer, except a token that the visitor sent", async () => {
    const [, location] = await locationOf("/get?utm_source=mail&match_token=forged&id=com.evil&pw=x", PIXEL);
    const url = new URL(String(location));
    expect(url.searchParams.get("id")).toBe("com.example.app");
    const referrer = new URLSearchParams(url.searchParams.get("referrer") ?? "");
    expect(referrer.getAll("match_token")).toEqual([expect.stringMatching(new RegExp(`^${TOKEN}$`))]);
    expect([referrer.get("utm_source"), referrer.get("pw")]).toEqual(["mail", null]);
  });
});

describe("the app in use is", () => {
  const onDomain = (input: Partial<LinkInput>) => create({ appProfileId: null, domainId, ...input });
  const at = async (path: string) => (await locationOf(path, PIXEL, { host: "go.ada.test" }))[1];

  test("the link's own before any other", async () => {
    await onDomain({ slug: "own", appProfileId });
    expect(await at("/own")).toContain("id=com.example.app&");
  });

  test("the profile with the longest matching prefix, else the domain's", async () => {
    const bob = await service.register();
    const bobs = await addDomain(service, bob.orgId, {
      hostname: "go.bob.test",
      appConfig: { android: { packageName: "com.bob.domain" } },
    });
    await addApp(service, bob.orgId, { pathPrefix: "shop", android: { packageName: "com.bob.shop" } });
    await addApp(service, bob.orgId, { pathPrefix: "shop/VIP", android: { packageName: "com.bob.vip" } });
    for (const [pathPrefix, name] of [
      ["", "domain"],
      ["shop", "shop"],
      ["Shop/vip", "vip"],
      ["shop/vip/x", "vip"],
      ["shopping", "domain"],
    ]) {
      const made = await service.createLink(bob, { defaultUrl, domainId: bobs, pathPrefix, slug: "s" });
      const [, location] = await locationOf(new URL(made.shortUrl).pathname, PIXEL, { host: "go.bob.test" });
      expect([pathPrefix, location]).toEqual([pathPrefix, expect.stringContaining(`id=com.bob.${name}&`)]);
    }
  });

  test("the domain's appConfig if there is no profile for it", async () => {
    const carol = await service.register();
    const carols = await addDomain(service, carol.orgId, {
      hostname: "go.carol.test",
      appConfig: { android: { packageName: "com.carol" }, fallback: "store" },
    });
    await service.createLink(carol, { defaultUrl, domainId: carols, slug: "s" });
    const [, location] = await locationOf("/s", PIXEL, { host: "go.carol.test" });
    expect(location).toContain("id=com.carol&");
  });

  test("none on the shared domain, whichever profiles the organization has", async () => {
    await create({ slug: "plain", appProfileId: null });
    expect(await locationOf("/plain", PIXEL)).toEqual([302, defaultUrl]);
  });

  test("none if the app's fallback is the web", async () => {
    const web = await addApp(service, ada.orgId, { ios, android, fallback: "web" });
    await create({ slug: "web", appProfileId: web });
    expect(await locationOf("/web", PIXEL)).toEqual([302, defaultUrl]);
    expect(await locationOf("/web", IPHONE)).toEqual([302, defaultUrl]);
  });
});

describe("a destination of a rule or split", () => {
  test("carries a token if it is a store", async () => {
    await create({
      slug: "rule",
      appProfileId: null,
      rules: [{ destinationUrl: PLAY, conditions: { platform: ["android"] } }],
    });
    expect(await locationOf("/rule", PIXEL)).toEqual(redirectTo(`${escaped(PLAY)}&referrer=match_token%3D${TOKEN}`));
    await create({
      slug: "rule-utm",
      appProfileId: null,
      rules: [{ destinationUrl: PLAY }],
      utm: { source: "mail", medium: "email" },
    });
    expect(await locationOf("/rule-utm?utm_source=ad&gclid=g", PIXEL)).toEqual(
      redirectTo(`${escaped(PLAY)}&referrer=match_token%3D${TOKEN}%26utm_medium%3Demail%26utm_source%3Dad%26gclid%3Dg`),
    );
    await create({ slug: "split", splitTargets: [{ key: "a", destinationUrl: `${PLAY}&referrer=utm_source%3Dx` }] });
    expect(await locationOf("/split", MAC)).toEqual(
      redirectTo(`${escaped(PLAY)}&referrer=match_token%3D${TOKEN}%26utm_source%3Dx`),
    );
  });

  test("takes precedence over the app's fallback", async () => {
    await create({ slug: "first", rules: [{ destinationUrl: "https://example.com/rule" }] });
    expect(await locationOf("/first", PIXEL)).toEqual([302, "https://example.com/rule"]);
  });
});

test("resolve returns a destination without a token, even on Android", async () => {
  const reply = await service.call<{ destinationUrl: string }>(
    "GET",
    `/api/v1/resolve?domain=${service.host}&slug=${link.slug}&platform=android`,
  );
  expect(reply.status).toBe(200);
  expect(reply.body.destinationUrl).not.toContain("match_token");
});
