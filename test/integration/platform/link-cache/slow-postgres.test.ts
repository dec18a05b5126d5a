/** Visits that have to wait for Postgres, while it takes too long. */
import { expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { startTestService } from "@test/support/service";

const service = await startTestService({ env: { LOG_LEVEL: "warn" } });
const { host, sql } = service;
const ada = await service.register();
const defaultUrl = "https://example.com/";
await addDomain(service, ada.orgId, { hostname: "go.ada.test" });

const told = async (path: string, method = "GET", asked = host) => {
  const headers = { host: asked, accept: "application/json", "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Busy" };
  const response = await fetch(service.url + path, { method, headers, redirect: "manual" });
  return [response.status, response.headers.get("retry-after"), await response.text()];
};

test("a visitor is told to try again when Postgres takes too long, and gets the link afterwards", async () => {
  const { slug } = await service.createLink(ada, { defaultUrl });
  await service.createLink(ada, { defaultUrl, slug: "few", maxClicks: 5 });
  expect((await told("/few", "HEAD"))[0]).toBe(302);
  const open = `/api/v1/resolve?domain=${host}&slug=${slug}`;
  await sql.begin(async (tx) => {
    await tx`lock table links, link_admissions, domains in access exclusive mode`;
    const [visit, head, resolve, unknown, place, file] = await Promise.all([
      told(`/${slug}`),
      told(`/${slug}`, "HEAD"),
      told(open),
      told("/nothing"),
      told("/few"),
      told("/.well-known/assetlinks.json", "GET", "go.ada.test"),
    ]);
    const refused = [503, "1", '{"error":"This link is unavailable right now; try again shortly"}'];
    expect([visit, unknown, place]).toEqual([refused, refused, refused]);
    expect(head).toEqual([503, "1", ""]);
    expect(resolve).toEqual([503, "1", '{"error":"The service is busy; try again shortly"}']);
    expect(file).toEqual([503, "1", '{"error":"Association files are unavailable right now; try again shortly"}']);
  });
  expect((await told(`/${slug}`))[0]).toBe(302);
  expect((await told("/few"))[0]).toBe(302);
  expect((await told(open))[0]).toBe(200);
  expect((await told("/.well-known/assetlinks.json", "GET", "go.ada.test"))[0]).toBe(200);
  expect(service.logged()).toContain("Postgres takes too long");
  expect(service.logged()).not.toContain('"level":"error"');
});
