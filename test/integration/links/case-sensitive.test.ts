/**
 * Domains that distinguish `aB` from `ab`: added, verified and used as a customer does, on two servers that share
 * Redis.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { addApp } from "@test/support/accounts/tenants";
import { readPicture } from "@test/support/browser/qr-reader";
import { expectFailure } from "@test/support/failure";
import { startTestDns } from "@test/support/servers/dns";
import { startRedis } from "@test/support/servers/redis";
import { CLIENT_HEADER, startTestService, type TestService } from "@test/support/service";
import { eventually, until } from "@test/support/until";
import type { UnservedVisits } from "@/contract/analytics/unserved";
import type { Domain, DomainConfiguration } from "@/contract/domains";
import type { BioPage } from "@/contract/links/bio-pages";
import type { LinkPreview } from "@/contract/links/link-preview";
import type { Link } from "@/contract/links/links";
import type { AppleAssociation } from "@/core/association/apple";

const SENSITIVE = "go.tells-case.example";
const FOLDED = "go.plain.example";
const to = (name: string) => `https://example.com/${name}`;

const dns = await startTestDns();
const redis = await startRedis();
afterAll(() => redis.stop());
const env = { DNS_SERVERS: dns.address, REDIS_URL: redis.url, APP_SECRET: "one secret for both, of enough length" };
const here = await startTestService({ env });
const there = await startTestService({ env: { ...env, SHORT_DOMAIN: here.host, DATABASE_URL: here.databaseUrl } });
const ada = await here.register();
const { token, orgId } = ada;
const home = `/api/v1/organizations/${orgId}`;

const api = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  here.call<Body>(method, `${home}/${path}`, { token, body });
const make = (name: string, fields: object) => api<Link>("POST", "links", { defaultUrl: to(name), ...fields });
const preview = (body: object) => api<LinkPreview>("POST", "links/preview", body);

/** Each visit comes from another address, so that none is taken for a probe. */
let visitors = 0;
async function locationAt(server: TestService, host: string, path: string): Promise<string | number> {
  const client = `2001:db8:${(++visitors).toString(16)}::1`;
  const response = await server.visit(path, { host, accept: "application/json", [CLIENT_HEADER]: client });
  return response.headers.get("location") ?? response.status;
}

/** The server that made the change follows it immediately, the other as soon as it has heard of it. */
async function expectAt(host: string, path: string, wanted: string | number): Promise<void> {
  expect([path, await locationAt(here, host, path)]).toEqual([path, wanted]);
  await eventually(async () => [path, await locationAt(there, host, path)], [path, wanted]);
}

async function addVerified(hostname: string, fields: object): Promise<Domain> {
  const { body: domain } = await api<Domain>("POST", "domains", { hostname, ...fields });
  const { body } = await api<DomainConfiguration>("GET", `domains/${domain._id}/configuration`);
  dns.set("TXT", body.records[0]?.name ?? "", body.records[0]?.value ?? "");
  const verified = await api<Domain>("POST", `domains/${domain._id}/verify`);
  expect([verified.status, verified.body.isVerified]).toEqual([200, true]);
  return verified.body;
}

let sensitive: Domain;
let folded: Domain;
beforeAll(async () => {
  sensitive = await addVerified(SENSITIVE, { caseSensitive: true });
  folded = await addVerified(FOLDED, {});
});

const onSensitive = (name: string, fields: object) => make(name, { domainId: sensitive._id, ...fields });

describe("caseSensitive", () => {
  test("is set when the domain is added, is shown, and cannot be changed", async () => {
    expect([sensitive.caseSensitive, folded.caseSensitive]).toEqual([true, false]);
    const unchanged = await api<Domain>("PATCH", `domains/${sensitive._id}`, { caseSensitive: false });
    expect([unchanged.status, unchanged.body.caseSensitive]).toEqual([200, true]);
    const { body } = await api<Domain[]>("GET", "domains");
    expect(body.map(({ hostname, caseSensitive }) => [hostname, caseSensitive])).toEqual([
      [FOLDED, false],
      [SENSITIVE, true],
    ]);
    expectFailure(await api("POST", "domains", { hostname: "x.example.com", caseSensitive: "yes" }), 400, [
      "caseSensitive",
    ]);
  });
});

