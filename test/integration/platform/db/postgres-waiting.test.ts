/**
 * Starting while Postgres is unreachable: the start waits, and if Postgres does not appear, fails with an
 * explanation.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { waitForPostgres } from "@/platform/db/connection/until-answering";
import { openPostgres } from "@/platform/db/open";
import { createLog } from "@/platform/telemetry/log";

const database = await createDatabase();
const proxy = await TcpProxy.start(Number(new URL(database.url).port));
afterAll(() => proxy.cut());
const through = new URL(database.url);
through.port = String(proxy.port);

function asked(url: string, waitMsMax?: number) {
  const waits: unknown[] = [];
  const first = Promise.withResolvers<void>();
  const info = (message: string, fields?: object) => {
    waits.push({ message, ...fields });
    first.resolve();
  };
  const outcome = waitForPostgres({ url, setting: "DATABASE_URL", log: { info }, waitMsMax });
  return { waits, first: first.promise, outcome };
}

test("the service waits for Postgres, logging why, until it answers", async () => {
  await proxy.cut();
  const { waits, first, outcome } = asked(through.href);
  await first;
  await proxy.open();
  await outcome;
  expect(waits[0]).toEqual({
    message: "waiting for Postgres",
    setting: "DATABASE_URL",
    why: expect.stringContaining("ECONNREFUSED"),
  });
});

test("the service waits for a Postgres that accepts no writes until it does", async () => {
  const { sql, url } = await createDatabase();
  const its = sql(new URL(url).pathname.slice(1));
  await sql`alter database ${its} set default_transaction_read_only = on`;
  let logged = "";
  const first = Promise.withResolvers<void>();
  const log = createLog((text) => {
    logged += text;
    if (logged.includes("waiting for Postgres")) first.resolve();
  });
  const opening = openPostgres({ databaseUrl: url, databaseDirectUrl: null, dataDir: "" }, log);
  opening.catch(first.reject);
  await first.promise;
  expect(logged).toContain("it accepts no writes: default_transaction_read_only is on");
  // The connections of before keep the default with which they began.
  await sql.begin("read write", (tx) => tx`alter database ${its} reset default_transaction_read_only`);
  await using opened = await opening;
  expect(opened.directUrl).toBe(url);
});

describe("it is refused in one sentence that names the setting and no password:", () => {
  const cases: { name: string; change(url: URL): void; says: RegExp }[] = [
    {
      name: "nobody listens there",
      change: (url) => {
        url.port = "1";
      },
      says: /^DATABASE_URL: no Postgres responded within 1 s: .*ECONNREFUSED/,
    },
    {
      name: "the password is wrong",
      change: (url) => {
        url.password = "a-wrong-secret";
      },
      says: /^DATABASE_URL: Postgres refuses the connection: password authentication failed for user "[^"]+"$/,
    },
    {
      name: "there is no such database",
      change: (url) => {
        url.pathname = "/nowhere";
      },
      says: /^DATABASE_URL: Postgres refuses the connection: database "nowhere" does not exist$/,
    },
  ];

  test.each(cases)("$name", async ({ change, says }) => {
    const url = new URL(database.url);
    change(url);
    const { message } = await asked(url.href, 1_000).outcome.then(
      () => new Error("It was not refused"),
      (error) => error,
    );
    expect(message).toMatch(says);
    expect(message).not.toContain("\n");
    expect(message).not.toContain(url.password);
  });
});

describe("it is refused where sessions begin with", () => {
  test.each([
    ["default_transaction_isolation", "repeatable read", "read committed"],
    ["bytea_output", "escape", "hex"],
  ])("another %s, with the statement that sets it right", async (name, found, needed) => {
    const { sql, url } = database;
    const its = sql(new URL(url).pathname.slice(1));
    await sql`alter database ${its} set ${sql(name)} = ${sql.unsafe(`'${found}'`)}`;
    const { message } = await asked(url).outcome.then(
      () => new Error("It was not refused"),
      (error) => error,
    );
    expect(message).toMatch(`DATABASE_URL: sessions of this user have ${name} = '${found}'`);
    const remedy = message.split("run: ")[1];
    const scope = "alter role current_user";
    expect(remedy).toBe(`${scope} set ${name} = '${needed}'`);
    // The remedy holds for the role in all databases, which other tests use: here, only for this one.
    await sql.unsafe(remedy.replace(scope, `${scope} in database "${new URL(url).pathname.slice(1)}"`));
    await asked(url).outcome;
  });
});
