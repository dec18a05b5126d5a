/** What the dashboard depends on: its page, its files, and the API behind the session's cookie. */
import { describe, expect, test } from "bun:test";
import { describeLoads } from "@test/support/dashboard/built-files";
import { dashboardTypes, TYPES_FILE } from "@test/support/document/dashboard-types";
import { describeApp } from "@test/support/document/described";
import { startTestService } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";
import { LANGUAGES } from "@/core/pages/page-languages";

const service = await startTestService();
const { sql } = service;
const ada = await service.register();
const cookie = `waymark=${ada.token}`;
const here = { cookie, "sec-fetch-site": "same-origin" };
const ask = (path: string, init: RequestInit = {}) => fetch(service.url + path, { redirect: "manual", ...init });
const links = `/app/api/v1/organizations/${ada.orgId}/links`;
const post = (headers: Record<string, string>) =>
  ask(links, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ defaultUrl: "https://example.com/" }),
  });

describe("the session's API", () => {
  test("is the API with a cookie instead of a token", async () => {
    const made = await post(here);
    expect(made.status).toBe(201);
    const list = await ask(links, { headers: { cookie } });
    expect(list.status).toBe(200);
    expect(await list.json()).toMatchObject({ total: 1 });
  });

  test("401 without a cookie, also with a token instead", async () => {
    expect((await ask(links)).status).toBe(401);
    expect((await ask(links, { headers: { authorization: `Bearer ${ada.token}` } })).status).toBe(401);
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a sibling of this host", { "sec-fetch-site": "same-site" }],
    ["another origin, in an older browser", { origin: "https://evil.example" }],
    ["nowhere", {}],
  ] as Array<[string, Record<string, string>]>)("401 for a change that comes from %s", async (_, headers) => {
    expect((await post({ cookie, ...headers })).status).toBe(401);
  });

  test("401 for a page that shows another user than the one who is signed in, and serves it again after them", async () => {
    const [bea, { body: me }] = [
      await service.register(),
      await service.call<AuthSession>("GET", "/api/v1/auth/me", ada),
    ];
    const shown = { "waymark-shown-user": me.user._id };
    const session = { headers: { ...here, ...shown } };
    expect((await post({ ...here, ...shown })).status).toBe(201);
    expect((await ask("/app/api/session", session)).status).toBe(200);
    const other = { ...here, ...shown, cookie: `waymark=${bea.token}` };
    expect((await post(other)).status).toBe(401);
    expect((await ask(links, { headers: other })).status).toBe(401);
    expect((await ask("/app/api/session", { headers: other })).status).toBe(401);
    expect((await post({ ...here, "waymark-shown-user": "" })).status).toBe(401);
    expect((await post({ ...here, ...shown, cookie: "waymark=none" })).status).toBe(401);
  });

  test("accepts the Origin header if there is no Sec-Fetch-Site, and lets no other site read", async () => {
    expect((await post({ cookie, origin: service.url })).status).toBe(201);
    const read = { cookie, "sec-fetch-site": "same-site", origin: "https://evil.example" };
    expect((await ask(links, { headers: read })).status).toBe(401);
  });

  test("records the browser's IP address like the API", async () => {
    const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });
    await ask(`${links}/${link._id}`, { method: "DELETE", headers: here });
    const path = `/api/v1/organizations/${ada.orgId}/audit-logs?action=link.delete`;
    const { body } = await service.call<{ auditLogs: { ip: string }[] }>("GET", path, ada);
    expect(body.auditLogs[0]?.ip).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  test("streams, until the session ends", async () => {
    const eve = await service.register();
    const path = `/app/api/v1/organizations/${eve.orgId}/analytics/overview/stream?intervalMs=1000`;
    const stream = await ask(path, { headers: { cookie: `waymark=${eve.token}` } });
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    await service.call("POST", "/api/v1/auth/logout", eve);
    const text = await stream.text();
    expect(text).toContain("event: snapshot");
    expect((await ask(path, { headers: { cookie: `waymark=${eve.token}` } })).status).toBe(401);
  });

  test("has the routes of the user and of organizations, and none that reveals a token to a script", async () => {
    const { routes } = await describeApp();
    const told = routes.filter(({ path, isHidden }) => path.startsWith("/api/") && !isHidden);
    const reached: string[] = [];
    for (const { method, path } of told) {
      const answer = await ask(`/app${path.replaceAll(/:\w+/g, "none")}`, { method, headers: here });
      const text = await answer.text();
      if (!(answer.status === 404 && text.includes("There is no such route"))) reached.push(`${method} ${path}`);
      expect(text).not.toContain(ada.token);
    }
    const meant = told
      .filter(({ access }) => access.user || access.member)
      .map(({ method, path }) => `${method} ${path}`);
    const kept = ["GET /api/v1/auth/me", "POST /api/v1/auth/logout"];
    expect(reached.sort()).toEqual(meant.filter((each) => !kept.includes(each)).sort());
  });

  test.each([
    "/app/api/v1/organizations/../auth/me",
    "/app/api/v1/organizations/%2e%2e/auth/me",
    "/app/api/v1/organizations/..%2fauth/me",
    "/app/api/v1/auth/login",
  ])("%s is 404", async (path) => {
    const answer = await ask(path, { headers: here });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain(ada.token);
  });
});

