/**
 * A server far from the primary and next to a replica: links come from the replica, and are never older than the
 * changes it has heard of.
 */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { scrape } from "@test/support/scrape";
import { startPrimaryAndStandby } from "@test/support/servers/standby";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { Link } from "@/contract/links/links";
import { openDatabase } from "@/platform/db/client";
import { ReplicaLinks } from "@/platform/link-cache/replica-links";

const DOMAIN = "links.example.test";
const shared = { SHORT_DOMAIN: DOMAIN, APP_SECRET: "one secret for both servers, of enough length" };

const hosts = await startPrimaryAndStandby();
const line = await TcpProxy.start(Number(new URL(hosts.primaryUrl).port));
const beside = await TcpProxy.start(Number(new URL(hosts.standbyUrl).port));
// Registered first, so this runs before the hooks that stop the services.
const standby = openDatabase(hosts.standbyUrl, { pool: "tool" });
afterAll(async () => {
  await standby.close();
  await Promise.all([line.cut(), beside.cut()]);
  await hosts.end();
});
const home = await startTestService({ env: { ...shared, DATABASE_URL: hosts.primaryUrl } });
const far = await startTestService({
  env: {
    ...shared,
    DATABASE_URL: line.urlThrough(hosts.primaryUrl),
    DATABASE_READ_URL: beside.urlThrough(hosts.standbyUrl),
  },
});
const account = await home.register();

const make = (path = "first") => home.createLink(account, { defaultUrl: `https://example.com/${path}` });
const linkPath = ({ _id }: Link) => `/api/v1/organizations/${account.orgId}/links/${_id}`;

async function ask(method: "PATCH" | "DELETE", path: string, body?: object): Promise<void> {
  const { status } = await home.call(method, path, { token: account.token, body });
  expect(status).toBeLessThan(300);
}

const change = (link: Link) => ask("PATCH", linkPath(link), { defaultUrl: "https://example.com/second" });

/** Returns where the far server redirects to, or its status if it does not redirect. */
async function seen({ slug }: Pick<Link, "slug">): Promise<string | number> {
  const response = await far.visit(`/${slug}`, { host: DOMAIN });
  return response.headers.get("location") ?? response.status;
}

const linkReads = async () => (await scrape(far.url))("waymark_replica_links_total");
const health = async () => (await far.call<{ status: string }>("GET", "/health")).body.status;

const pause = async () => void (await standby.sql.unsafe("select pg_wal_replay_pause()"));
const resume = async () => void (await standby.sql.unsafe("select pg_wal_replay_resume() where pg_is_in_recovery()"));

/** Waits until the replica is read and has caught up. */
async function untilNear(): Promise<void> {
  await until(async () => {
    const link = await make();
    await hosts.waitUntilCaughtUp();
    const before = await linkReads();
    return (await seen(link)) === "https://example.com/first" && (await linkReads()) > before;
  });
}

/** Runs `work` while the connection to the primary is blocked in both directions. */
async function withoutPrimary<Found>(work: () => Promise<Found>): Promise<Found> {
  line.hold();
  try {
    return await work();
  } finally {
    line.release();
  }
}

beforeEach(untilNear);
afterEach(resume);

describe("a link that is not in memory", () => {
  test("comes from the replica without a query to the primary", async () => {
    const link = await make();
    await hosts.waitUntilCaughtUp();
    expect(await withoutPrimary(() => seen(link))).toBe("https://example.com/first");
  });

  test("comes from the replica also as a bio page, with the organization's branding", async () => {
    await ask("PATCH", `/api/v1/organizations/${account.orgId}`, { branding: { footerText: "By the harbor" } });
    const path = `/api/v1/organizations/${account.orgId}/bio-pages`;
    const page = { slug: "about", title: "About us", links: [{ title: "Shop", url: "https://shop.example/" }] };
    const { status, body } = await home.call<{ slug: string }>("POST", path, { token: account.token, body: page });
    expect({ status, body }).toMatchObject({ status: 200 });
    await hosts.waitUntilCaughtUp();
    const html = await withoutPrimary(async () => {
      for (;;) {
        const page = await (await far.visit(`/${body.slug}`, { host: DOMAIN })).text();
        // A page does not wait long for its branding, so on a busy machine only a later one has it.
        if (page.includes("By the harbor")) return page;
      }
    });
    expect(html).toContain("Shop");
    expect(html).toContain("By the harbor");
  });

  test("comes from the primary when the replica does not have it", async () => {
    await pause();
    expect(await seen(await make())).toBe("https://example.com/first");
    expect(await seen({ slug: "nowhere-at-all" })).toBe(404);
  });

  test("comes from the primary when the replica is unavailable", async () => {
    const link = await make();
    await hosts.waitUntilCaughtUp();
    await beside.cut();
    expect(await seen(link)).toBe("https://example.com/first");
    await beside.open();
  });
});

