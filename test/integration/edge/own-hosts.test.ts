/** On which hosts the service's own paths are reserved, and on which they are short URLs like any other. */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { rawGet } from "@test/support/raw-http/raw-http";
import { startTestService, type TestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { Link } from "@/contract/links/links";
import { OWN_SEGMENTS } from "@/core/names/reserved";

const defaultUrl = "https://example.com/there";
const env = {
  BASE_URL: "https://wm.example",
  DASHBOARD_URL: "https://dash.wm.example",
  NODE_ENV: "production",
  APP_SECRET: "one secret for both, of enough length",
};
const service = await startTestService({ env });
const { call, sql } = service;
const ada = await service.register();
const domainId = await addDomain(service, ada.orgId, { hostname: "go.acme.com" });
const at = (host: string, path: string, headers = {}) =>
  service.visit(path, { host, accept: "application/json", ...headers });
const create = (fields: Record<string, unknown>) =>
  call<Link>("POST", `/api/v1/organizations/${ada.orgId}/links`, { token: ada.token, body: { defaultUrl, ...fields } });
const dashboard = (id: string, enabled: boolean) =>
  call("PATCH", `/api/v1/organizations/${ada.orgId}/domains/${id}/dashboard`, { token: ada.token, body: { enabled } });

/** Inserts a link as it was stored before the word was reserved. */
async function addLink(
  { sql }: TestService,
  orgId: string,
  slug: string,
  prefix = "",
  domain?: string,
): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`insert into links (id, org_id, domain_id, slug, slug_key, path_prefix, prefix_key, default_url)
    values (${id}, ${orgId}, coalesce(${domain ?? null}, (select id from domains where org_id is null)),
      ${slug}, ${slug.toLowerCase()}, ${prefix}, ${prefix.toLowerCase()}, ${defaultUrl})`;
  return id;
}

describe("the API, its reference and /health answer", () => {
  const OWN = [
    "wm.example",
    "WM.example:443",
    "wm.example.",
    "dash.wm.example",
    "localhost",
    "localhost:9",
    "127.0.0.1",
  ];
  test.each([...OWN, "10.1.2.3:3000", "[::1]:3000", "[2001:db8::1]", "waymark:3000", "waymark.internal"])(
    "at %s",
    async (host) => {
      expect((await at(host, "/health")).status).toBe(200);
      expect((await at(host, "/openapi.json")).status).toBe(200);
      expect((await at(host, "/api/v1/auth/me")).status).toBe(401);
      expect((await at(host, "/")).status).toBe(302);
    },
  );

  test("at a customer's host while it serves the dashboard", async () => {
    const id = await addDomain(service, ada.orgId, { hostname: "dash.acme.com" });
    expect((await at("dash.acme.com", "/health")).status).toBe(404);
    expect((await dashboard(id, true)).status).toBe(200);
    await until(async () => (await at("dash.acme.com", "/health")).status === 200);
    expect((await dashboard(id, false)).status).toBe(200);
    await until(async () => (await at("dash.acme.com", "/health")).status === 404);
  });
});

describe("on other hosts the service's paths are short URLs", () => {
  const hosts = ["go.acme.com", "unknown.example", "wm.example.evil.example", "xwm.example", "1.2.3.4.example"];
  test.each([...hosts, "127.0.0.1.evil.example", "localhost.example", "wm.example@evil.example"])(
    "at %s",
    async (host) => {
      for (const path of ["/health", "/api/v1/auth/me", "/openapi.json", "/internal/tls/ask?domain=wm.example", "/"]) {
        const response = await rawGet(service.service.port, path, [`Host: ${host}`, "Accept: application/json"]);
        expect(response.status).toBeOneOf([400, 404]);
        expect(response.body).not.toContain("Sign in first");
      }
    },
  );

  test("including the path of resolve", async () => {
    const { slug } = await service.createLink(ada, { defaultUrl, slug: "known" });
    const path = `/api/v1/resolve?domain=wm.example&slug=${slug}`;
    expect((await at("wm.example", path)).status).toBe(200);
    expect((await at("go.acme.com", path)).status).toBe(404);
  });

  test.each(["app", "api", "health", "login", "reset-password"])("and %s can be a slug or a prefix", async (word) => {
    const made = [await create({ domainId, slug: word }), await create({ domainId, slug: "more", pathPrefix: word })];
    for (const { status, body } of made) {
      expect(status).toBe(201);
      const response = await at("go.acme.com", new URL(body.shortUrl).pathname);
      expect([response.status, response.headers.get("location")]).toEqual([302, defaultUrl]);
    }
  });

  test("except favicon.ico, which browsers request by themselves", async () => {
    expectFailure(await create({ domainId, slug: "favicon.ico" }), 400, ["slug"]);
    expect((await at("go.acme.com", "/favicon.ico")).headers.get("content-type")).toBe("image/png");
    const own = await at("wm.example", "/favicon.ico");
    expect([own.headers.get("content-type"), await own.text()]).toEqual([
      "image/svg+xml",
      expect.stringMatching(/^<svg/),
    ]);
    const known = { "if-none-match": own.headers.get("etag") ?? "" };
    expect((await at("wm.example", "/favicon.ico", known)).status).toBe(304);
    expect((await at("nobody.example", "/favicon.ico")).status).toBe(404);
  });
});

