/**
 * Association files as phones request them: only on verified custom domains, following every change, on two servers.
 */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { rawGet, sendRaw } from "@test/support/raw-http/raw-http";
import { startTestService, type TestService } from "@test/support/service";
import { eventually } from "@test/support/until";

const env = { SHORT_DOMAIN: "two.example" };
const here = await startTestService({ env });
const there = await startTestService({ env: { ...env, DATABASE_URL: here.databaseUrl } });
const ada = await here.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const HOST = "go.ada.test";
const APPLE = "/.well-known/apple-app-site-association";
const PATHS = [APPLE, "/apple-app-site-association", "/.well-known/assetlinks.json"];
const PRINT = Array.from({ length: 32 }, () => "A1").join(":");

const ask = async (method: string, path: string, body?: unknown, server = here) => {
  const reply = await server.call<{ _id: string }>(method, `${home}/${path}`, { token: ada.token, body });
  expect([method, path, reply.status]).toEqual([method, path, 200]);
  return reply.body._id;
};
const fileAt = (path: string, host = HOST, server: TestService = here, headers: Record<string, string> = {}) =>
  server.visit(path, { host, ...headers });

const ofApps = (...entries: [appIDs: string[], components: unknown[]][]) => ({
  applinks: {
    defaults: { caseSensitive: false },
    details: entries.map(([appIDs, components]) => ({ appIDs, components })),
  },
  webcredentials: { apps: entries.flatMap(([appIDs]) => appIDs) },
});
const HIDDEN = { "/": "/.well-known/*", exclude: true };

const domainId = await addDomain(here, ada.orgId, { hostname: HOST });
await addDomain(here, ada.orgId, { hostname: "unverified.ada.test", isVerified: false });

describe("404", () => {
  test.each([
    ["a host nobody has", "go.nobody.test"],
    ["a domain that is not verified", "unverified.ada.test"],
    ["the shared domain", "two.example"],
    ["the service's own host", here.host],
  ])("on %s", async (_, host) => {
    await ask("POST", "apps", { name: "App", ios: { teamId: "A1B2C3D4E5", bundleId: "com.acme.all" } });
    for (const path of PATHS) {
      const response = await fileAt(path, host);
      expect([response.status, response.headers.get("cache-control")]).toEqual([404, "no-store"]);
      expect(await response.json()).toEqual({ error: "This host serves no association files" });
    }
    await here.sql`delete from app_profiles`;
  });

  test("at paths that only resemble those of the files", async () => {
    const paths = [
      "/assetlinks.json",
      "/.well-known",
      "/.well-known/",
      `${APPLE}/`,
      `${APPLE}.json`,
      APPLE.toUpperCase(),
    ];
    for (const path of paths) expect([path, (await fileAt(path)).status]).toEqual([path, 404]);
  });
});

