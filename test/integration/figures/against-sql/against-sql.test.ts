/**
 * Every view of the figures, over HTTP, against plain SQL over the raw rows: totals, series, lists, ranks, exports and
 * single clicks, for ranges and filters drawn at random, after each of the changes that figures must follow.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readEvents } from "@test/integration/analytics/event-stream";
import { SECRET } from "@test/support/match";
import { startTestService } from "@test/support/service";
import postgres from "postgres";
import { deleteExpired } from "@/clicks/retention";
import type { Link } from "@/contract/links/links";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { buildDays } from "@/figures/columns/build-days";
import { storeLeaders } from "@/figures/read/links/stored-leaders";
import { createLog } from "@/platform/telemetry/log";
import { askedOf, atFullHours } from "./asked";
import { convert, createWebhooks, importLinks, OLD_CLICKS } from "./conversions";
import { type Asked, DIMENSIONS, plainSql } from "./plain-sql";
import { makeWorkspace, NOW, oneOf, START, startServers, trafficOf, type Workspace } from "./traffic";
import { type Differences, patient, Refused, type View, viewOf } from "./view";
import { compareBreakdown, compareClicks, compareExport, compareOverview, compareTopLinks } from "./views";

const VISITS = 700;
const ROUNDS = 2;
const SEED = 1;

let now = NOW;
const env = { APP_SECRET: SECRET, OUTBOUND_ALLOW: "127.0.0.1" };
const service = patient(await startTestService({ env, clock: () => now }));
const servers = startServers(service);
let workspace: Workspace;
let view: View;
let random: ReturnType<typeof askedOf>;
let home: string;
let webhooks: Record<string, string>;
const call = <Body>(method: string, path: string, body?: unknown) =>
  service.call<Body>(method, home + path, { token: workspace.account.token, body });

beforeAll(async () => {
  workspace = await makeWorkspace(service);
  random = askedOf(workspace, SEED);
  home = `/api/v1/organizations/${workspace.account.orgId}`;
  webhooks = await createWebhooks(service, workspace.account);
  const other = await makeWorkspace(service, 2);
  await servers.record([...trafficOf(workspace, VISITS, SEED), ...trafficOf(other, VISITS / 10, SEED)]);
  await convert(service, workspace, random.draw, { clock: () => now, at: (time) => (now = time) });
  now = NOW;
  for (const place of [3, 10]) await call("DELETE", `/links/${workspace.links[place]?._id}`);
  await call("PATCH", `/links/${workspace.links[4]?._id}`, { isArchived: true });
  view = viewOf(service, workspace.account, plainSql(service.sql, workspace.account.orgId), NOW);
});
afterAll(() => servers.stop());

interface Comparing {
  /** Parts of hours are not known any more. */
  isExpired?: boolean;
  refused?: Refused[];
}

async function compareAll({ isExpired = false, refused }: Comparing = {}): Promise<string[]> {
  const found: string[] = [];
  let compared = 0;
  const { draw } = random;
  const asked = () => (isExpired ? atFullHours(random.asked()) : random.asked());
  const compare = async (comparing: Promise<Differences>) => {
    try {
      const differences = await comparing;
      found.push(...differences.found);
      compared += differences.compared;
    } catch (error) {
      if (!(error instanceof Refused && refused)) throw error;
      refused.push(error);
    }
  };
  for (let round = 0; round < ROUNDS; round++) {
    const range = round === 0 ? EVERYTHING : asked();
    // A range that has not ended is compared with one that ends within an hour.
    await compare(compareOverview(view, range, draw() < 0.4 && !(isExpired && range.to > NOW)));
    await compare(compareBreakdown(view, asked(), oneOf(draw, BREAKDOWNS), oneOf(draw, [1, 5, 200])));
    await compare(compareTopLinks(view, round === 0 ? EVERYTHING : asked(), oneOf(draw, [3, 10, 100])));
    await compare(compareExport(view, asked()));
  }
  if (!isExpired) await compare(compareClicks(view, asked(), oneOf(draw, ["", "ios"]), oneOf(draw, [30, 100])));
  expect(compared).toBeGreaterThan(20 * ROUNDS);
  return found;
}
/** Ends at a full hour, as it must once parts of hours are not known. */
const EVERYTHING: Asked = { from: START, to: NOW - (NOW % HOUR_MS) + HOUR_MS, includeBots: false, filters: {} };
const BREAKDOWNS = [...DIMENSIONS, "tag", "hourOfWeek"];

test("while clicks are rows", async () => expect(await compareAll()).toEqual([]));

test("in webhooks and in exports of leads", async () => {
  const sent: [string, number][] = [];
  for (const [event, id] of Object.entries(webhooks)) {
    const { body } = await call<{ total: number }>("GET", `/webhooks/${id}/deliveries?limit=1`);
    sent.push([event, body.total]);
  }
  expect(new Map(sent)).toEqual(await view.sql.messages());
  for (const [linkId, times] of await view.sql.leads()) {
    const { body } = await call<string>("GET", `/links/${linkId}/leads/export.csv`);
    const [, ...rows] = body.trimEnd().split("\r\n");
    expect(rows.map((row) => Date.parse(row.split(",")[0] ?? ""))).toEqual(times);
    expect((await call<{ total: number }>("GET", `/links/${linkId}/leads`)).body.total).toBe(times.length);
  }
});

