/**
 * A database that is replaced under running servers: restored, or promoted without the latest writes. Versions that
 * the servers have cached then never existed; none is served for long, and changes are served immediately.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { startRedis } from "@test/support/servers/redis";
import { startPrimaryAndStandby } from "@test/support/servers/standby";
import { type Account, startTestService, type TestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { Link } from "@/contract/links/links";
import { openDatabase } from "@/platform/db/client";
import { History } from "@/platform/db/connection/history";

const BEFORE = "https://example.com/before";
const LOST = "https://example.com/lost";
const AFTER = "https://example.com/after";

const redis = await startRedis();
afterAll(() => redis.stop());

interface Stage {
  servers: TestService[];
  account: Account;
  link: Link;
}

async function setUp(databaseUrl: string): Promise<Stage> {
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, SHORT_DOMAIN: "epochs.example" };
  const shared = { ...env, APP_SECRET: "one secret for both of the servers" };
  const servers = [await startTestService({ env: shared }), await startTestService({ env: shared })];
  const [server] = servers;
  if (!server) throw new Error("No server");
  const account = await server.register();
  return { servers, account, link: await server.createLink(account, { defaultUrl: BEFORE }) };
}

async function change({ servers: [server], account, link }: Stage, defaultUrl: string): Promise<void> {
  const path = `/api/v1/organizations/${account.orgId}/links/${link._id}`;
  const answer = await server?.call("PATCH", path, { token: account.token, body: { defaultUrl } });
  if (answer?.status !== 200) throw new Error(`A change was answered ${answer?.status}`);
}

/** True if every server redirects to the URL. */
async function isServed({ servers, link }: Stage, url: string): Promise<boolean> {
  const served = await Promise.all(
    servers.map(async (server) =>
      (await server.visit(`/${link.slug}`, { host: "epochs.example" })).headers.get("location"),
    ),
  );
  return served.every((location) => location === url);
}

/** Writes three versions that will be lost; every server and Redis hold the last of them. */
async function makeLost(stage: Stage): Promise<void> {
  for (let version = 1; version <= 3; version++) await change(stage, `${LOST}/${version}`);
  await until(() => isServed(stage, `${LOST}/3`));
}

async function expectOfThisHistory(stage: Stage): Promise<void> {
  await until(() => isServed(stage, BEFORE));
  await until(async () => change(stage, AFTER).then(() => true));
  await until(() => isServed(stage, AFTER));
  await change(stage, `${AFTER}/again`);
  await until(() => isServed(stage, `${AFTER}/again`));
}

const end = ({ servers }: Stage) => Promise.all(servers.map((server) => server.stop()));

test("servers soon follow a dump restored into a new database of the same name", async () => {
  const database = await createDatabase();
  const stage = await setUp(database.url);
  const name = new URL(database.url).pathname.slice(1);
  const elsewhere = openDatabase(new URL("/postgres", database.url).href, { pool: "tool" });
  const { sql } = elsewhere;
  const replaceBy = async (from: string, to: string) => {
    await sql`alter database ${sql(from)} allow_connections false`;
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${from}`;
    await until(async () => (await sql`select from pg_stat_activity where datname = ${from}`).length === 0);
    return sql`create database ${sql(to)} template ${sql(from)} strategy file_copy`;
  };
  await replaceBy(name, `${name}_saved`);
  await sql`alter database ${sql(name)} allow_connections true`;
  await makeLost(stage);
  await sql`drop database ${sql(name)} with (force)`;
  await replaceBy(`${name}_saved`, name);
  await sql`drop database ${sql(`${name}_saved`)} with (force)`;
  await expectOfThisHistory(stage);
  await end(stage);
  await elsewhere.close();
});

test("servers soon follow a standby that was promoted without the last writes", async () => {
  const hosts = await startPrimaryAndStandby();
  const stage = await setUp(hosts.bothUrl);
  await until(() => isServed(stage, BEFORE));
  await hosts.waitUntilCaughtUp();
  await hosts.cutOff();
  await makeLost(stage);
  hosts.signalPrimary("SIGKILL");
  await hosts.promote();
  await expectOfThisHistory(stage);
  await end(stage);
  await hosts.end();
});

describe("a look at the history", async () => {
  const database = await createDatabase();
  const looker = () => {
    let epochs = 0;
    const history = new History(() => epochs++);
    return { look: () => history.look(database.sql), history, epochs: () => epochs };
  };
  const [one, other] = [looker(), looker()];
  const lookTwice = async () => {
    for (let time = 0; time < 2; time++) for (const { look } of [one, other]) await look();
    expect(one.history.epoch).toBe(other.history.epoch);
    return [one.epochs(), other.epochs()];
  };

  test("finds nothing new if nothing has changed, and the same epoch in every process", async () => {
    expect(await lookTwice()).toEqual([0, 0]);
    expect(one.history.epoch).toBeString();
  });

  test("finds recreated tables once, whichever process looks first", async () => {
    await database.sql.unsafe("vacuum full links");
    expect(await lookTwice()).toEqual([1, 1]);
  });

  test("finds data restored into existing tables", async () => {
    await database.sql`select setval('epoch_ticks', 1)`;
    expect(await lookTwice()).toEqual([2, 2]);
  });

  test("finds a write-ahead log that ends earlier than before", async () => {
    const further = new Proxy(database.sql, {
      get: (sql, name) =>
        name === "unsafe"
          ? (text: string, ...rest: []) =>
              sql.unsafe(text.replace("- '0/0'::pg_lsn", "- '0/0'::pg_lsn + 10^12"), ...rest)
          : Reflect.get(sql, name),
    });
    await one.history.look(further);
    expect(await lookTwice()).toEqual([3, 3]);
  });

  test("works without what its role may not read", async () => {
    const before = one.history.epoch;
    await database.sql.unsafe(
      "revoke execute on function pg_control_system() from public; create role plain login password 'plain'",
    );
    await database.sql.unsafe(
      "grant all on all tables in schema public to plain; grant all on all sequences in schema public to plain",
    );
    const url = new URL(database.url);
    Object.assign(url, { username: "plain", password: "plain" });
    const plain = openDatabase(url.href, { pool: "tool" });
    const history = new History(() => undefined);
    for (let time = 0; time < 2; time++) await history.look(plain.sql);
    expect(history.epoch).toBe(before);
    await plain.close();
    await database.sql.unsafe(
      "drop owned by plain; drop role plain; grant execute on function pg_control_system() to public",
    );
    expect(await lookTwice()).toEqual([3, 3]);
  });
});
