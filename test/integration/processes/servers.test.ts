/** Two servers on one Postgres, with and without a shared Redis: each serves what the other changes. */
import { afterAll, describe, expect, test } from "bun:test";
import { startRedis } from "@test/support/servers/redis";
import { type Account, startTestService, type TestService } from "@test/support/service";
import { eventually, until } from "@test/support/until";
import { Redis } from "ioredis";
import type { LinkInput } from "@/contract/links/links";

const redis = await startRedis();
afterAll(() => redis.stop());

const DEFAULT = "https://example.com/";

async function twoServers(given: Record<string, string>) {
  const env = { ...given, APP_SECRET: "one secret for both, of enough length" };
  const first = await startTestService({ env: { ...env, SHORT_DOMAIN: "two.example" } });
  const shared = { ...env, DATABASE_URL: first.databaseUrl, SHORT_DOMAIN: "two.example" };
  const second = await startTestService({ env: shared });
  return { first, second, account: await first.register() };
}

const locationAt = async (server: TestService, slug: string): Promise<string | null> =>
  (await server.visit(`/${slug}`, { host: "two.example" })).headers.get("location");

const patch = (server: TestService, { orgId, token }: Account, id: string, body: unknown) =>
  server.call("PATCH", `/api/v1/organizations/${orgId}/links/${id}`, { token, body });

describe.each([
  ["without Redis", {}],
  ["with Redis", { REDIS_URL: redis.url }],
])("two servers %s", async (_, env) => {
  const { first, second, account } = await twoServers(env);

  test("a change on one is served by both", async () => {
    const link = await first.createLink(account, { slug: "moves", defaultUrl: DEFAULT });
    await eventually(() => locationAt(second, "moves"), DEFAULT);
    for (let version = 1; version <= 20; version++) {
      const url = `https://example.com/${version}`;
      await patch(version % 2 ? first : second, account, link._id, { defaultUrl: url });
      expect(await locationAt(version % 2 ? first : second, "moves")).toBe(url);
      await eventually(() => locationAt(version % 2 ? second : first, "moves"), url);
    }
  });

  test("an address that was cached as unknown is served once a link is created there", async () => {
    expect((await second.visit("/soon", { host: "two.example" })).status).toBe(404);
    await first.createLink(account, { slug: "soon", defaultUrl: DEFAULT });
    await eventually(() => locationAt(second, "soon"), DEFAULT);
  });

  test("a deleted link stops redirecting on both", async () => {
    const link = await first.createLink(account, { slug: "ends", defaultUrl: DEFAULT });
    await eventually(() => locationAt(second, "ends"), DEFAULT);
    await first.call("DELETE", `/api/v1/organizations/${account.orgId}/links/${link._id}`, { token: account.token });
    expect(await locationAt(first, "ends")).toBeNull();
    await eventually(() => locationAt(second, "ends"), null);
  });
});

const STORE_TRIES_MAX = 100;

describe("Redis", async () => {
  const service = await startTestService({ env: { REDIS_URL: redis.url, SHORT_DOMAIN: "redis.example" } });
  const account = await service.register();
  const client = new Redis(redis.url);
  afterAll(() => client.disconnect());
  const at = (slug: string) => service.visit(`/${slug}`, { host: "redis.example" });
  /** Returns the value of a matching key, whose full name contains the epoch of the database. */
  const valueAt = async (pattern: string): Promise<string | null> => {
    const [key] = await client.keys(pattern);
    return key === undefined ? null : client.get(key);
  };
  const snapshotOf = async (slug: string) =>
    JSON.parse((await valueAt(`waymark:link:6:*:{redis.example/${slug}}`)) ?? "{}").definition;

  /**
   * Creates and visits links until the snapshot of one is stored. The service does not wait long for Redis, so on a
   * busy machine some are not.
   */
  const storedLink = async (slug: string, input: Partial<LinkInput> = {}) => {
    for (let tries = 0; tries < STORE_TRIES_MAX; tries++) {
      const link = await service.createLink(account, { slug: `${slug}-${tries}`, defaultUrl: DEFAULT, ...input });
      await at(link.slug);
      const snapshot = await snapshotOf(link.slug);
      if (snapshot) return { link, snapshot };
      await Bun.sleep(50);
    }
    throw new Error(`Redis held none of ${STORE_TRIES_MAX} visited links`);
  };

  test("stores a snapshot of a visited link, and none older than the latest change", async () => {
    const { link, snapshot } = await storedLink("kept");
    expect(snapshot).toMatchObject({ id: link._id, version: 1, defaultUrl: DEFAULT });
    let version = 1;
    let later: unknown;
    await until(async () => {
      const defaultUrl = `${DEFAULT}${++version}`;
      await patch(service, account, link._id, { defaultUrl });
      await eventually(() => valueAt(`waymark:link-version:*:${link._id}`), String(version));
      await at(link.slug);
      later = await snapshotOf(link.slug);
      return later !== undefined;
    });
    expect(later).toMatchObject({ version, defaultUrl: `${DEFAULT}${version}` });
  });

  test("stores a link's password only as a hash", async () => {
    const { snapshot } = await storedLink("locked", { password: "open sesame" });
    expect(snapshot.gate.passwordHash).toStartWith("$argon2id$");
    expect(JSON.stringify(snapshot)).not.toContain("open sesame");
  });

  test("is not needed: without it the service answers from Postgres and is degraded", async () => {
    const lonely = await startTestService({
      env: { REDIS_URL: "redis://127.0.0.1:1", SHORT_DOMAIN: "lonely.example" },
    });
    const owner = await lonely.register();
    await lonely.createLink(owner, { slug: "still", defaultUrl: DEFAULT });
    expect((await lonely.visit("/still", { host: "lonely.example" })).status).toBe(302);
    expect((await lonely.call("GET", "/health")).body.status).toBe("degraded");
  });
});
