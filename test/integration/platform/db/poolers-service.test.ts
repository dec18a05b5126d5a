/** The service with PgBouncer in front of Postgres, configured correctly and incorrectly. */
import { afterAll, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { type PgBouncer, startPgBouncer } from "@test/support/servers/pgbouncer";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { startTestService, type TestService } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import { eventually, until } from "@test/support/until";
import type { Clock } from "@/platform/clock";

const REGISTRATIONS = 20;
/** A small part of the minute for which links are served unchecked while changes are heard. */
const SECONDS_MS = 5_000;

const database = await createDatabase();
const transactions = await startPgBouncer({ url: database.url, mode: "transaction" });
const sessions = await startPgBouncer({ url: database.url, mode: "session", connectionsMax: 60 });
let switched: PgBouncer | undefined;
afterAll(async () => {
  for (const pooler of [transactions, sessions, switched]) await pooler?.stop();
});

const healthOf = async (service: TestService) => (await service.call("GET", "/health")).body.status;

/**
 * Expects that all of this works: concurrent registrations, a link, a visit that is counted, and a change that the
 * other server serves.
 */
async function expectWhole(service: TestService, other: TestService): Promise<void> {
  const accounts = await Promise.all(Array.from({ length: REGISTRATIONS }, () => service.register()));
  const emails = accounts.map(({ email }) => email);
  const kept = await database.sql`select from users where email in ${database.sql(emails)}`;
  expect(kept.length).toBe(REGISTRATIONS);
  const [account] = accounts;
  if (!account) throw new Error("Nobody registered");
  const link = await service.createLink(account, { defaultUrl: "https://example.com/before" });
  const visit = async () => (await other.visit(`/${link.slug}`, { host: "pooled.example" })).headers.get("location");
  expect(await visit()).toBe("https://example.com/before");
  const path = `/api/v1/organizations/${account.orgId}/links/${link._id}`;
  const changed = { token: account.token, body: { defaultUrl: "https://example.com/after" } };
  expect((await service.call("PATCH", path, changed)).status).toBe(200);
  await until(async () => (await visit()) === "https://example.com/after");
  await waitUntilDrained(other.service);
  const clicks = await database.sql`select from clicks where link_id = ${link._id}`;
  expect(clicks.length).toBeGreaterThan(0);
  // On a busy machine, Postgres may respond late enough to count as unavailable for a moment.
  for (const each of [service, other]) await eventually(() => healthOf(each), "ok");
}

const start = (env: Record<string, string>, clock?: Clock) =>
  startTestService({
    env: { SHORT_DOMAIN: "pooled.example", APP_SECRET: "one secret for both of the servers", ...env },
    clock,
  });

test("a transaction pooler for requests and direct connections for the rest lose no acknowledged write or change", async () => {
  const env = { DATABASE_URL: transactions.url, DATABASE_DIRECT_URL: database.url };
  await expectWhole(await start(env), await start(env));
}, 240_000);

test("a session pooler needs no direct address", async () => {
  const env = { DATABASE_URL: sessions.url };
  await expectWhole(await start(env), await start(env));
}, 240_000);

test("a transaction pooler without a direct address is refused at start in one sentence that names the setting", async () => {
  const dataDir = `/tmp/waymark-pooled-${crypto.randomUUID()}`;
  const env = { WORKERS: "1" };
  const service = new ServiceProcess({ port: await takePort(), dataDir, databaseUrl: transactions.url, env });
  await service.process.exited;
  expect(await service.end()).toBe(1);
  expect(service.errorOutput.trim()).toBe(
    "DATABASE_DIRECT_URL: must be the address of Postgres itself, since DATABASE_URL points to a pooler that does not forward notifications",
  );
}, 240_000);

test("a pooler that starts sharing connections at runtime is reported, and changes are served within seconds", async () => {
  const pooler = await startPgBouncer({ url: database.url, mode: "session", connectionsMax: 60 });
  let now = Date.now();
  const service = await start({ DATABASE_URL: database.url, DATABASE_DIRECT_URL: pooler.url }, () => now);
  const other = await start({ DATABASE_URL: database.url });
  const account = await service.register();
  const link = await other.createLink(account, { defaultUrl: "https://example.com/before" });
  const visit = async () => (await service.visit(`/${link.slug}`, { host: "pooled.example" })).headers.get("location");
  expect(await visit()).toBe("https://example.com/before");
  await pooler.stop();
  switched = await startPgBouncer({ url: database.url, mode: "transaction", port: Number(new URL(pooler.url).port) });
  await until(async () => (await healthOf(service)) === "degraded");
  const path = `/api/v1/organizations/${account.orgId}/links/${link._id}`;
  const body = { defaultUrl: "https://example.com/after" };
  expect((await other.call("PATCH", path, { token: account.token, body })).status).toBe(200);
  // However long this takes a busy machine, what the service serves is only these seconds old.
  now += SECONDS_MS;
  await until(async () => (await visit()) === "https://example.com/after");
  await switched.stop();
  switched = await startPgBouncer({ url: database.url, mode: "session", port: Number(new URL(pooler.url).port) });
  await until(async () => (await healthOf(service)) === "ok");
}, 240_000);