describe("405", () => {
  test.each(["POST", "PUT", "DELETE", "OPTIONS"])("for %s", async (method) => {
    for (const path of PATHS) {
      const response = await fetch(here.url + path, { method, headers: { host: HOST } });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });
});

describe("200", () => {
  test("with empty lists while nothing is configured, on both servers", async () => {
    for (const server of [here, there]) {
      for (const path of PATHS) {
        await eventually(async () => (await fileAt(path, HOST, server)).status, 200);
        const response = await fileAt(path, HOST, server);
        expect([response.status, response.redirected, response.headers.get("content-type")]).toEqual([
          200,
          false,
          "application/json",
        ]);
        expect(await response.json()).toEqual(path.endsWith("assetlinks.json") ? [] : ofApps());
      }
    }
  });

  test("for the host in any case, with a port or with a trailing dot", async () => {
    for (const host of ["GO.Ada.Test", `${HOST}:443`, `${HOST}.`]) {
      expect([host, (await fileAt(APPLE, host)).status]).toEqual([host, 200]);
    }
    expect((await fileAt(`${APPLE}?q=1`)).status).toBe(200);
  });

  test("for HEAD with the same headers as GET and no body", async () => {
    for (const path of PATHS) {
      const lines = [`Host: ${HOST}`];
      const port = here.service.port;
      const got = await rawGet(port, path, lines);
      const head = await sendRaw(port, `HEAD ${path} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
      const told = ({ headers }: typeof head) => headers.filter(([name]) => name !== "date");
      expect([head.status, head.body, told(head)]).toEqual([200, "", told(got)]);
      expect(told(got)).toContainEqual(["content-length", String(Buffer.byteLength(got.body))]);
      expect(told(got)).toContainEqual(["cache-control", "public, max-age=300"]);
    }
  });

  test("or 304 for clients with a matching ETag", async () => {
    const etag = (await fileAt(APPLE)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{20}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await fileAt(APPLE, HOST, here, { "if-none-match": known });
      expect([response.status, response.headers.get("etag"), await response.text()]).toEqual([304, etag, ""]);
    }
    expect((await fileAt(APPLE, HOST, here, { "if-none-match": '"other"' })).status).toBe(200);
  });
});

describe("the app configuration", () => {
  const shop = { teamId: "A1B2C3D4E5", bundleId: "com.acme.shop" };
  const news = { teamId: "Z9Y8X7W6V5", bundleId: "com.acme.news" };
  const android = (packageName: string) => ({ packageName, sha256CertFingerprints: [PRINT.toLowerCase()] });
  const statement = (name: string) => ({
    relation: ["delegate_permission/common.handle_all_urls"],
    target: { namespace: "android_app", package_name: name, sha256_cert_fingerprints: [PRINT] },
  });

  /** The server that made the change serves it immediately, the other as soon as it has heard of it. */
  async function expectFiles(apple: unknown, google: unknown): Promise<void> {
    expect(await (await fileAt(APPLE)).json()).toEqual(apple);
    expect(await (await fileAt("/.well-known/assetlinks.json")).json()).toEqual(google);
    await eventually(async () => (await fileAt(APPLE, HOST, there)).json(), apple);
    expect(await (await fileAt("/.well-known/assetlinks.json", HOST, there)).json()).toEqual(google);
  }

  test("is served on both servers after each change", async () => {
    await ask("PATCH", `domains/${domainId}/app-config`, { ios: shop, android: android("com.acme.shop") });
    const all = [HIDDEN, { "/": "/*" }];
    await expectFiles(ofApps([["A1B2C3D4E5.com.acme.shop"], all]), [statement("com.acme.shop")]);

    const profile = { name: "News", pathPrefix: "Aktuell/Äpfel", ios: news, android: android("com.acme.news") };
    const appId = await ask("POST", "apps", profile);
    const pattern = "/Aktuell/%C3%84pfel/*";
    await expectFiles(
      ofApps(
        [["Z9Y8X7W6V5.com.acme.news"], [HIDDEN, { "/": pattern }]],
        [["A1B2C3D4E5.com.acme.shop"], [HIDDEN, { "/": pattern, exclude: true }, { "/": "/*" }]],
      ),
      [statement("com.acme.news"), statement("com.acme.shop")],
    );

    await ask("PATCH", `apps/${appId}`, { pathPrefix: null, android: null });
    await expectFiles(ofApps([["Z9Y8X7W6V5.com.acme.news", "A1B2C3D4E5.com.acme.shop"], all]), [
      statement("com.acme.shop"),
    ]);

    await ask("DELETE", `apps/${appId}`);
    await ask("PATCH", `domains/${domainId}/app-config`, { ios: null });
    await expectFiles(ofApps(), [statement("com.acme.shop")]);
  });

  test("opens no app on the dashboard's own pages, as long as the domain hosts it", async () => {
    await ask("PATCH", `domains/${domainId}/app-config`, { ios: shop });
    const excluded = async () => {
      const { applinks } = (await (await fileAt(APPLE)).json()) as ReturnType<typeof ofApps>;
      const components = (applinks.details[0]?.components ?? []) as { "/": string; exclude?: true }[];
      expect(components.at(-1)).toEqual({ "/": "/*" });
      return components.filter(({ exclude }) => exclude).map((component) => component["/"]);
    };
    await ask("PATCH", `domains/${domainId}/dashboard`, { enabled: true });
    expect(await excluded()).toEqual(
      expect.arrayContaining(["/.well-known/*", "/", "/app", "/app/*", "/api/*", "/docs", "/openapi.json"]),
    );
    expect(await (await fileAt("/robots.txt")).text()).not.toContain("/app");
    await ask("PATCH", `domains/${domainId}/dashboard`, { enabled: false });
    expect(await excluded()).toEqual(["/.well-known/*"]);
    await ask("PATCH", `domains/${domainId}/app-config`, { ios: null });
  });

  test("stays within the size that phones accept if many apps and bio pages share a domain", async () => {
    const eve = await here.register();
    const host = "go.eve.test";
    const evesDomain = await addDomain(here, eve.orgId, { hostname: host });
    const made = async (path: string, body: unknown) => {
      const reply = await here.call("POST", `/api/v1/organizations/${eve.orgId}/${path}`, { token: eve.token, body });
      expect([path, reply.status]).toEqual([path, 200]);
    };
    const bundles = Array.from({ length: 16 }, (_, index) => `com.acme.app${index}`);
    for (const [index, bundleId] of bundles.entries()) {
      const pathPrefix = index % 2 === 0 ? null : `brand${index}`;
      await made("apps", { name: bundleId, pathPrefix, ios: { teamId: "A1B2C3D4E5", bundleId } });
    }
    const slugs = Array.from({ length: 50 }, (_, index) => `${"page-".repeat(35)}${index}`);
    for (const slug of slugs) await made("bio-pages", { slug, title: "Page", domainId: evesDomain });

    const file = await (await fileAt(APPLE, host)).text();
    expect(Buffer.byteLength(file)).toBeLessThan(128 * 1024);
    const { details }: ReturnType<typeof ofApps>["applinks"] = JSON.parse(file).applinks;
    expect(details.flatMap(({ appIDs }) => appIDs).toSorted()).toEqual(
      bundles.map((bundleId) => `A1B2C3D4E5.${bundleId}`).toSorted(),
    );
    const excluded = slugs.flatMap((slug) => [`/${slug}`, `/${slug}/`]).map((path) => ({ "/": path, exclude: true }));
    const openingAll = details.filter(({ components }) => Bun.deepEquals(components.at(-1), { "/": "/*" }));
    expect(openingAll.flatMap(({ appIDs }) => appIDs)).toHaveLength(bundles.length / 2);
    for (const { components } of openingAll) expect(components).toEqual(expect.arrayContaining(excluded));
  });

  test("of one organization does not appear in another's files", async () => {
    const bob = await here.register();
    const bobs = await addDomain(here, bob.orgId, { hostname: "go.bob.test" });
    const path = `/api/v1/organizations/${bob.orgId}`;
    await here.call("PATCH", `${path}/domains/${bobs}/app-config`, { token: bob.token, body: { ios: news } });
    const profile = { name: "Shop", pathPrefix: "shop", ios: shop, android: android("com.acme.shop") };
    const appId = await ask("POST", "apps", profile);
    await eventually(async () => (await fileAt(APPLE, "go.bob.test")).status, 200);
    expect(await (await fileAt(APPLE, "go.bob.test")).json()).toEqual(
      ofApps([["Z9Y8X7W6V5.com.acme.news"], [HIDDEN, { "/": "/*" }]]),
    );
    expect(await (await fileAt("/.well-known/assetlinks.json", "go.bob.test")).json()).toEqual([]);
    expect(await (await fileAt(APPLE)).json()).toEqual(
      ofApps([["A1B2C3D4E5.com.acme.shop"], [HIDDEN, { "/": "/shop/*" }]]),
    );
    await ask("DELETE", `apps/${appId}`);
  });

  test("is no longer served on either server once the domain is unverified", async () => {
    await here.sql`update domains set is_verified = false where id = ${domainId}`;
    await ask("PATCH", `domains/${domainId}/app-config`, { fallback: "web" });
    expect((await fileAt(APPLE)).status).toBe(404);
    await eventually(async () => (await fileAt(APPLE, HOST, there)).status, 404);
  });
});
