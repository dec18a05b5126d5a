/** Postgres that is reachable but refuses: it is read-only, has no space, or cancels statements that take too long. */
import { afterEach, describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { visitorOf, visitTokenIn } from "@test/support/forms";
import { createMint, SECRET } from "@test/support/match";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import { openDatabase } from "@/platform/db/client";

const service = await startTestService({ env: { APP_SECRET: SECRET } });
const { call, sql } = service;
const ada = await service.register();
const links = `/api/v1/organizations/${ada.orgId}/links`;
const defaultUrl = "https://example.com/";
const lead = { enabled: true, fields: [{ name: "email", label: "Email", type: "email" as const }] };
const plain = await service.createLink(ada, { defaultUrl });
const form = await service.createLink(ada, { defaultUrl, leadCapture: lead });
const counted = await service.createLink(ada, { defaultUrl, maxClicks: 5 });
const mint = await createMint(service);
for (const link of [plain, form, counted]) await service.visit(link);

const database = new URL(service.databaseUrl).pathname.slice(1);
const errors = () =>
  service
    .logged()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));

function expectUnavailable(reply: { status: number; headers: Headers }): void {
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "1"]);
}

/** Expects that every kind of write gets 503, none logs an error of the service, and reads still work. */
async function expectNoChanges(email: string): Promise<void> {
  const { token } = ada;
  const create = await call("POST", links, { token, body: { defaultUrl } });
  expectFailure(create, 503);
  expectUnavailable(create);
  expectUnavailable(await call("PATCH", `${links}/${plain._id}`, { token, body: { title: email } }));
  expectUnavailable(await call("POST", "/api/v1/match", { body: { matchToken: await mint(plain._id) } }));
  const account = { name: "Eve", email, password: "a long passphrase", organizationName: "Eve" };
  expectUnavailable(await call("POST", "/api/v1/auth/register", { body: account }));
  const bulk = await call("POST", `${links}/bulk`, { token, body: { links: [{ defaultUrl }] } });
  expectUnavailable(bulk);

  const { open, send } = visitorOf(service, "192.0.2.1");
  const path = new URL(form.shortUrl).pathname;
  const sent = await send(path, { wm_pass: visitTokenIn(await (await open(path)).text()), email });
  expectUnavailable(sent);
  expect(await sent.text()).toContain(email);
  expectUnavailable(await open(new URL(counted.shortUrl).pathname));

  expect((await service.visit(plain)).status).toBe(302);
  expect((await call("GET", `${links}/${plain._id}`, { token })).status).toBe(200);
  expect(errors()).toEqual([]);
  expect(service.logged()).toContain("Postgres could not serve a request");
  expect(service.logged()).not.toContain(email);
  expect(service.logged()).not.toContain(encodeURIComponent(email));
}

describe("a read-only Postgres", () => {
  const setReadOnly = async (isOn: boolean) => {
    const set = `alter database "${database}" set default_transaction_read_only = ${isOn ? "on" : "off"}`;
    await sql.begin("read write", (tx) => tx.unsafe(set));
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
  };
  const isReading = async () => (await call("GET", `${links}/${plain._id}`, { token: ada.token })).status === 200;
  afterEach(async () => {
    await setReadOnly(false);
    await until(isReading);
  });

  test("503 for changes, and everything else keeps working", async () => {
    await setReadOnly(true);
    await until(isReading);
    await expectNoChanges("no.changes@example.com");
  });
});

describe("a Postgres whose disk is full", () => {
  const refuse = `create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`;
  const tables = ["links", "users", "claims", "leads", "link_admissions"];

  test("503 for changes, and everything else keeps working", async () => {
    await sql.unsafe(refuse);
    for (const table of tables)
      await sql.unsafe(`create trigger refuse before insert or update on ${table} execute function refuse()`);
    await expectNoChanges("no.room@example.com");
    for (const table of tables) await sql.unsafe(`drop trigger refuse on ${table}`);
    expect((await call("POST", links, { token: ada.token, body: { defaultUrl } })).status).toBe(201);
  });
});

describe("a canceled statement", () => {
  /** Blocks statements on links until one is cancelled. */
  async function cancelling<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    await sql.begin(async (tx) => {
      await tx`lock table links in access exclusive mode`;
      ask().then(resolve, reject);
      await until(async () => {
        const cancelled = await sql`select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ilike '%links%'`;
        return cancelled.length > 0;
      });
      await promise;
    });
    return promise;
  }

  test("503 in the API", async () => {
    expectUnavailable(await cancelling(() => call("GET", links, { token: ada.token })));
    expect(errors()).toEqual([]);
  });

  test("503 on a short URL that is not cached", async () => {
    expectUnavailable(await cancelling(() => service.visit("/never-seen-before")));
    expect(errors()).toEqual([]);
  });
});

test("a database that takes no connections for now: 503, redirects, and no error of the service", async () => {
  const elsewhere = new URL(service.databaseUrl);
  elsewhere.pathname = "/postgres";
  await using admin = openDatabase(elsewhere.href, { pool: "tool" });
  const allow = (connections: boolean) =>
    admin.sql.unsafe(`alter database ${database} with allow_connections ${connections}`);
  const read = () => call("GET", `${links}/${plain._id}`, { token: ada.token });
  const loggedBefore = errors().length;
  await allow(false);
  try {
    await admin.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
    const replies = await Promise.all(Array.from({ length: 20 }, read));
    for (const reply of replies) expectUnavailable(reply);
    expect((await service.visit(plain)).status).toBe(302);
  } finally {
    await allow(true);
  }
  await until(async () => (await read()).status === 200);
  expect(errors().slice(loggedBefore)).toEqual([]);
});
