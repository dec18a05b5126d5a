/** Requests are counted in each process and added up in Postgres. */
import { afterAll, describe, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { createLog } from "@/platform/telemetry/log";
import { openUsage, type UsageMeter } from "@/platform/usage";

const database = await createDatabase();
const { sql } = database;
const MAY_ENDS = Date.parse("2026-06-01T00:00:00.000Z");
let now = MAY_ENDS - 60_000;
let logged = "";
const log = createLog((line) => {
  logged += line;
});
const open = (at = sql): UsageMeter => openUsage({ sql: at, clock: () => now, log });
const opened: UsageMeter[] = [];
afterAll(async () => {
  for (const usage of opened) await usage[Symbol.asyncDispose]();
  await database.drop();
});

function server(at = sql): UsageMeter {
  const usage = open(at);
  opened.push(usage);
  return usage;
}

async function organization(): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`insert into organizations (id, name, slug, plan) values (${id}, 'Acme', ${id}, 'free')`;
  return id;
}

const add = (usage: UsageMeter, orgId: string, times: number) => {
  for (let index = 0; index < times; index++) usage.add(orgId);
};
const known = async (usage: UsageMeter, orgId: string) => (await usage.ofMonth(orgId)).requests;
const stored = async (orgId: string) =>
  Object.fromEntries(
    (await sql`select month::text, requests from request_usage where org_id = ${orgId} order by month`).map((row) => [
      row.month,
      Number(row.requests),
    ]),
  );

test("counts are known immediately, and in Postgres after a flush", async () => {
  const [usage, orgId] = [server(), await organization()];
  expect(await known(usage, orgId)).toBe(0);
  add(usage, orgId, 3);
  expect([await known(usage, orgId), await stored(orgId)]).toEqual([3, {}]);
  await usage.flush();
  expect([await known(usage, orgId), await stored(orgId)]).toEqual([3, { "2026-05-01": 3 }]);
  await usage.flush();
  expect(await stored(orgId)).toEqual({ "2026-05-01": 3 });
});

test("a month starts at zero, and the counts of the last one stay with it", async () => {
  const [usage, orgId] = [server(), await organization()];
  add(usage, orgId, 2);
  now = MAY_ENDS;
  expect(await usage.ofMonth(orgId)).toMatchObject({ month: "2026-06-01", requests: 0, leftMs: 30 * 86_400_000 });
  add(usage, orgId, 1);
  await usage.flush();
  expect(await stored(orgId)).toEqual({ "2026-05-01": 2, "2026-06-01": 1 });
});

describe("several servers", () => {
  test("learn what others flushed with their own flush, and when they first see an organization", async () => {
    const [first, second, third, orgId] = [server(), server(), server(), await organization()];
    for (const usage of [first, second]) expect(await known(usage, orgId)).toBe(0);
    add(first, orgId, 5);
    add(second, orgId, 7);
    await first.flush();
    expect(await known(second, orgId)).toBe(7);
    await second.flush();
    expect([await known(first, orgId), await known(second, orgId), await known(third, orgId)]).toEqual([5, 12, 12]);
    now += 10_000;
    expect(await known(first, orgId)).toBe(12);
  });

  test("flush many organizations at once, in any order, without a deadlock", async () => {
    const orgIds = await Promise.all(Array.from({ length: 200 }, organization));
    const servers = [server(), server(), server()];
    for (let round = 0; round < 10; round++) {
      for (const orgId of orgIds) servers[0]?.add(orgId);
      for (const orgId of orgIds.toReversed()) servers[1]?.add(orgId);
      for (const orgId of orgIds.toSorted(() => Math.random() - 0.5)) servers[2]?.add(orgId);
      await Promise.all(servers.map((usage) => usage.flush()));
    }
    const rows = await sql`select distinct requests from request_usage where org_id in ${sql(orgIds)}`;
    expect(rows.map(({ requests }) => Number(requests))).toEqual([30]);
  });
});