describe("while replay on the replica is paused", () => {
  test("a change is visible, whether the link was in memory or not", async () => {
    const [known, cold] = [await make(), await make()];
    await hosts.waitUntilCaughtUp();
    await seen(known);
    await pause();
    for (const link of [known, cold]) await change(link);
    const last = await make("third");
    await until(
      async () =>
        (await seen(last)) === "https://example.com/third" && (await seen(known)) !== "https://example.com/first",
    );
    expect([await seen(known), await seen(cold)]).toEqual(["https://example.com/second", "https://example.com/second"]);
  });

  test("a deleted link is gone", async () => {
    const link = await make();
    await hosts.waitUntilCaughtUp();
    await pause();
    await ask("DELETE", linkPath(link));
    await until(async () => (await seen(link)) === 404);
  });

  test("a change of the organization is visible", async () => {
    const link = await make();
    await hosts.waitUntilCaughtUp();
    await pause();
    const path = `/api/v1/organizations/${account.orgId}`;
    await ask("PATCH", path, { settings: { appendClickId: true } });
    await until(async () => String(await seen(link)).startsWith("https://example.com/first?"));
    await ask("PATCH", path, { settings: { appendClickId: false } });
    await until(async () => (await seen(link)) === "https://example.com/first");
  });
});

describe("when the primary was unreachable", () => {
  test("links come from the replica, and those it lacks are not found", async () => {
    const link = await make();
    await hosts.waitUntilCaughtUp();
    await line.cut();
    await until(async () => (await health()) === "degraded" && (await seen({ slug: "nowhere" })) === 404);
    expect(await seen(link)).toBe("https://example.com/first");
    await line.open();
    await until(async () => (await health()) === "ok");
  });

  test("a change is visible as soon as it is announced, although the replica lacks it", async () => {
    const link = await make();
    await hosts.waitUntilCaughtUp();
    await pause();
    await line.cut();
    await until(async () => (await health()) === "degraded");
    await change(link);
    await line.open();
    await until(async () => (await health()) === "ok");
    expect(await seen(link)).toBe("https://example.com/second");
  });
});

describe("the replica is trusted", () => {
  const NEAR = { state: "near" as const, lagSeenMs: 0 };
  const primary = openDatabase(hosts.primaryUrl, { pool: "tool" });
  afterAll(() => primary.close());

  const open = (epoch = "", changed: object = {}) =>
    new ReplicaLinks({
      replica: { ...NEAR, ...changed, links: standby, linkReads: 0 },
      ...{ primary, history: { epoch }, shortUrlOf: () => "" },
      onError: (error) => {
        throw error;
      },
    });

  async function found({ replica = {}, isOtherEpoch = false, isListening = true } = {}): Promise<boolean> {
    const link = await make();
    await hosts.waitUntilCaughtUp();
    const [row] = await primary.sql<{ id: string }[]>`select id::text from epochs`;
    const links = open(isOtherEpoch ? crypto.randomUUID() : row?.id, replica);
    if (isListening) await links.raiseFloor();
    await hosts.waitUntilCaughtUp();
    const answer = await links.find({ host: DOMAIN, prefix: "", slug: link.slug }, false);
    return answer?.definition?.id === link._id;
  }

  test("where it has all data from before the listener started", () => until(found));

  test.each([
    ["it lags by more than ten seconds", { replica: { lagSeenMs: 10_001 } }],
    ["it is away", { replica: { state: "away" as const } }],
    ["it is of another epoch", { isOtherEpoch: true }],
    ["nobody listens yet", { isListening: false }],
  ])("and not where %s", async (_, changed) => expect(await found(changed)).toBe(false));

  test("and not before it has replayed everything the primary had when the listener started", async () => {
    const link = await make();
    await hosts.waitUntilCaughtUp();
    const [row] = await primary.sql<{ id: string }[]>`select id::text from epochs`;
    await pause();
    await change(link);
    const links = open(row?.id);
    await links.raiseFloor();
    const find = () => links.find({ host: DOMAIN, prefix: "", slug: link.slug }, false);
    expect(await find()).toBeUndefined();
    await resume();
    await until(async () => (await find())?.definition?.version === 2);
  });
});

// Runs last, because the replica is promoted.
test("a promoted replica is no longer read from", async () => {
  const links = [await make(), await make()];
  await hosts.waitUntilCaughtUp();
  await hosts.promote();
  await standby.sql`update links set default_url = 'https://example.com/elsewhere' where id in ${standby.sql(links.map(({ _id }) => _id))}`;
  for (const link of links) expect(await seen(link)).toBe("https://example.com/first");
});