describe("GET /app/api/session", () => {
  test("returns the signed-in user and their roles, without the token", async () => {
    const answer = await ask("/app/api/session", { headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const text = await answer.text();
    expect(text).not.toContain(ada.token);
    expect(JSON.parse(text)).toMatchObject({
      user: { email: ada.email },
      organizations: [{ _id: ada.orgId, role: "owner" }],
      sharedDomain: service.host,
      sendsMail: false,
    });
  });

  test("names the organizations that require single sign-on, and where it starts", async () => {
    const [bea, orgId] = [await service.register(), ada.orgId];
    await sql`insert into memberships (id, org_id, user_id, role)
      select ${Bun.randomUUIDv7()}, ${orgId}, id, 'member' from users where email = ${bea.email}`;
    await sql`insert into sso_configurations (org_id, enabled, enforce) values (${orgId}, true, true)`;
    const answer = await ask("/app/api/session", { headers: { cookie: `waymark=${bea.token}` } });
    await sql`delete from sso_configurations where org_id = ${orgId}`;
    const [{ name, slug } = {}] = await sql`select name, slug from organizations where id = ${orgId}`;
    const query = new URLSearchParams({ orgSlug: slug, returnTo: `/app/o/${slug}` });
    const startUrl = `${service.url}/api/v1/auth/sso/start?${query}`;
    expect(await answer.json()).toMatchObject({
      organizations: [{ _id: bea.orgId, role: "owner" }],
      ssoOrganizations: [{ name, slug, startUrl }],
    });
  });

  test("401 without a session; 403 for another site", async () => {
    expect((await ask("/app/api/session")).status).toBe(401);
    expect((await ask("/app/api/session", { headers: { cookie: "waymark=none" } })).status).toBe(401);
    expect((await ask("/app/api/session", { headers: { cookie, "sec-fetch-site": "same-site" } })).status).toBe(403);
  });
});

describe("the page", () => {
  test("says why signing in to another organization failed to whoever is signed in already", async () => {
    for (const path of ["/app", "/app/o/acme/links"]) {
      const page = await ask(`${path}?error=domain_not_allowed`, { headers: { cookie } });
      expect(page.status).toBe(200);
      const html = await page.text();
      expect(html).toContain("did not confirm an email address that is allowed to sign in here");
      expect(html).toContain('<a href="/app"');
      expect(html).not.toContain("<script");
    }
    const other = await ask("/app?error=whatever", { headers: { cookie } });
    expect(await other.text()).toContain("<script");
  });

  test("allows only files of this host, and no scripts built from text", async () => {
    const page = await ask("/app/o/acme/links", { headers: { cookie } });
    expect(page.status).toBe(200);
    const policy = page.headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part);
    }
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
    const text = await page.text();
    expect(text).not.toContain(ada.token);
    expect(text.match(/<script|<style|style=| on\w+=/g)).toEqual(["<script"]);
    for (const [, path = ""] of text.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)) {
      const file = await ask(path, { headers: { "accept-encoding": "br" } });
      expect([path, file.status, file.headers.get("cache-control")]).toEqual([
        ...[path, 200, "public, max-age=31536000, immutable"],
      ]);
    }
  });

  test.each(LANGUAGES)("preloads the texts in %s along with its script", async (language) => {
    const page = await ask("/app/o/acme/links", { headers: { cookie, "accept-language": language } });
    const [, path = ""] = /<link rel="modulepreload" href="([^"]+)"/.exec(await page.text()) ?? [];
    expect(path).toStartWith(`/app/assets/${language}-`);
    expect(await (await ask(path)).text()).toContain(`export{`);
  });

  test("redirects to sign-in first, with the URL to return to", async () => {
    const answer = await ask("/app/o/acme/links?search=a%2Bb");
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/app/sign-in?returnTo=%2Fapp%2Fo%2Facme%2Flinks%3Fsearch%3Da%252Bb");
  });

  test("404 for a file of another version", async () => {
    expect((await ask("/app/assets/main-00000000.js")).status).toBe(404);
    expect((await ask("/app/assets/..%2f..%2fpackage.json")).status).toBe(404);
  });
});

describe("the files", () => {
  const FIRST_LOAD_MAX = 140_000;
  const LATER_PART_MAX = 40_000;
  /** Bytes of the texts in one language that are loaded before anything is rendered, compressed. */
  const FIRST_WORDS_MAX = 4_000;

  test("stay within their size limits: the first screen, each later part with its texts, the first texts", async () => {
    const { first, words, later } = await describeLoads();
    const sizes = later.map(({ size }) => size);
    // Each screen, and the parts that screens load, such as tabs.
    expect(later.length).toBeGreaterThan(25);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LATER_PART_MAX);
    const firstWords = Math.max(...words.map(({ size }) => size));
    expect(firstWords).toBeLessThanOrEqual(FIRST_WORDS_MAX);
    // The first load includes at most the largest screen with its texts, and the first texts of one language.
    const largest = Math.max(...later.filter(({ isOfFrame }) => isOfFrame).map(({ size }) => size));
    expect(first + largest + firstWords).toBeLessThanOrEqual(FIRST_LOAD_MAX);
  });

  test("contain each group of texts in every language, and each is loaded by a part", async () => {
    const { words, later } = await describeLoads();
    // What the API refuses is said by the API's client, with texts of its own.
    const loaded = [...new Set(["faults", ...later.flatMap(({ groups }) => groups)])].sort();
    expect(words.map(({ groups }) => [...groups].sort())).toEqual(LANGUAGES.map(() => loaded));
  });

  test("have types generated from the current document", async () => {
    expect(await Bun.file(TYPES_FILE).text()).toBe(await dashboardTypes());
  });
});
