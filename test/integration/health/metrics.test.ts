/** What Prometheus scrapes: who may, what is counted, and that a scrape covers every worker. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createWebhook } from "@test/support/outside/webhooks";
import { samplesOf, scrape } from "@test/support/scrape";
import { whileLocked } from "@test/support/servers/lock-waits";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { CLIENT_HEADER, client, startTestService } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import type { BioPage } from "@/contract/links/bio-pages";

const METRICS_TOKEN = "a-token-for-those-who-scrape";
const NO_REPLICA = "postgres://nobody@127.0.0.1:1/none";
const service = await startTestService({
  env: { METRICS_TOKEN, OUTBOUND_ALLOW: "127.0.0.1", DATABASE_READ_URL: NO_REPLICA },
});

const asks = (headers: Record<string, string>) => fetch(`${service.url}/metrics`, { headers });

describe("/metrics answers", () => {
  test("requests from the machine itself and with the token, in Prometheus's format", async () => {
    for (const headers of [{}, { authorization: `Bearer ${METRICS_TOKEN}`, [CLIENT_HEADER]: "203.0.113.9" }] as Record<
      string,
      string
    >[]) {
      const response = await asks(headers);
      expect([response.status, response.headers.get("content-type")]).toEqual([
        200,
        "text/plain; version=0.0.4; charset=utf-8",
      ]);
      expect(samplesOf(await response.text()).length).toBeGreaterThan(20);
    }
  });

  test("all other requests with 401", async () => {
    for (const headers of [
      { [CLIENT_HEADER]: "203.0.113.9" },
      { authorization: "Bearer guessed", [CLIENT_HEADER]: "203.0.113.9" },
    ] as Record<string, string>[]) {
      expect((await asks(headers)).status).toBe(401);
    }
  });
});

test("counts visits by outcome, refusals by reason, hits of the cache, clicks, deliveries and API requests", async () => {
  const account = await service.register();
  const link = await service.createLink(account, {
    defaultUrl: "https://example.com/",
    rules: [{ priority: 1, destinationUrl: "https://example.com/de", conditions: { languages: ["de"] } }],
  });
  const gone = await service.createLink(account, {
    defaultUrl: "https://example.com/",
    expiresAt: "2020-01-01T00:00:00Z",
  });
  await createWebhook(service, account, "http://127.0.0.1:1/", ["custom.event"]);
  const apiKey = await service.createApiKey(account, ["events:write"]);
  const before = await scrape(service.url);
  for (let visit = 0; visit < 3; visit++) await service.visit(link);
  await service.visit(link, { "accept-language": "de" });
  await service.visit(gone);
  await service.visit("/nothing-stands-here");
  expect((await service.call("POST", "/api/v1/events", { apiKey, body: { name: "sale" } })).status).toBe(201);
  await waitUntilDrained(service.service);
  let now = await scrape(service.url);
  while (now("waymark_webhook_tries_total", { outcome: "failed" }) === 0) now = await scrape(service.url);
  const grown = (name: string, labels?: Record<string, string>) => now(name, labels) - before(name, labels);
  expect(grown("waymark_visits_total", { outcome: "default" })).toBe(3);
  expect(grown("waymark_visits_total", { outcome: "rule" })).toBe(1);
  expect(grown("waymark_refused_visits_total", { reason: "expired" })).toBe(1);
  expect(grown("waymark_refused_visits_total", { reason: "unknown" })).toBe(1);
  expect(grown("waymark_link_cache_hits_total")).toBeGreaterThanOrEqual(3);
  expect(grown("waymark_link_cache_loads_total")).toBeGreaterThanOrEqual(2);
  expect(grown("waymark_clicks_recorded_total")).toBe(4);
  expect(grown("waymark_clicks_applied_total")).toBe(4);
  expect(grown("waymark_click_batches_total")).toBeGreaterThanOrEqual(1);
  expect(now("waymark_spool_pending_bytes")).toBe(0);
  const events = { route: "/api/v1/events", method: "POST", status: "201" };
  expect(now("waymark_api_request_seconds_count", events)).toBe(1);
  expect(now("waymark_postgres_connections")).toBeGreaterThan(0);
  expect(now("waymark_degraded")).toBe(0);
  expect(now("waymark_metrics_readings_failed_total", { reading: "webhook_queue" })).toBe(0);
  expect(now("waymark_event_loop_delay_seconds", { quantile: "1" })).toBeGreaterThan(0);
  expect(now("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
});

test("counts clicked items of a bio page as redirects, and only the page itself as a page", async () => {
  const { token, orgId } = await service.register();
  const links = [{ title: "Shop", url: "https://example.com/shop" }];
  const body = { title: "Ada", slug: "counted-page", links };
  const page = await service.call<BioPage>("POST", `/api/v1/organizations/${orgId}/bio-pages`, { token, body });
  const before = await scrape(service.url);
  expect((await service.visit("/counted-page")).status).toBe(200);
  for (let visit = 0; visit < 2; visit++)
    expect((await service.visit(`/counted-page?item=${page.body.links[0]?.key}`)).status).toBe(302);
  const now = await scrape(service.url);
  const grown = (outcome: string) =>
    now("waymark_visits_total", { outcome }) - before("waymark_visits_total", { outcome });
  expect([grown("page"), grown("split")]).toEqual([1, 2]);
});

test("the Grafana dashboard uses only existing metrics, and shows all of them", async () => {
  const board = await (await fetch(`${service.url}/docs/grafana.json`)).text();
  const scraped = samplesOf(await (await asks({})).text()).map(({ name }) => name);
  const shown = new Set(board.match(/\b(?:waymark|process)_[a-z_]+/g));
  expect([...shown].filter((name) => !scraped.includes(name))).toEqual([]);
  const histogram = /_(?:bucket|sum|count)$/;
  const told = new Set(scraped.filter((name) => !histogram.test(name)));
  expect([...told].filter((name) => !shown.has(name))).toEqual([]);
  expect(JSON.parse(board)).toMatchObject({ title: "Waymark", panels: expect.any(Array) });
});

test("a value that Postgres cannot provide is left out, and the failed reading is counted immediately", async () => {
  const other = await startTestService({ env: { DATABASE_URL: service.databaseUrl } });
  await service.sql`alter table webhook_deliveries rename to out_of_reach`;
  try {
    const values = await scrape(other.url);
    expect(() => values("waymark_webhook_pending")).toThrow();
    expect(values("waymark_metrics_readings_failed_total", { reading: "webhook_queue" })).toBe(1);
    expect(values("waymark_postgres_connections")).toBeGreaterThan(0);
  } finally {
    await service.sql`alter table out_of_reach rename to webhook_deliveries`;
  }
});

describe("with worker processes", () => {
  const started: { end(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const { end } of started) await end();
  });

  async function start(workers: string) {
    const database = await createDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "waymark-test-"));
    const port = await takePort();
    const env = { WORKERS: workers };
    const process = new ServiceProcess({ port, dataDir, databaseUrl: database.url, env });
    started.push({
      async end() {
        await process.end();
        await database.drop();
        await rm(dataDir, { recursive: true, force: true });
      },
    });
    await process.until("worker ready", Number(workers));
    await process.until("serving");
    return { process, sql: database.sql, ...client(`http://localhost:${port}`) };
  }

  test("a scrape covers all workers, whichever one answers, each with its number", async () => {
    const { url, ...api } = await start("2");
    const link = await api.createLink(await api.register(), { defaultUrl: "https://example.com/" });
    for (let visit = 0; visit < 40; visit++) await fetch(link.shortUrl, { redirect: "manual", keepalive: false });
    const scrapes = await Promise.all(Array.from({ length: 8 }, () => scrape(url)));
    for (const values of scrapes) {
      expect(values("waymark_visits_total")).toBe(40);
      const byWorker = ["1", "2"].map((worker) => values("waymark_visits_total", { worker }));
      expect(byWorker.every((visits) => visits > 0)).toBe(true);
    }
  });

  test("a scrape covers all workers while they wait for Postgres in vain", async () => {
    const { url, sql } = await start("2");
    const locked = "lock table webhook_deliveries in access exclusive mode";
    const { values } = await whileLocked(sql, locked, async () => ({ values: await scrape(url) }));
    for (const worker of ["1", "2"])
      expect(values("waymark_metrics_readings_failed_total", { worker, reading: "webhook_queue" })).toBe(1);
  });

  test("a scrape after a rolling restart leaves out what the previous worker counted", async () => {
    const { url, process } = await start("1");
    await fetch(`${url}/nothing-stands-here`, { keepalive: false });
    expect((await scrape(url))("waymark_refused_visits_total", { reason: "unknown" })).toBe(1);
    process.process.kill("SIGHUP");
    await process.until("rolling restart finished");
    const values = await scrape(url);
    expect(values("waymark_refused_visits_total", { reason: "unknown" })).toBe(0);
    expect(values("process_start_time_seconds", { worker: "1" })).toBeGreaterThan(0);
    expect(values("process_start_time_seconds")).toBe(values("process_start_time_seconds", { worker: "1" }));
  });
});