describe("slugs and prefixes", () => {
  const slugs = ["aB", "ab", "AB", "straße", "strasse", "STRASSE", "caf\u00e9", "CAF\u00c9"];

  test("each lead to their own link on every server, and return 404 in another case", async () => {
    for (const slug of slugs) {
      const { status, body } = await onSensitive(encodeURIComponent(slug), { slug });
      expect([slug, status, body.slug]).toEqual([slug, 201, slug]);
      expect(new URL(body.shortUrl).pathname).toBe(`/${encodeURIComponent(slug)}`);
    }
    for (const slug of slugs) {
      for (const written of [slug, slug.normalize("NFD")]) {
        await expectAt(SENSITIVE, `/${encodeURIComponent(written)}`, to(encodeURIComponent(slug)));
      }
    }
    await expectAt(SENSITIVE, "/%61%42", to("aB"));
    await expectAt(SENSITIVE, `/${encodeURIComponent("\uff41\uff22")}`, to("aB"));
    for (const path of ["/Ab", "/STRASS%C3%9F", "/Caf%C3%A9"]) await expectAt(SENSITIVE, path, 404);
  });

  test("are refused as taken only in the same case, however the link is created", async () => {
    await onSensitive("taken", { slug: "Taken", externalId: "taken" });
    expectFailure(await onSensitive("other", { slug: "Taken" }), 409, ["slug"]);
    expectFailure(await onSensitive("other", { slug: "\uff34aken" }), 409, ["slug"]);
    const links = ["taken", "TAKEN", "Taken", "taken"].map((slug) => ({
      defaultUrl: to("bulk"),
      domainId: sensitive._id,
      slug,
    }));
    const bulk = await api<{ created: Link[]; errors: { index: number }[] }>("POST", "links/bulk", { links });
    expect(bulk.body.created.map(({ slug }) => slug)).toEqual(["taken", "TAKEN"]);
    expect(bulk.body.errors.map(({ index }) => index)).toEqual([2, 3]);
    const put = await api<Link>("PUT", "links/by-external-id/other", {
      defaultUrl: to("put"),
      domainId: sensitive._id,
      slug: "tAKEN",
    });
    expect([put.status, put.body.slug]).toEqual([201, "tAKEN"]);
    await expectAt(SENSITIVE, "/tAKEN", to("put"));
    await expectAt(SENSITIVE, "/Taken", to("taken"));
  });

  test("are the same in any case on other domains", async () => {
    await make("plain", { domainId: folded._id, slug: "aB", pathPrefix: "Shop" });
    expectFailure(await make("other", { domainId: folded._id, slug: "ab", pathPrefix: "shop" }), 409, ["slug"]);
    for (const path of ["/shop/ab", "/SHOP/AB"]) await expectAt(FOLDED, path, to("plain"));
  });

  test("differ if only the prefix has another case", async () => {
    await onSensitive("upper", { slug: "x", pathPrefix: "Shop/DE" });
    await onSensitive("lower", { slug: "x", pathPrefix: "shop/de" });
    await expectAt(SENSITIVE, "/Shop/DE/x", to("upper"));
    await expectAt(SENSITIVE, "/shop//de/x/", to("lower"));
    await expectAt(SENSITIVE, "/shop/DE/x", 404);
  });

  test("are cached as unknown separately, and found once a link has them", async () => {
    await expectAt(SENSITIVE, "/Late", 404);
    await expectAt(SENSITIVE, "/late", 404);
    await onSensitive("late", { slug: "Late" });
    await expectAt(SENSITIVE, "/Late", to("late"));
    await expectAt(SENSITIVE, "/late", 404);
  });

  test("changes and deletions of a link do not affect the one in another case", async () => {
    const { body: upper } = await onSensitive("one", { slug: "Change" });
    await onSensitive("two", { slug: "change" });
    await expectAt(SENSITIVE, "/Change", to("one"));
    await expectAt(SENSITIVE, "/change", to("two"));
    await api("PATCH", `links/${upper._id}`, { defaultUrl: to("three"), slug: "CHANGE" });
    await expectAt(SENSITIVE, "/Change", to("three"));
    await api("DELETE", `links/${upper._id}`);
    await expectAt(SENSITIVE, "/Change", 404);
    await expectAt(SENSITIVE, "/change", to("two"));
    expect((await onSensitive("four", { slug: "Change" })).status).toBe(201);
    await expectAt(SENSITIVE, "/Change", to("four"));
  });

  test("reserved words apply in any case, and the dashboard cannot be enabled while links use its paths", async () => {
    for (const slug of ["Robots.txt", "FAVICON.ICO"]) expectFailure(await onSensitive("x", { slug }), 400, ["slug"]);
    expectFailure(await onSensitive("x", { pathPrefix: ".Well-Known/x" }), 400, ["pathPrefix"]);
    await onSensitive("own", { slug: "Login" });
    await onSensitive("own", { slug: "y", pathPrefix: "API/x" });
    await expectAt(SENSITIVE, "/Login", to("own"));
    const enable = await api("PATCH", `domains/${sensitive._id}/dashboard`, { enabled: true });
    expectFailure(enable, 409, ["links"]);
    expect(enable.body.details).toEqual([
      "links: /Login would become unreachable",
      "links: /API/x/y would become unreachable",
    ]);
  });

  test("a destination in another case is not a loop, the link's own URL is", async () => {
    const own = `https://${SENSITIVE}/Loop`;
    expectFailure(await onSensitive("x", { slug: "Loop", defaultUrl: own }), 400, ["defaultUrl"]);
    const { status, body } = await onSensitive("x", { slug: "loop", defaultUrl: own });
    expect(status).toBe(201);
    expectFailure(await api("PATCH", `links/${body._id}`, { defaultUrl: `https://${SENSITIVE}/loop` }), 400, [
      "defaultUrl",
    ]);
  });

  test("generated slugs are lowercase, and are not found in upper case", async () => {
    const { body } = await onSensitive("made", {});
    expect(body.slug).toMatch(/^[2-9bcdfghjkmnpqrstvwxyz]{7}$/);
    await expectAt(SENSITIVE, `/${body.slug?.toUpperCase()}`, 404);
    await expectAt(SENSITIVE, `/${body.slug}`, to("made"));
  });
});

