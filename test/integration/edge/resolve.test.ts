import { beforeAll, describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import { type Link, type LinkInput, ResolveQuery } from "@/contract/links/links";

interface Answer extends Record<string, unknown> {
  title?: string;
  destinationUrl: string;
  deepLinkPayload: Record<string, unknown>;
}

const service = await startTestService({ env: { TRUSTED_PROXIES: "127.0.0.1", CLIENT_IP_HEADER: "x-client" } });
const { sql } = service;
const ada = await service.register();
const defaultUrl = "https://example.com/";
const create = (input: Partial<LinkInput>) => service.createLink(ada, { defaultUrl, ...input });
const resolve = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  service.call<Answer>("GET", `/api/v1/resolve?${new URLSearchParams({ domain: service.host, ...query })}`, {
    headers,
  });
await create({ slug: "known" });
await create({ slug: "prefixed", pathPrefix: "a/B" });

describe("400", () => {
  test.each([
    ["no slug", {}, ["slug"]],
    ["an empty slug", { slug: "" }, ["slug"]],
    ["an unknown platform", { slug: "a", platform: "windows" }, ["platform"]],
    ["an empty domain and slug", { domain: "", slug: "" }, ["domain", "slug"]],
  ])("%s", async (_, query: Record<string, string>, fields) => {
    expectFailure(await resolve(query), 400, fields);
  });
});

describe("404", () => {
  test.each([
    ["an unknown slug", { slug: "nothing" }],
    ["an unknown domain", { domain: "evil.example", slug: "known" }],
    ["a prefix the link has not", { slug: "known", pathPrefix: "a" }],
    ["a slug with its prefix in it", { slug: "a/prefixed" }],
    ["a slug with a broken escape", { slug: "known%E6" }],
    ["a slug with an escaped NUL", { slug: "known%00" }],
    ["a URL for a domain", { domain: `http://${service.host}/`, slug: "known" }],
    ["a reserved word", { slug: "api" }],
  ])("%s", async (_, query: Record<string, string>) => {
    expectFailure(await resolve(query), 404);
  });

  test("inactive, not started, or on a domain that is not verified", async () => {
    await create({ slug: "inactive", isActive: false });
    await create({ slug: "early", startsAt: "2099-01-01T00:00:00Z" });
    for (const slug of ["inactive", "early"]) expectFailure(await resolve({ slug }), 404);
    const domainId = await addDomain(service, ada.orgId, { hostname: "lapsed.test" });
    await create({ slug: "kept", domainId });
    await sql`update domains set is_verified = false where id = ${domainId}`;
    expectFailure(await resolve({ domain: "lapsed.test", slug: "kept" }), 404);
  });
});

test("200 for an international domain in Unicode and in Punycode", async () => {
  const domainId = await addDomain(service, ada.orgId, { hostname: "xn--bcher-kva.example" });
  await create({ slug: "grüße", domainId });
  for (const domain of ["xn--bcher-kva.example", "bücher.example", "BÜCHER.example.", "bücher。example:443"]) {
    expect(await resolve({ domain, slug: "GRÜSSE".replace("SS", "ß") })).toMatchObject({ status: 200 });
  }
});

test.each(["query", "referrer"] as const)(
  "a %s of the length that the document allows, and none longer",
  async (name) => {
    const { maxLength = 0 } = ResolveQuery.properties[name];
    const start = name === "query" ? "q=" : "https://example.com/";
    const longest = start.padEnd(maxLength, "x");
    expect((await resolve({ slug: "known", [name]: longest })).status).toBe(200);
    expectFailure(await resolve({ slug: "known", [name]: `${longest}x` }), 400, [name]);
  },
);

describe("403 and 410", () => {
  test("a missing, wrong or empty password", async () => {
    await create({ slug: "guarded", password: "open sesame" });
    expectFailure(await resolve({ slug: "guarded" }), 403);
    expectFailure(await resolve({ slug: "guarded", password: "wrong" }), 403);
    expectFailure(await resolve({ slug: "guarded", password: "" }), 403);
    expect((await resolve({ slug: "guarded", password: "open sesame" })).status).toBe(200);
  });

  test("a wrong password in the short URL; the right one opens the link, and is not passed on", async () => {
    await create({ slug: "carried", password: "open sesame" });
    expectFailure(await resolve({ slug: "carried", query: "pw=wrong" }), 403);
    for (const query of ["pw=open%20sesame&a=1", "a=1&password=open+sesame"]) {
      const { status, body } = await resolve({ slug: "carried", query });
      expect([status, body.destinationUrl]).toEqual([200, `${defaultUrl}?a=1`]);
    }
    expectFailure(await resolve({ slug: "carried", password: "wrong", query: "pw=open%20sesame" }), 403);
  });

  test("an unsafe link", async () => {
    const { _id } = await create({ slug: "unsafe" });
    await sql`update links set safety = '{"status":"unsafe","reasons":[]}' where id = ${_id}`;
    expectFailure(await resolve({ slug: "unsafe" }), 403);
  });

  test("an expired link", async () => {
    await create({ slug: "expired", expiresAt: "2020-01-01T00:00:00Z" });
    expectFailure(await resolve({ slug: "expired" }), 410);
  });
});

describe("200", () => {
  test("returns title, destination and payload, and nothing else", async () => {
    const deepLinkPayload = { screen: "sale", nested: { list: [1, "x", null] } };
    await create({ slug: "whole", title: "Sale", deepLinkPayload, utm: { source: "mail" }, tags: ["internal"] });
    const { status, body } = await resolve({ slug: "whole" });
    expect(status).toBe(200);
    expect<unknown>(body).toEqual({
      title: "Sale",
      destinationUrl: "https://example.com/?utm_source=mail",
      deepLinkPayload,
    });
  });

  test("a link without title and payload has an empty payload", async () => {
    await create({ slug: "bare" });
    expect<unknown>((await resolve({ slug: "bare" })).body).toEqual({
      destinationUrl: defaultUrl,
      deepLinkPayload: {},
    });
  });

  test("a change of title or payload applies immediately, although the destination stays the same", async () => {
    const link = await create({ slug: "renamed", title: "Before" });
    const title = async () => (await resolve({ slug: "renamed" })).body.title;
    expect([await title(), await title()]).toEqual(["Before", "Before"]);
    const path = `/api/v1/organizations/${ada.orgId}/links/${link._id}`;
    const body = { title: "After", deepLinkPayload: { screen: "sale" } };
    expect((await service.call("PATCH", path, { token: ada.token, body })).status).toBe(200);
    expect<unknown>((await resolve({ slug: "renamed" })).body).toEqual({ ...body, destinationUrl: defaultUrl });
  });

  test.each([
    ["in another case", { slug: "PREFIXED", pathPrefix: "A/b" }],
    ["escaped as in its URL", { slug: "%70refixed", pathPrefix: "a/%42" }],
    ["with slashes around the prefix", { slug: "prefixed", pathPrefix: "/a/b/" }],
    ["with the domain in capitals", { domain: service.host.toUpperCase(), slug: "prefixed", pathPrefix: "a/b" }],
  ])("finds the link %s", async (_, query: Record<string, string>) => {
    expect((await resolve(query)).status).toBe(200);
  });

  test("takes a query and a referring page as long as a redirect does", async () => {
    const query = `a=${"b".repeat(8_000)}`;
    const referrer = `https://news.example.com/${"c".repeat(3_000)}`;
    await create({
      slug: "long",
      rules: [{ destinationUrl: "https://news.example.com/", conditions: { referrers: ["news.example.com"] } }],
    });
    const redirected = await service.visit(`/long?${query}`, { referer: referrer });
    expect(redirected.headers.get("location")).toBe(`https://news.example.com/?${query}`);
    const { status, body } = await resolve({ slug: "long", query, referrer });
    expect([status, body.destinationUrl]).toEqual([200, `https://news.example.com/?${query}`]);
    const preview = await service.call<{ route: { destinationUrl: string } }>(
      "POST",
      `/api/v1/organizations/${ada.orgId}/links/preview`,
      { token: ada.token, body: { slug: "long", query, referrer } },
    );
    expect([preview.status, preview.body.route?.destinationUrl]).toEqual([200, `https://news.example.com/?${query}`]);
  });

  test("finds a slug with plus signs, escaped or not", async () => {
    await create({ slug: "c++" });
    for (const slug of ["c%2B%2B", "c++", "c%252B%252B"]) {
      const path = `/api/v1/resolve?domain=${service.host}&slug=${slug}`;
      expect([slug, (await service.call("GET", path)).status]).toEqual([slug, 200]);
    }
  });

  test("finds a path with slashes around it, and what became of its link immediately", async () => {
    const made = await create({ slug: "leaf", pathPrefix: "branch" });
    const plain = await create({ slug: "alone" });
    const path = ({ _id }: Link) => `/api/v1/organizations/${ada.orgId}/links/${_id}`;
    const asked: [Link, Record<string, string>[]][] = [
      [made, [{ slug: "/branch/leaf" }, { slug: "leaf/", pathPrefix: "/branch/" }, { slug: "branch//leaf" }]],
      [plain, [{ slug: "/alone" }, { slug: "alone/" }, { slug: "/alone", pathPrefix: "/" }]],
    ];
    for (const [link, spelled] of asked) {
      const destinations = () => Promise.all(spelled.map(async (one) => (await resolve(one)).body.destinationUrl));
      expect(new Set(await destinations())).toEqual(new Set([defaultUrl]));
      const changed = "https://example.com/changed";
      const body = { defaultUrl: changed };
      expect((await service.call("PATCH", path(link), { token: ada.token, body })).status).toBe(200);
      expect(new Set(await destinations())).toEqual(new Set([changed]));
      expect((await service.call("DELETE", path(link), { token: ada.token })).status).toBe(200);
      for (const one of spelled) expectFailure(await resolve(one), 404);
    }
  });

  test("finds the longest slugs and prefixes escaped, and says what is too long by what it stands for", async () => {
    const [slug, pathPrefix] = ["夏".repeat(190), `${"季".repeat(127)}/${"節".repeat(127)}`];
    await create({ slug, pathPrefix });
    const escaped = { slug: encodeURIComponent(slug), pathPrefix: encodeURI(pathPrefix) };
    expect((await resolve(escaped)).status).toBe(200);
    expect((await resolve({ slug, pathPrefix })).status).toBe(200);
    const tooLong = { slug: encodeURIComponent("夏".repeat(191)), pathPrefix: encodeURI("季".repeat(256)) };
    const refused = await resolve(tooLong);
    expectFailure(refused, 400, ["pathPrefix", "slug"]);
    expect(refused.body.details).toContain("slug: expected 1 to 190 characters");
  });

  test("on a custom domain, with or without port", async () => {
    const domainId = await addDomain(service, ada.orgId, { hostname: "go.ada.test" });
    await create({ slug: "größe", domainId });
    for (const domain of ["go.ada.test", "GO.ADA.TEST", "go.ada.test:443"]) {
      expect((await resolve({ domain, slug: "GRO\u0308SSE".replace("SS", "ß") })).status).toBe(200);
    }
  });
});

describe("facts", () => {
  const IPHONE =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
  const to = (name: string) => `https://${name}.example.com/`;
  const rule = (name: string, conditions: NonNullable<LinkInput["rules"]>[number]["conditions"]) => ({
    destinationUrl: to(name),
    conditions,
  });

  beforeAll(async () => {
    await create({
      slug: "facts",
      rules: [
        rule("ios", { platform: ["ios"] }),
        rule("android14", { platform: ["android"], minOsVersion: "14" }),
        rule("german", { languages: ["de"] }),
        rule("japan", { countries: ["JP"] }),
        rule("munich", { cities: ["München"] }),
        rule("samsung", { browsers: ["Samsung Internet"] }),
      ],
    });
  });

  const cases: [name: string, query: Record<string, string>, headers: Record<string, string>, expected: string][] = [
    ["the platform of the query", { platform: "ios" }, {}, to("ios")],
    ["the platform of the User-Agent", {}, { "user-agent": IPHONE }, to("ios")],
    ["the query before the User-Agent", { platform: "desktop" }, { "user-agent": IPHONE }, defaultUrl],
    ["the version of the query", { platform: "android", osVersion: "14.1" }, {}, to("android14")],
    ["a version that is too low", { platform: "android", osVersion: "13.9" }, {}, defaultUrl],
    ["the language of the query", { language: "de-AT" }, {}, to("german")],
    ["the language of the header", {}, { "accept-language": "de-CH,fr;q=0.5" }, to("german")],
    ["the query's language before the header's", { language: "fr" }, { "accept-language": "de" }, defaultUrl],
    ["the country of the query", { country: "jp" }, {}, to("japan")],
    ["the address's country", {}, { "x-client": "133.11.0.1" }, to("japan")],
    ["the query's country before the address's", { country: "FR" }, { "x-client": "133.11.0.1" }, defaultUrl],
    ["the city of the query", { city: "MÜNCHEN" }, {}, to("munich")],
    ["the browser of the query", { browser: "samsung internet" }, {}, to("samsung")],
    ["nothing", {}, {}, defaultUrl],
  ];

  test.each(cases)("%s decides", async (_, query, headers, expected) => {
    const { status, body } = await resolve({ slug: "facts", ...query }, { "user-agent": "", ...headers });
    expect([status, body.destinationUrl]).toEqual([200, expected]);
  });

  test("the part of Accept-Language beyond what is stored has no effect, as in a redirect", async () => {
    const headers = { "user-agent": "", "accept-language": `${"en-x-aaaaaaaa;q=0.5,".repeat(14)}de` };
    const { body } = await resolve({ slug: "facts" }, headers);
    const redirected = await service.visit("/facts", headers);
    expect([body.destinationUrl, redirected.headers.get("location")]).toEqual([defaultUrl, defaultUrl]);
  });

  test("the part of a User-Agent beyond what is stored does not change the split target", async () => {
    const splitTargets = ["a", "b", "c", "d"].map((key) => ({ key, destinationUrl: to(key) }));
    await create({ slug: "split-long", splitTargets });
    const seen = new Set<string>();
    for (let index = 0; index < 20; index++) {
      const { body } = await resolve({ slug: "split-long" }, { "user-agent": "x".repeat(512) + index });
      seen.add(body.destinationUrl);
    }
    expect(seen.size).toBe(1);
  });

  test("visitorId makes a split sticky, with the same target as in a preview", async () => {
    const splitTargets = ["a", "b", "c", "d"].map((key) => ({ key, destinationUrl: to(key) }));
    await create({ slug: "split", splitTargets });
    const seen = new Set<string>();
    for (let index = 0; index < 60; index++) {
      const visitorId = `visitor-${index}`;
      const [first, second] = [
        await resolve({ slug: "split", visitorId }),
        await resolve({ slug: "split", visitorId }),
      ];
      const preview = await service.call<{ route: { destinationUrl: string } }>(
        "POST",
        `/api/v1/organizations/${ada.orgId}/links/preview`,
        { token: ada.token, body: { slug: "split", visitorId } },
      );
      const urls = [first.body.destinationUrl, second.body.destinationUrl, preview.body.route.destinationUrl];
      expect(new Set(urls).size).toBe(1);
      seen.add(first.body.destinationUrl);
    }
    expect(seen.size).toBe(4);
  });
});

test("each resolve counts as an open, not as a click, and a refused one counts as neither", async () => {
  const { _id } = await create({ slug: "counted", expiresAt: "2099-01-01T00:00:00Z" });
  await waitUntilDrained(service.service);
  await Promise.all([1, 2, 3].map(() => resolve({ slug: "counted", platform: "ios" })));
  await resolve({ slug: "counted-not" });
  await waitUntilDrained(service.service);
  const opens = await sql`select source, platform, org_id from opens where link_id = ${_id}`;
  expect(opens.map(({ source, platform, org_id }) => [source, platform, org_id])).toEqual(
    [1, 2, 3].map(() => ["direct", "ios", ada.orgId]),
  );
  const [clicks] = await sql`select count(*)::int as count from clicks where link_id = ${_id}`;
  expect(clicks?.count).toBe(0);
});

test("HEAD does not count as an open", async () => {
  const { _id } = await create({ slug: "looked-at" });
  for (const query of ["slug=looked-at", "slug=looked-at&platform=ios", "slug=looked-at&platform=ios&platform=ios"]) {
    await fetch(`${service.url}/api/v1/resolve?domain=${service.host}&${query}`, { method: "HEAD" });
  }
  expect((await resolve({ slug: "looked-at" })).status).toBe(200);
  await waitUntilDrained(service.service);
  const [opens] = await sql`select count(*)::int as count from opens where link_id = ${_id}`;
  expect(opens?.count).toBe(1);
});
