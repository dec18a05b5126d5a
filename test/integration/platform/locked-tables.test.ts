/** A lock that is not released, such as an operator's on a table: what waits for it is told so, and nothing is written. */
import { afterAll, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { startPgBouncer } from "@test/support/servers/pgbouncer";
import { createDatabase } from "@test/support/servers/postgres";
import { startTestService } from "@test/support/service";
import { type DatabaseOptions, openDatabase } from "@/platform/db/client";
import { unavailableReasonOf } from "@/platform/db/faults";

const GATE = 4712;

const database = await createDatabase();
const own = openDatabase(database.url, { pool: "tool" });
afterAll(() => own.close());
await own.sql`create table notes (text text)`;

const reasonOf = (work: Promise<unknown>) => work.then(() => "done", unavailableReasonOf);

test.each<[string, DatabaseOptions, string]>([
  ["requests wait for a lock as long as a visitor waits", { pool: "requests" }, "30s"],
  ["a read that waits on a replica is tried on the primary in time", { pool: "replica" }, "5s"],
  ["links that wait on a replica, too", { pool: "replicaLinks" }, "5s"],
  ["background work waits as long as it needs", { pool: "background" }, "0"],
  ["a pooler gets no setting that it would refuse", { pool: "requests", isPrepared: false }, "0"],
])("%s", async (_, options, expected) => {
  await using opened = openDatabase(database.url, options);
  const [shown] = await opened.sql<{ lock_timeout: string }[]>`show lock_timeout`;
  expect(shown?.lock_timeout).toBe(expected);
});

test("a locked table is a hindrance, and a transaction that meets it leaves nothing behind", async () => {
  await using waiting = openDatabase(database.url, { pool: "requests", lockWaitMs: 50 });
  await own.sql`create table locked (text text)`;
  await own.sql.begin(async (tx) => {
    await tx`lock table locked in access exclusive mode`;
    expect(await reasonOf(waiting.sql`select from locked`.execute())).toBe("locked");
    const both = waiting.sql.begin(async (half) => {
      await half`insert into notes values ('half')`;
      await half`insert into locked values ('rest')`;
    });
    expect(await reasonOf(both)).toBe("locked");
  });
  expect(await own.sql`select from notes`).toHaveLength(0);
  expect(await reasonOf(waiting.sql`select from locked`.execute())).toBe("done");
});

test("behind a pooler, what has waited for too long is cancelled past it, and nothing else is", async () => {
  await own.sql`create table held (text text)`;
  const pooler = await startPgBouncer({ url: database.url, mode: "transaction", connectionsMax: 3 });
  try {
    await using pooled = openDatabase(pooler.url, { pool: "requests", isPrepared: false, lockWaitMs: 50 });
    await using patient = openDatabase(database.url, { pool: "background" });
    await using watch = openDatabase(database.url, { pool: "tool" });
    const left = await whileLocked(own.sql, "lock table held in access exclusive mode", async () => {
      const both = pooled.sql.begin(async (half) => {
        await half`insert into notes values ('half')`;
        await half`insert into held values ('rest')`;
      });
      const reasons = Promise.all([reasonOf(both), reasonOf(pooled.sql`select from held`.execute())]);
      const waits = patient.sql`select from held`.execute();
      await waitUntilBlocked(watch.sql, 3);
      // Stands for the time after which a statement that works all the while may not be cancelled.
      const works = reasonOf(pooled.sql`select pg_sleep(0.2)`.execute());
      const isOver = reasons.then(() => true);
      while (!(await Promise.race([isOver, Bun.sleep(20)]))) await pooled.cancelLongWaits?.(watch.sql);
      expect(await reasons).toEqual(["cancelled", "cancelled"]);
      expect(await works).toBe("done");
      return { waits };
    });
    expect(await left.waits).toHaveLength(0);
    expect(await own.sql`select from notes`).toHaveLength(0);
  } finally {
    await pooler.stop();
  }
});

test("where statements give up by themselves, or may wait, there is nothing to cancel", async () => {
  await using requests = openDatabase(database.url, { pool: "requests" });
  await using webhooks = openDatabase(database.url, { pool: "webhooks", isPrepared: false });
  expect([requests.cancelLongWaits, webhooks.cancelLongWaits]).toEqual([undefined, undefined]);
});

test("503 with when to try again, after one wait, and the log says why", async () => {
  const service = await startTestService();
  const account = await service.register();
  // Stands for a service that waits for less time. The sequence counts statements that fail, too.
  await service.sql.unsafe(`
    create sequence tries;
    create function wait_for_test() returns trigger language plpgsql as $$
    begin
      perform nextval('tries');
      perform set_config('lock_timeout', '100ms', true);
      perform pg_advisory_xact_lock(${GATE});
      return null;
    end $$;
    create trigger wait_for_test before insert on links execute function wait_for_test()`);
  const create = () =>
    service.call("POST", `/api/v1/organizations/${account.orgId}/links`, {
      token: account.token,
      body: { defaultUrl: "https://example.com/" },
    });
  await service.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${GATE})`;
    const replies = await Promise.all(Array.from({ length: 8 }, create));
    for (const reply of replies) {
      expectFailure(reply, 503);
      expect(reply.headers.get("retry-after")).toBe("1");
      expect(reply.body).toEqual({ error: "This is locked by another change; try again shortly" });
    }
  });
  // Creations of one client at the same moment share statements.
  const [row] = await service.sql<{ tries: number }[]>`select last_value::int as tries from tries`;
  expect(row?.tries).toBeLessThanOrEqual(8);
  expect(await service.sql`select from links`).toHaveLength(0);
  expect(service.logged()).toContain("Postgres could not serve a request");
  expect(service.logged()).toContain("canceling statement due to lock timeout");
  expect((await create()).status).toBe(201);
});

test("503 behind a pooler as well, and the log says why", async () => {
  const pooled = await createDatabase();
  const pooler = await startPgBouncer({ url: pooled.url, mode: "transaction", connectionsMax: 23 });
  const service = await startTestService({ env: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: pooled.url } });
  try {
    const { orgId, token } = await service.register();
    const path = `/api/v1/organizations/${orgId}/links`;
    const create = () => service.call("POST", path, { token, body: { defaultUrl: "https://example.com/" } });
    const reply = await pooled.sql.begin(async (tx) => {
      await tx`lock table links in access exclusive mode`;
      return create();
    });
    expectFailure(reply, 503);
    expect(reply.headers.get("retry-after")).toBe("1");
    expect(service.logged()).toContain("canceling statement due to user request");
    expect(await pooled.sql`select from links`).toHaveLength(0);
    expect((await create()).status).toBe(201);
  } finally {
    await service.stop();
    await pooler.stop();
    await pooled.drop();
  }
});