describe("besides redirects", () => {
  beforeAll(async () => {
    await onSensitive("seen-upper", { slug: "Seen", pathPrefix: "In" });
    await onSensitive("seen-lower", { slug: "seen", pathPrefix: "in" });
  });

  test("resolve and previews find the link in exactly the given case", async () => {
    for (const [pathPrefix, slug, wanted] of [
      ["In", "Seen", 200],
      ["in", "seen", 200],
      ["in", "Seen", 404],
    ] as const) {
      const query = new URLSearchParams({ domain: SENSITIVE, slug, pathPrefix });
      const destinationUrl = wanted === 200 ? to(slug === "Seen" ? "seen-upper" : "seen-lower") : undefined;
      for (const [name, path] of [
        ["first", `/api/v1/resolve?${query}`],
        ["cached", `/api/v1/resolve?${query}&platform=other`],
      ] as const) {
        const resolved = await here.call("GET", path);
        expect([name, resolved.status, resolved.body.destinationUrl]).toEqual([name, wanted, destinationUrl]);
      }
      const named = [
        { shortUrl: `https://${SENSITIVE}/${pathPrefix}/${slug}` },
        { domain: SENSITIVE, pathPrefix, slug },
        { pathPrefix, slug },
      ];
      for (const body of named) {
        const reply = await preview(body);
        expect([body, reply.status]).toEqual([body, wanted]);
        if (destinationUrl) expect(reply.body.route.destinationUrl).toBe(destinationUrl);
      }
    }
  });

  test("QR codes contain the short URL in its own case", async () => {
    const { body: link } = await onSensitive("qr", { slug: "QrCode" });
    const { body } = await api<{ qrCodeDataUrl: string; shortUrl: string }>("GET", `links/${link._id}/qrcode`);
    expect(body.shortUrl).toBe(`https://${SENSITIVE}/QrCode`);
    expect(await readPicture(Buffer.from(body.qrCodeDataUrl.split(",")[1] ?? "", "base64"))).toBe(body.shortUrl);
  });

  test("a search ignores case", async () => {
    const { body } = await api<{ links: Link[] }>("GET", "links?search=SEEN");
    expect(body.links.map(({ slug }) => slug).toSorted()).toEqual(["Seen", "seen"]);
  });

  test("bio pages share slugs with links, list links in the right case, and can be the home page", async () => {
    const page = (slug: string) =>
      api<BioPage>("POST", "bio-pages", { title: slug, slug, domainId: sensitive._id, links: [] });
    await onSensitive("card", { slug: "Card" });
    expectFailure(await page("Card"), 409, ["slug"]);
    const { status, body } = await page("card");
    expect(status).toBe(200);
    const { body: item } = await onSensitive("item", { slug: "Item" });
    await onSensitive("item", { slug: "item" });
    await api("PATCH", `bio-pages/${body._id}`, { links: [{ title: "Item", linkId: item._id }] });
    await api("PATCH", `domains/${sensitive._id}`, { redirects: { root: { bioPageId: body._id } } });
    await expectAt(SENSITIVE, "/Card", to("card"));
    for (const path of ["/card", "/"]) {
      const html = await (await here.visit(path, { host: SENSITIVE })).text();
      expect(html).toContain(`href="https://${SENSITIVE}/Item"`);
    }
  });

  test("association files are case-sensitive, and so are the path prefixes of apps", async () => {
    const android = { packageName: "com.acme.upper" };
    await addApp(here, orgId, {
      pathPrefix: "Apps",
      ios: { teamId: "A1B2C3D4E5", bundleId: "com.acme.upper" },
      android,
    });
    // Announces the first app to every server, too.
    const ios = { teamId: "A1B2C3D4E5", bundleId: "com.acme.all" };
    await api("PATCH", `domains/${sensitive._id}/app-config`, { fallback: "store", ios });
    const fileAt = async (host: string): Promise<AppleAssociation["applinks"]> => {
      const file = await here.visit("/.well-known/apple-app-site-association", { host });
      return JSON.parse(await file.text()).applinks;
    };
    const { defaults, details } = await fileAt(SENSITIVE);
    expect(defaults).toEqual({ caseSensitive: true });
    expect(details[0]?.components).toContainEqual({ "/": "/Apps/*" });
    expect(details[1]?.components).toEqual(
      expect.arrayContaining([{ "/": "/card", exclude: true }, { "/": "/Apps/*", exclude: true }, { "/": "/*" }]),
    );
    expect((await fileAt(FOLDED)).defaults).toEqual({ caseSensitive: false });
    const storeOf = async (domainId: string, pathPrefix: string) => {
      const { body } = await make("app", { domainId, pathPrefix });
      const seen = await preview({ shortUrl: body.shortUrl, platform: "android", deviceType: "mobile" });
      return seen.body.route.kind;
    };
    expect(await storeOf(sensitive._id, "Apps/x")).toBe("store");
    expect(await storeOf(sensitive._id, "apps/x")).toBe("default");
    expect(await storeOf(folded._id, "apps/x")).toBe("store");
  });

  test("visits to unknown paths are counted separately by case", async () => {
    for (const path of ["/Gone", "/gone", "/GONE"]) await expectAt(SENSITIVE, path, 404);
    await until(async () => {
      const { body } = await api<UnservedVisits>("GET", "analytics/unserved?limit=100&includeBots=true");
      const addresses = body.visits.map(({ address }) => address);
      return ["/Gone", "/gone", "/GONE"].every((path) => addresses.includes(path));
    });
  });
});