describe("a flush", () => {
  test("that fails loses nothing: the next one stores it", async () => {
    const [usage, orgId] = [server(), await organization()];
    add(usage, orgId, 4);
    await sql`alter table request_usage rename to request_usage_away`;
    await expect(usage.flush()).rejects.toThrow();
    await sql`alter table request_usage_away rename to request_usage`;
    add(usage, orgId, 1);
    await usage.flush();
    expect(await stored(orgId)).toEqual({ "2026-06-01": 5 });
  });

  test("does not wait for an organization that is being deleted, and stores nothing for it", async () => {
    const [usage, orgId, other] = [server(), await organization(), await organization()];
    add(usage, orgId, 4);
    add(usage, other, 2);
    await sql.begin(async (tx) => {
      await tx`delete from organizations where id = ${orgId}`;
      await usage.flush();
    });
    expect([await stored(orgId), await stored(other)]).toEqual([{}, { "2026-06-01": 2 }]);
  });

  test("keeps the counts if the organization's deletion is rolled back, or if its row is only locked", async () => {
    const [usage, orgId] = [server(), await organization()];
    add(usage, orgId, 4);
    const undone = sql.begin(async (tx) => {
      await tx`delete from organizations where id = ${orgId}`;
      await usage.flush();
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await sql.begin(async (tx) => {
      await tx`update organizations set slug = 'renamed' where id = ${orgId}`;
      add(usage, orgId, 1);
      await usage.flush();
      expect(await known(usage, orgId)).toBe(5);
    });
    await usage.flush();
    expect([await known(usage, orgId), await stored(orgId)]).toEqual([5, { "2026-06-01": 5 }]);
  });

  test("stores the counts of all 20,000 organizations that fit in memory", async () => {
    const usage = server();
    const rows = await sql<{ id: string }[]>`
      insert into organizations (id, name, slug, plan)
      select gen_random_uuid(), 'Acme', 'many-' || number, 'free' from generate_series(1, 20000) as number returning id`;
    for (const { id } of rows) usage.add(id);
    await usage.flush();
    const [sum] = await sql`
      select count(*)::int, sum(requests)::int from request_usage join organizations on id = org_id where slug ~ '^many-'`;
    expect(sum).toEqual({ count: 20_000, sum: 20_000 });
  });

  test("loses nothing that is counted while it runs", async () => {
    const [usage, orgId] = [server(), await organization()];
    add(usage, orgId, 1);
    const under = usage.flush();
    add(usage, orgId, 1);
    await Promise.all([under, usage.flush()]);
    await usage.flush();
    expect([await known(usage, orgId), await stored(orgId)]).toEqual([2, { "2026-06-01": 2 }]);
  });

  test("skips an organization that has been deleted", async () => {
    const [usage, gone, orgId] = [server(), await organization(), await organization()];
    add(usage, gone, 1);
    add(usage, orgId, 1);
    await sql`delete from organizations where id = ${gone}`;
    await usage.flush();
    expect([await stored(gone), await stored(orgId)]).toEqual([{}, { "2026-06-01": 1 }]);
  });
});

describe("closing", () => {
  test("flushes all counts, even during another flush, and may happen twice", async () => {
    const [usage, orgId] = [open(), await organization()];
    add(usage, orgId, 1);
    void usage.flush();
    add(usage, orgId, 1);
    await usage[Symbol.asyncDispose]();
    await usage[Symbol.asyncDispose]();
    expect(await stored(orgId)).toEqual({ "2026-06-01": 2 });
  });

  test("completes even without Postgres, and logs once that counts could not be stored", async () => {
    const away = await createDatabase();
    const usage = open(away.sql);
    await away.drop();
    usage.add(Bun.randomUUIDv7());
    await usage[Symbol.asyncDispose]();
    log.flush();
    expect(logged.match(/could not store request counts/g)).toHaveLength(1);
  });
});

test("counts of more organizations than fit in memory are dropped, which is logged", async () => {
  const usage = server();
  for (let index = 0; index < 20_001; index++) usage.add(Bun.randomUUIDv7());
  await usage.flush();
  log.flush();
  expect(logged).toContain("requests not counted: too many active organizations");
});
