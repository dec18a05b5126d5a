/**
 * Redis that stops responding, is frozen and returns: nothing waits for it for long, and none of its entries is older
 * than Postgres.
 */
import { afterAll, expect, test } from "bun:test";
import { ownRedis } from "@test/support/servers/dependencies";
import { type Account, startTestService, type TestService } from "@test/support/service";
import { eventually, until } from "@test/support/until";
import { Redis } from "ioredis";
import type { Link } from "@/contract/links/links";
import { LinkSnapshots } from "@/platform/link-cache/snapshots";

const GIVE_UP_MS = 60_000;
const OLD = "https://example.com/old";
const NEW = "https://example.com/new";

const redis = await ownRedis();
const env = {
  REDIS_URL: redis.url,
  SHORT_DOMAIN: "redis-away.example",
  APP_SECRET: "one secret for all of these servers",
};
const first = await startTestService({ env });
const account = await first.register();
afterAll(() => redis.end());

const locationAt = async (server: TestService, slug: string) =>
  (await server.visit(`/${slug}`, { host: env.SHORT_DOMAIN })).headers.get("location");

const change = (server: TestService, { orgId, token }: Account, id: string) =>
  server.call("PATCH", `/api/v1/organizations/${orgId}/links/${id}`, { token, body: { defaultUrl: NEW } });

const untilHealth = (server: TestService, status: string): Promise<void> =>
  eventually(async () => (await server.call("GET", "/health")).body.status, status);

const snapshotOf = async (slug: string) => {
  const client = new Redis(redis.directUrl);
  try {
    const [key] = await client.keys(`waymark:link:6:*:{${env.SHORT_DOMAIN}/${slug}}`);
    return key === undefined ? null : JSON.parse((await client.get(key)) ?? "{}").definition;
  } finally {
    client.disconnect();
  }
};

test("a change made while Redis is silent is written to Redis before any read from it", async () => {
  const { _id, slug } = await keptLink(first);
  await redis.startOutage("silent");
  await untilHealth(first, "degraded");
  expect((await change(first, account, _id)).status).toBe(200);
  expect(await locationAt(first, slug)).toBe(NEW);
  expect((await snapshotOf(slug)).defaultUrl).toBe(OLD);
  await redis.endOutage();
  await untilHealth(first, "ok");
  expect(await snapshotOf(slug)).toBeNull();
});

test("the next server serves a change that a stopped server could not write to Redis", async () => {
  const { _id, slug } = await keptLink(first);
  await redis.startOutage("silent");
  await change(first, account, _id);
  await first.service.stop();
  await redis.endOutage();
  expect((await snapshotOf(slug)).defaultUrl).toBe(OLD);
  const next = await startTestService({ env: { ...env, DATABASE_URL: first.databaseUrl } });
  expect(await locationAt(next, slug)).toBe(NEW);
});

test("a frozen Redis times out once, and reads then skip it for a second", async () => {
  const errors: unknown[] = [];
  const snapshots = await LinkSnapshots.open({
    url: redis.url,
    changesWithin: async () => [],
    history: { epoch: crypto.randomUUID(), logEnd: 0 },
    onError: (error) => errors.push(error),
    onAway: () => undefined,
    onReturned: () => undefined,
  });
  await until(() => snapshots.fault === undefined);
  await redis.startOutage("frozen");
  const startedAt = performance.now();
  for (let asked = 0; asked < 50; asked++) expect(await snapshots.get(`${env.SHORT_DOMAIN}/${asked}`)).toBeNull();
  const seconds = (performance.now() - startedAt) / 1000;
  // If every read waited for its timeout, ten would have failed before the heartbeat did.
  expect(errors.length).toBeWithin(1, 3 + seconds);
  await redis.endOutage();
  await snapshots.close();
});

test("a change that Redis refuses is sent again on the next connection", async () => {
  const client = new Redis(redis.directUrl);
  const [epoch, id, key] = [crypto.randomUUID(), crypto.randomUUID(), `${env.SHORT_DOMAIN}/refused`];
  const [snapshotKey, versionKey] = [
    `waymark:link:6:${epoch}:{${key}}`,
    `waymark:link-version:${epoch}:{${key}}:${id}`,
  ];
  const change = { id, key, version: 2 };
  const missed: (typeof change)[] = [];
  const snapshots = await LinkSnapshots.open({
    url: redis.url,
    changesWithin: async () => missed,
    history: { epoch, logEnd: 0 },
    onError: async () => void (await client.del(versionKey)),
    onAway: () => undefined,
    onReturned: () => undefined,
  });
  await client.set(snapshotKey, "outdated");
  // What the command expects there is a number.
  await client.lpush(versionKey, "1");
  missed.push(change);
  snapshots.change(change);
  await eventually(() => client.exists(snapshotKey), 0);
  await snapshots.close();
  client.disconnect();
});

test("uncached links are served while Redis is frozen, and Redis is used again once it recovers", async () => {
  const start = () => startTestService({ env: { ...env, DATABASE_URL: first.databaseUrl } });
  const maker = await start();
  const links = await Promise.all(Array.from({ length: 50 }, () => maker.createLink(account, { defaultUrl: OLD })));
  // A new server, because the one that created the links has cached them.
  const server = await start();
  await redis.startOutage("frozen");
  for (const { slug } of links) expect(await locationAt(server, slug)).toBe(OLD);
  await untilHealth(server, "degraded");
  await redis.endOutage();
  await untilHealth(server, "ok");
  await keptLink(server);
});

/**
 * Creates and visits links until Redis has one. A busy or just returned Redis may not take it in the time that a visitor
 * waits for it.
 */
async function keptLink(server: TestService): Promise<Link> {
  for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await Bun.sleep(20)) {
    const link = await server.createLink(account, { defaultUrl: OLD });
    expect(await locationAt(server, link.slug)).toBe(OLD);
    const kept = await snapshotOf(link.slug);
    if (kept === null) continue;
    expect(kept).toMatchObject({ defaultUrl: OLD });
    return link;
  }
  throw new Error("Redis keeps no link");
}

test("a Redis that became a replica counts as unavailable until it accepts writes again", async () => {
  const server = await startTestService({ env: { ...env, DATABASE_URL: first.databaseUrl } });
  await using primary = await ownPrimary();
  const client = new Redis(redis.directUrl);
  const connectionsSoFar = async () =>
    Number(/total_connections_received:(\d+)/.exec(await client.info("stats"))?.[1] ?? Number.NaN);
  await untilHealth(server, "ok");
  await client.replicaof("127.0.0.1", primary.port);
  await untilHealth(server, "degraded");
  const triedOften = (await connectionsSoFar()) + 4;
  const seen = new Set<unknown>();
  while ((await connectionsSoFar()) < triedOften) seen.add((await server.call("GET", "/health")).body.status);
  expect([...seen]).toEqual(["degraded"]);
  await client.replicaof("NO", "ONE");
  await untilHealth(server, "ok");
  client.disconnect();
});

async function ownPrimary() {
  const { directUrl, end } = await ownRedis();
  return { port: Number(new URL(directUrl).port), [Symbol.asyncDispose]: end };
}
