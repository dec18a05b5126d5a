import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { waitUntilBlocked } from "@test/support/servers/lock-waits";
import { createDatabase, dropPartitions, type TestDatabase } from "@test/support/servers/postgres";
import { ensurePartitions } from "@/clicks/partitions";
import { ClickDatabase } from "@/clicks/writer/click-database";
import { PartitionKeeper } from "@/clicks/writer/partition-keeper";

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
  await dropPartitions(database);
});
afterEach(() => database.drop());

async function partitions(): Promise<string[]> {
  const rows = await database.sql`select relname from pg_class where relispartition and relkind = 'r' order by 1`;
  return rows.map(({ relname }) => relname).filter((name) => !name.endsWith("_default"));
}

const insertOpen = (at: string) => database.sql`
  insert into opens (id, occurred_at, org_id, link_id, visitor, source, platform, is_bot)
  values (${Bun.randomUUIDv7()}, ${at}, ${Bun.randomUUIDv7()}, ${Bun.randomUUIDv7()}, 1, 'direct', 'ios', false)
  returning tableoid::regclass::text as partition`;

describe("partitions", () => {
  test("are created for this month and the next two, even across a year's end", async () => {
    await ensurePartitions(database.sql, new Date("2030-11-30T23:59:59Z"));
    const months = ["2030_11", "2030_12", "2031_01"];
    expect(await partitions()).toEqual([
      ...months.map((month) => `clicks_${month}`),
      ...months.map((month) => `events_${month}`),
      ...months.map((month) => `opens_${month}`),
    ]);
  });

  test("are created once, even by several servers at the same time", async () => {
    const now = new Date("2030-01-15T00:00:00Z");
    await Promise.all(Array.from({ length: 5 }, () => ensurePartitions(database.sql, now)));
    await ensurePartitions(database.sql, now);
    expect(await partitions()).toHaveLength(9);
  });

  test("have the indexes of their table", async () => {
    await ensurePartitions(database.sql, new Date("2030-01-15T00:00:00Z"));
    const rows = await database.sql`select indexdef from pg_indexes where tablename = 'clicks_2030_01'`;
    const columns = rows.map(({ indexdef }) => /\(([^)]*)\)/.exec(indexdef)?.[1]).sort();
    expect(columns).toEqual(["link_id, occurred_at", "org_id, occurred_at, id", "org_id, verdict, id"]);
  });

  test("begin and end at midnight UTC on the first of the month", async () => {
    await ensurePartitions(database.sql, new Date("2030-01-15T00:00:00Z"));
    const at = [
      "2029-12-31T23:59:59.999Z",
      "2030-01-01T00:00:00.000Z",
      "2030-01-31T23:59:59.999Z",
      "2030-02-01T00:00:00.000Z",
    ];
    const inserted = [];
    for (const each of at) inserted.push((await insertOpen(each))[0]?.partition);
    expect(inserted).toEqual(["opens_default", "opens_2030_01", "opens_2030_01", "opens_2030_02"]);
  });

  test("take over their rows from the default partition", async () => {
    await insertOpen("2030-01-10T00:00:00Z");
    await insertOpen("1999-01-10T00:00:00Z");
    await ensurePartitions(database.sql, new Date("2030-01-15T00:00:00Z"));
    const rows = await database.sql`select tableoid::regclass::text as partition from opens order by occurred_at`;
    expect(rows.map(({ partition }) => partition)).toEqual(["opens_default", "opens_2030_01"]);
  });

  test("take over their rows while someone reads, who finds all of them", async () => {
    await insertOpen("2030-01-10T00:00:00Z");
    await insertOpen("1999-01-10T00:00:00Z");
    const reader = await database.sql.reserve();
    const read = await database.sql.begin(async (tx) => {
      await ensurePartitions(tx, new Date("2030-01-15T00:00:00Z"));
      const reading = reader`select occurred_at from opens`.execute();
      await waitUntilBlocked(database.sql, 1);
      return { reading };
    });
    expect(await read.reading).toHaveLength(2);
    reader.release();
  });
});

describe("while another session reads the tables, as pg_dump does for hours", () => {
  test("nothing is created, which is no failure of clicks, and tried again after ten minutes", async () => {
    const clicks = new ClickDatabase(database.url);
    const said: unknown[] = [];
    let minutes = 0;
    const keeper = new PartitionKeeper({
      database: clicks,
      onFailure: (error) => said.push(["failed", error]),
      onLocked: (error) => said.push(error),
      stopwatch: () => minutes * 60_000,
    });
    const keepAfter = async (later: number) => {
      minutes += later;
      await keeper.keep(Date.UTC(2030, 0, 15));
    };
    const locked = expect.objectContaining({ code: "55P03" });
    await database.sql.begin(async (dump) => {
      await dump`lock table clicks, opens, events in access share mode`;
      await keepAfter(0);
      expect(said).toEqual([locked]);
      await keepAfter(9);
      expect(said).toEqual([locked]);
      await keepAfter(1);
      expect(said).toEqual([locked, locked]);
    });
    await keepAfter(9);
    expect(await partitions()).toHaveLength(0);
    await keepAfter(1);
    expect(await partitions()).toHaveLength(9);
    await clicks.close();
  });
});