describe("on the shared domain and on dashboards", () => {
  test.each(["Reset-Password", "invite", "app"])("%s can be neither a slug nor a prefix", async (word) => {
    const id = await addDomain(service, ada.orgId, { hostname: `${word.toLowerCase()}.acme.com` });
    await dashboard(id, true);
    for (const domain of [{}, { domainId: id }]) {
      expectFailure(await create({ ...domain, slug: word }), 400, ["slug"]);
      expectFailure(await create({ ...domain, slug: "x", pathPrefix: `${word}/y` }), 400, ["pathPrefix"]);
      const bioPage = { title: "Page", slug: word, ...domain };
      const path = `/api/v1/organizations/${ada.orgId}/bio-pages`;
      expectFailure(await call("POST", path, { token: ada.token, body: bioPage }), 400, ["slug"]);
      const link = { defaultUrl, slug: word, ...domain };
      const links = `/api/v1/organizations/${ada.orgId}/links`;
      const bulk = await call("POST", `${links}/bulk`, { token: ada.token, body: { links: [link] } });
      expect(bulk.body).toMatchObject({ created: [], errors: [{ index: 0 }] });
      const put = await call("PUT", `${links}/by-external-id/own-${word}`, { token: ada.token, body: link });
      expectFailure(put, 400, ["slug"]);
    }
    expect((await create({ slug: `${word}s` })).status).toBe(201);
  });

  test("a domain with links at the dashboard's paths cannot host the dashboard", async () => {
    const id = await addDomain(service, ada.orgId, { hostname: "used.acme.com" });
    const { body } = await create({ domainId: id, slug: "Login" });
    await create({ domainId: id, slug: "free" });
    const refused = await dashboard(id, true);
    expectFailure(refused, 409, ["links"]);
    expect(refused.body.details).toEqual(["links: /Login would become unreachable"]);
    expect((await at("used.acme.com", "/login")).status).toBe(302);
    await call("DELETE", `/api/v1/organizations/${ada.orgId}/links/${body._id}`, { token: ada.token });
    expect((await dashboard(id, true)).status).toBe(200);
  });
});

describe("links at paths that were reserved later", () => {
  test("are kept but no longer served, and the log lists them", async () => {
    const first = await startTestService({ env });
    const eve = await first.register();
    for (const slug of ["Reset-Password", "invite", "promo"]) await addLink(first, eve.orgId, slug);
    await addLink(first, eve.orgId, "any", "App/more");
    for (let count = 0; count < 30; count++) await addLink(first, eve.orgId, `n${count}`, "Docs");
    const domain = await addDomain(first, eve.orgId, { hostname: "go.eve.com" });
    await addLink(first, eve.orgId, "invite", "", domain);
    const next = await startTestService({ env: { ...env, DATABASE_URL: first.databaseUrl } });
    await until(async () => next.logged().includes("links are unreachable"));
    const line =
      next
        .logged()
        .split("\n")
        .find((text) => text.includes("links are unreachable")) ?? "";
    const { level, count, links } = JSON.parse(line);
    expect([level, count, links.length]).toEqual(["warn", 33, 20]);
    expect(links[0].shortUrl).toBe("https://wm.example/Reset-Password");
    const see = async (host: string, path: string) =>
      (await next.visit(path, { host, accept: "application/json" })).status;
    // The cache that resolve fills must not make the link reachable.
    expect((await next.call("GET", "/api/v1/resolve?domain=wm.example&slug=invite")).status).toBe(404);
    // The path that earlier mails link to explains how to get a new one; a link would have returned 302.
    for (const path of ["/invite", "//invite", "/invite/"]) {
      expect([path, await see("wm.example", path)]).toEqual([path, 410]);
    }
    for (const path of ["/INVITE", "/%69nvite", "/app/more/any", "/App/more/any"]) {
      expect([path, await see("wm.example", path)]).toEqual([path, 404]);
    }
    expect(await see("wm.example", "/promo")).toBe(302);
    expect(await see("go.eve.com", "/invite")).toBe(302);
  });

  test("are not mentioned in the log if there are none", async () => {
    const next = await startTestService({ env });
    await next.register();
    expect(next.logged()).not.toContain("links are unreachable");
  });
});

describe("the machine's own addresses", () => {
  const resolved = (of: TestService, domain: string) =>
    of.call("GET", `/api/v1/resolve?slug=near&domain=${encodeURIComponent(domain)}`);

  test("serve the shared domain's links in development", async () => {
    const local = await startTestService({ env: { SHORT_DOMAIN: "short.example" } });
    await local.createLink(await local.register(), { defaultUrl, slug: "near" });
    for (const host of ["127.0.0.1:3000", "192.168.1.20:3000", "[::1]:3000", "localhost:3000", "mac.local:3000"]) {
      const response = await local.visit("/near", { host });
      expect([host, response.status, response.headers.get("location")]).toEqual([host, 302, defaultUrl]);
      expect((await resolved(local, host)).status).toBe(200);
    }
    expect((await local.visit("/near", { host: "other.example" })).status).toBe(404);
  });

  test("serve no links in production", async () => {
    await service.createLink(ada, { defaultUrl, slug: "near" });
    expect((await at("wm.example", "/near")).status).toBe(302);
    for (const host of ["127.0.0.1:3000", "localhost:3000"]) expect((await at(host, "/near")).status).toBe(404);
    expect((await resolved(service, "127.0.0.1")).status).toBe(404);
  });
});

test("the edge serves no link at a reserved word on the service's own hosts", async () => {
  for (const word of OWN_SEGMENTS) {
    await addLink(service, ada.orgId, word);
    const response = await at("wm.example", `/${word}`);
    expect([word, response.headers.get("location")]).not.toEqual([word, defaultUrl]);
  }
  const [row] = await sql`select count(*)::int as count from links where slug = any(${[...OWN_SEGMENTS]})`;
  expect(row?.count).toBeGreaterThanOrEqual(OWN_SEGMENTS.size);
});