test("once past days are stored in columns, with their leaders", async () => {
  await buildDays(service.sql, { now: NOW, clicksMin: 10 });
  await storeLeaders(service.sql, { now: NOW, days: 500, clicksMin: 10, max: 5 });
  expect(await compareAll()).toEqual([]);
});

test("after verdicts, an erasure, and more clicks of past days", async () => {
  await judge();
  const visitorId = await view.sql.busyVisitor();
  expect((await call("POST", "/privacy/erase", { visitorId })).status).toBe(200);
  await servers.record(trafficOf(workspace, VISITS / 10, SEED + 1));
  expect(await compareAll()).toEqual([]);
});

async function judge(): Promise<void> {
  const { body } = await call<{ items: { clickId: string }[] }>("GET", "/analytics/abuse-queue?limit=12");
  expect(body.items).toHaveLength(12);
  for (const [place, { clickId }] of body.items.entries()) {
    await call("PATCH", `/analytics/abuse-queue/${clickId}`, {
      status: ["confirmed", "dismissed", "pending"][place % 3],
    });
  }
}

test("with clicks from before an import, which are kept apart", async () => {
  await importLinks(service, workspace.account);
  for (const [query, days] of OLD_CLICKS) {
    const { clicksBefore } = await view.call<{ clicksBefore?: { count: number; inRange?: number } }>(
      `overview?from=2026-03-01&to=2026-04-01${query}`,
    );
    const inMarch = days.byDay.filter(([date]) => date.startsWith("2026-03")).map(([, count]) => count);
    const inRange = inMarch.reduce((sum, count) => sum + count, 0);
    expect([query, clicksBefore]).toMatchObject([query, { count: days.count, inRange }]);
  }
  expect(await compareAll()).toEqual([]);
});

test("in reports, trends, lists of links and the stream", async () => {
  const reported: { tag?: string[]; includeBots?: boolean; linkId?: string }[] = [
    ...[{}, { tag: ["spring"] }, { includeBots: true, linkId: random.linkIds[1] }],
  ];
  for (const [period, days] of [
    ["24h", 1],
    ["30d", 30],
  ] as const) {
    for (const filters of reported) {
      const report = await call<{ _id: string }>("POST", "/analytics/reports", {
        ...{ name: "Report", filters: { period, ...filters } },
      });
      const asked: Asked = {
        ...{ from: NOW - (NOW % HOUR_MS) - days * DAY_MS, to: NOW, includeBots: "includeBots" in filters },
        filters: { ...(filters.tag && { tag: filters.tag }), ...(filters.linkId && { linkId: [filters.linkId] }) },
      };
      expect((await compareExport(view, asked, `reports/${report.body._id}/export.csv`)).found).toEqual([]);
    }
  }
  await compareLists();
  await compareTrends();
  const response = await fetch(`${service.url}${home}/analytics/overview/stream?intervalMs=1000&tag=spring`, {
    headers: { authorization: `Bearer ${workspace.account.token}` },
  });
  const events = readEvents(response);
  const { data } = await events.next("snapshot");
  expect(data).toEqual(await view.call<object>("overview?tag=spring"));
  await events.close();
});

async function compareLists(): Promise<void> {
  const listed = async (query: string) =>
    (await call<{ links: Link[] }>("GET", `/links?limit=100&${query}`)).body.links;
  const [links, archived] = [await listed("sort=clicks&isArchived=false"), await listed("isArchived=true")];
  const shown = [...links, ...archived].map(({ _id, clickCount }) => [_id, clickCount] as const);
  expect(new Map(shown)).toEqual(new Map((await view.sql.counters()).map(({ linkId, clicks }) => [linkId, clicks])));
  const counts = links.map(({ clickCount }) => clickCount);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
}

async function compareTrends(): Promise<void> {
  const query = random.linkIds.map((id) => `linkId=${id}`).join("&");
  const trends = await view.call<{ links: { linkId: string; clicks: number[] }[] }>(`trends?days=30&${query}`);
  const from = NOW - (NOW % DAY_MS) - 29 * DAY_MS;
  for (const { linkId, clicks } of trends.links) {
    const asked = { from, to: from + 30 * DAY_MS, includeBots: false, filters: { linkId: [linkId] } };
    const series = await view.sql.series(asked, "day");
    expect(clicks).toEqual(clicks.map((_, place) => series.get(from + place * DAY_MS)?.clicks ?? 0));
  }
}

test("after retention, as if all clicks were still there, or with a word of what is deleted", async () => {
  const copies = ["clicks", "opens", "events"].map(
    (each) => `create table truth.${each} as select * from public.${each}`,
  );
  await service.sql.unsafe(`create schema truth; ${copies.join(";")}`);
  const truth = postgres(service.databaseUrl, {
    ...{ connection: { search_path: "truth, public" }, max: 2, onnotice: () => {} },
  });
  const outcome = await deleteExpired({
    ...{ sql: service.sql, now: NOW, retentionDays: { unlimited: 20 }, signal: new AbortController().signal },
    log: createLog(() => {}),
  });
  expect(outcome.deleted + outcome.dropped.length).toBeGreaterThan(VISITS / 10);
  const before = view;
  view = { ...view, sql: plainSql(truth, workspace.account.orgId) };
  const refused: Refused[] = [];
  expect(await compareAll({ isExpired: true, refused })).toEqual([]);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
  expect(refused.filter(({ details }) => !details.some((each) => each.includes("have been deleted")))).toEqual([]);
  view = before;
  await truth.end();
});
