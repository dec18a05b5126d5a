/** Traces that a collector receives: of API requests, batches and deliveries, and never of redirects. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";

interface Span {
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Export {
  resourceSpans: { resource: { attributes: Span["attributes"] }; scopeSpans: { spans: Span[] }[] }[];
}

/** Whose traces the collector takes. */
let tenant = "acme";
const spans: Span[] = [];
const names = new Set<unknown>();
const collector = Bun.serve({
  port: 0,
  async fetch(request) {
    if (new URL(request.url).pathname !== "/v1/traces" || request.headers.get("x-tenant") !== tenant) {
      return new Response(null, { status: 404 });
    }
    const { resourceSpans } = (await request.json()) as Export;
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const { key, value } of resource.attributes) if (key === "service.name") names.add(value.stringValue);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    return Response.json({});
  },
});

const database = await createDatabase();
const dataDir = await mkdtemp(join(tmpdir(), "waymark-test-"));
const port = await takePort();
const process = new ServiceProcess({
  ...{ port, dataDir, databaseUrl: database.url },
  env: {
    WORKERS: "1",
    OUTBOUND_ALLOW: "127.0.0.1",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=acme",
    OTEL_RESOURCE_ATTRIBUTES: "service.name=links",
    OTEL_BSP_SCHEDULE_DELAY: "50",
  },
});
afterAll(async () => {
  await process.end();
  await collector.stop(true);
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test("API requests, batches of clicks and deliveries are traced, redirects are not", async () => {
  await process.until("serving");
  const service = client(`http://localhost:${port}`);
  const account = await service.register();
  const hook = await service.call("POST", `/api/v1/organizations/${account.orgId}/webhooks`, {
    token: account.token,
    body: { url: "http://127.0.0.1:1/", events: ["link.created"] },
  });
  expect(hook.status).toBe(200);
  const link = await service.createLink(account, { slug: "untraced", defaultUrl: "https://example.com/" });
  expect((await fetch(link.shortUrl, { redirect: "manual" })).status).toBe(302);
  const named = (name: string) => spans.filter((span) => span.name === name);
  const wanted = ["POST /api/v1/organizations/:orgId/links", "click batch", "webhook delivery"];
  while (!wanted.every((name) => named(name).length > 0)) await Bun.sleep(20);
  const [created] = named("POST /api/v1/organizations/:orgId/links");
  const tookMs = (Number(created?.endTimeUnixNano) - Number(created?.startTimeUnixNano)) / 1e6;
  expect(tookMs).toBeGreaterThan(0);
  expect(created?.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: 201 } });
  expect(named("click batch")[0]?.attributes).toContainEqual({ key: "clicks", value: { intValue: 1 } });
  expect([...names]).toEqual(["links"]);
  expect(JSON.stringify(spans)).not.toContain("untraced");
});

test("the log says that the collector refuses traces, and why", async () => {
  tenant = "other";
  await fetch(`http://localhost:${port}/api/v1/auth/me`);
  await process.until("could not send traces");
  expect(process.logged("could not send traces")).toMatchObject([{ level: "warn", reason: "Not Found 404" }]);
  expect(await process.end()).toBe(0);
  expect(process.errorOutput).toBe("");
});
