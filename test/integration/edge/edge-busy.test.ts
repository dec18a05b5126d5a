/** Visits to links that are not cached, while Postgres takes too long to find them. */
import { expect, test } from "bun:test";
import { startTestService } from "@test/support/service";

const service = await startTestService({ env: { LOG_LEVEL: "warn" } });
const { host, sql } = service;
const ada = await service.register();
const defaultUrl = "https://example.com/";

test("a visitor is told to try again when a link takes too long to find, and gets it afterwards", async () => {
  const { slug } = await service.createLink(ada, { defaultUrl });
  const open = `/api/v1/resolve?domain=${host}&slug=${slug}`;
  const told = async (path: string, method = "GET") => {
    const headers = { accept: "application/json" };
    const response = await fetch(service.url + path, { method, headers, redirect: "manual" });
    return [response.status, response.headers.get("retry-after"), await response.text()];
  };
  await sql.begin(async (tx) => {
    await tx`lock table links in access exclusive mode`;
    const [visit, head, resolve, unknown] = await Promise.all([
      told(`/${slug}`),
      told(`/${slug}`, "HEAD"),
      told(open),
      told("/nothing"),
    ]);
    const refused = [503, "1", '{"error":"This link is unavailable right now; try again shortly"}'];
    expect([visit, unknown]).toEqual([refused, refused]);
    expect(head).toEqual([503, "1", ""]);
    expect(resolve).toEqual([503, "1", '{"error":"The service is busy; try again shortly"}']);
  });
  expect((await told(`/${slug}`))[0]).toBe(302);
  expect((await told(open))[0]).toBe(200);
  expect(service.logged()).toContain("Loading a link takes too long");
  expect(service.logged()).not.toContain('"level":"error"');
});
