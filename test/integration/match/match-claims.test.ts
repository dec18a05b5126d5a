/** A token is claimed once and counted once: under races, while clicks are written, and whatever fails in between. */
import { describe, expect, test } from "bun:test";
import { addApp } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createMint, IPHONE, PIXEL, SECRET } from "@test/support/match";
import { type Account, type Reply, startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { Link } from "@/contract/links/links";
import type { MatchResponse } from "@/contract/match";
import type { Platform } from "@/contract/platforms";
import { verifyFigures } from "@/figures/verify/verify";
import { deleteOldClaims } from "@/modules/match/retention";
import { takeLock } from "@/platform/db/locks";

const env = { APP_SECRET: SECRET, SHORT_DOMAIN: "match.example" };
const first = await startTestService({ env });
const second = await startTestService({ env: { ...env, DATABASE_URL: first.databaseUrl } });
const services = [first, second];
const { sql } = first;
const mint = await createMint(first);

interface Workspace extends Account {
  link: Link;
}

async function workspace(): Promise<Workspace> {
  const account = await first.register();
  const appProfileId = await addApp(first, account.orgId, {
    ios: { appStoreId: "284882215" },
    android: { packageName: "com.example.app" },
  });
  return { ...account, link: await first.createLink(account, { defaultUrl: "https://example.com/", appProfileId }) };
}

const serverOf = (index: number) => services[index % services.length] ?? first;
const claimOnce = (token: string, index = 0): Promise<Reply<MatchResponse>> =>
  serverOf(index).call("POST", "/api/v1/match", { body: { matchToken: token } });

/**
 * Asks as apps do: again after 503. An organization's claims are counted one after the other, and on a busy machine, the
 * last of many waits longer than they may.
 */
async function unlessBusy(ask: () => Promise<Reply<MatchResponse>>): Promise<Reply<MatchResponse>> {
  const reply = await ask();
  return reply.status === 503 ? unlessBusy(ask) : reply;
}

const claim = (token: string, index = 0) => unlessBusy(() => claimOnce(token, index));
const attributeOnce = (body: object, index: number): Promise<Reply<MatchResponse>> =>
  serverOf(index).call("POST", "/api/v1/match/install-attribution", { body });

async function overviewOf({ orgId, token }: Account, query = ""): Promise<AnalyticsOverview> {
  const path = `/api/v1/organizations/${orgId}/analytics/overview?${query}`;
  const { status, body } = await second.call<AnalyticsOverview>("GET", path, { token });
  expect(status).toBe(200);
  return body;
}

/** Expects that every server's clicks are in Postgres and every figure agrees with the raw rows. */
async function expectNoDifference(orgId: string): Promise<void> {
  for (const { service } of services) await waitUntilDrained(service);
  const found: object[] = [];
  await verifyFigures(sql, { span: {}, orgId, isRepairing: false, onDifference: (each) => found.push(each) });
  expect(found).toEqual([]);
}

/** Expects `count` claims, opens and installs of the organization. */
async function expectInstalls(account: Account, count: number): Promise<void> {
  const { orgId } = account;
  const [rows] = await sql`
    select (select count(*)::int from claims where org_id = ${orgId}) as claims,
      (select count(*)::int from opens where org_id = ${orgId} and source = 'deferred') as opens`;
  expect(rows).toEqual({ claims: count, opens: count });
  const { installs, matchedInstalls, opens } = await overviewOf(account);
  expect([installs, matchedInstalls, opens]).toEqual([count, count, count]);
  await expectNoDifference(orgId);
}

test("fifty simultaneous claims of one token on two servers count once and get the same response", async () => {
  const ada = await workspace();
  const token = await mint(ada.link._id);
  const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => claim(token, index)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(replies[0]?.body.matched).toBe(true);
  expect(new Set(replies.map(({ body }) => JSON.stringify(Object.entries(body).toSorted())))).toHaveProperty("size", 1);
  await expectInstalls(ada, 1);
});

test("simultaneous claims by both routes succeed on only one of them", async () => {
  const ada = await workspace();
  const token = await mint(ada.link._id);
  const claims = Array.from({ length: 20 }, (_, index) =>
    index % 2 ? claim(token, index) : unlessBusy(() => attributeOnce({ ct: token }, index >> 1)),
  );
  const bodies = (await Promise.all(claims)).map(({ body }) => body);
  expect(bodies.filter(({ matched }) => matched)).toHaveLength(10);
  expect(new Set(bodies.map(({ openId }) => openId)).size).toBe(2);
  await expectInstalls(ada, 1);
});

test("claims of many tokens while clicks are written leave all figures in agreement with the rows", async () => {
  const ada = await workspace();
  const tokens = await Promise.all(Array.from({ length: 40 }, () => mint(ada.link._id)));
  const path = new URL(ada.link.shortUrl).pathname;
  const visits = Promise.all(
    Array.from({ length: 400 }, (_, index) => serverOf(index).visit(path, { host: "match.example" })),
  );
  const replies = await Promise.all(tokens.map(claim));
  expect(replies.every(({ body }) => body.matched)).toBe(true);
  expect(new Set(replies.map(({ body }) => body.installId)).size).toBe(40);
  expect((await visits).every(({ status }) => status === 302)).toBe(true);
  await expectInstalls(ada, 40);
  expect((await overviewOf(ada, "includeBots=true")).totalClicks).toBe(400);
});

test("many claims at once of one organization are all answered, also if they take longer than a lock may", async () => {
  const ada = await workspace();
  const tokens = await Promise.all(Array.from({ length: 12 }, () => mint(ada.link._id)));
  await sql`create function take_long() returns trigger language plpgsql as
    'begin perform pg_sleep(0.9); return new; end'`;
  await sql`create trigger take_long before insert on opens for each row execute function take_long()`;
  try {
    const replies = await Promise.all(tokens.map((token) => claimOnce(token)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    await sql`drop function take_long cascade`;
  }
  await expectInstalls(ada, 12);
});

test("claims that wait for a lock in vain, or for such a claim, get 503, and count when they are sent again", async () => {
  const ada = await workspace();
  const tokens = await Promise.all(Array.from({ length: 12 }, () => mint(ada.link._id)));
  const replies = await first.db.transaction(async (tx) => {
    await takeLock(tx, ada.orgId, "figures");
    return Promise.all(tokens.map((token) => claimOnce(token)));
  });
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
  for (const token of tokens) expect((await claim(token)).body.matched).toBe(true);
  await expectInstalls(ada, 12);
});

test("a claim that fails midway stores nothing, and succeeds when it is sent again", async () => {
  const ada = await workspace();
  const token = await mint(ada.link._id);
  await sql`alter table figures_daily rename to figures_away`;
  try {
    expect((await claimOnce(token)).status).toBeGreaterThanOrEqual(500);
    expect([...(await sql`select 1 from claims where org_id = ${ada.orgId}`)]).toEqual([]);
  } finally {
    await sql`alter table figures_away rename to figures_daily`;
  }
  expect((await claim(token)).body.matched).toBe(true);
  await expectInstalls(ada, 1);
});

test("a claim cut off before its commit stores nothing, and counts once when it is sent again", async () => {
  const ada = await workspace();
  const token = await mint(ada.link._id);
  const cut = await first.db.transaction(async (tx) => {
    await takeLock(tx, ada.orgId, "figures");
    const claimed = claimOnce(token);
    await waiting();
    await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    return (await claimed).status;
  });
  expect(cut).toBeGreaterThanOrEqual(500);
  expect([...(await sql`select 1 from claims where org_id = ${ada.orgId}`)]).toEqual([]);
  expect((await claim(token, 1)).body.matched).toBe(true);
  expect((await claim(token)).body.matched).toBe(true);
  await expectInstalls(ada, 1);
});

test("a claim is deleted once its token is too old to be accepted, and its install stays counted", async () => {
  const ada = await workspace();
  for (let claims = 0; claims < 3; claims++) expect((await claim(await mint(ada.link._id))).body.matched).toBe(true);
  const DAY_MS = 86_400_000;
  const left = () => sql`select 1 from claims where org_id = ${ada.orgId}`;
  const { signal } = new AbortController();
  const deleteAt = (now: number) => deleteOldClaims({ sql, now, signal, batchRows: 1 });
  expect(await deleteAt(Date.now() + 90 * DAY_MS)).toBe(0);
  expect((await left()).length).toBe(3);
  await deleteAt(Date.now() + 92 * DAY_MS);
  expect((await left()).length).toBe(0);
  expect((await overviewOf(ada)).installs).toBe(3);
});

/** Waits until a claim has its row and waits for the organization's lock. */
async function waiting(): Promise<void> {
  const waits = () => sql`select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await until(async () => (await waits()).length > 0);
}

describe("an install counts, from the store's redirect to the overview:", () => {
  const locationOf = async ({ link }: Workspace, userAgent: string) => {
    const headers = { host: "match.example", "user-agent": userAgent };
    const response = await first.visit(new URL(link.shortUrl).pathname, headers);
    return new URL(response.headers.get("location") ?? "");
  };
  const attribute = async (body: object, userAgent: string) =>
    (await second.call("POST", "/api/v1/match/install-attribution", { body, headers: { "user-agent": userAgent } }))
      .body;

  test.each<[string, string, (location: URL) => object, Platform]>([
    [
      "an Android, by Play's referrer",
      PIXEL,
      (url) => ({ installAttributionToken: url.searchParams.get("referrer") }),
      "android",
    ],
    ["an iPhone, by the App Store's campaign", IPHONE, (url) => ({ ct: url.searchParams.get("ct") }), "ios"],
  ])("%s", async (_, userAgent, input, platform) => {
    const ada = await workspace();
    const other = await first.createLink(ada, { defaultUrl: "https://example.com/other" });
    const location = await locationOf(ada, userAgent);
    expect(await attribute(input(location), userAgent)).toMatchObject({
      matched: true,
      destinationUrl: "https://example.com/",
    });
    await expectInstalls(ada, 1);

    for (const includeBots of [false, true]) {
      const overview = await overviewOf(ada, `linkId=${ada.link._id}&includeBots=${includeBots}`);
      const { conversionFunnel, timeseries, byOpenSource, byOpenPlatform } = overview;
      expect(overview).toMatchObject({ installs: 1, matchedInstalls: 1, opens: 1, totalClicks: 1 });
      expect(conversionFunnel).toContainEqual({ stage: "installs", count: 1, rate: 1 });
      expect(timeseries.reduce((sum, { installs }) => sum + installs, 0)).toBe(1);
      expect(byOpenSource).toContainEqual({ source: "deferred", count: 1 });
      expect(byOpenPlatform).toContainEqual({ platform, count: 1 });
    }
    expect(await overviewOf(ada, `linkId=${other._id}`)).toMatchObject({ installs: 0, matchedInstalls: 0, opens: 0 });
  });

  test("in an export, in the period of the claim", async () => {
    const ada = await workspace();
    await claim(await mint(ada.link._id));
    const path = `/api/v1/organizations/${ada.orgId}/analytics/export.csv`;
    const { body } = await first.call("GET", path, { token: ada.token });
    const [header, ...lines] = String(body).trim().split("\r\n");
    const column = header?.split(",").indexOf("installs") ?? -1;
    const counts = lines.map((line) => Number(line.split(",")[column]));
    expect([counts.at(-1), counts.reduce((sum, count) => sum + count, 0)]).toEqual([1, 1]);
  });
});
