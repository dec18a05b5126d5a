import { describe, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { startRedis } from "@test/support/servers/redis";
import { jsonb, pgTable } from "drizzle-orm/pg-core";
import Redis from "ioredis";
import { instantColumn } from "@/platform/db/schema/columns";

describe("a test's database", () => {
  test("is migrated, and is not shared with other tests", async () => {
    const [first, second] = await Promise.all([createDatabase(), createDatabase()]);
    await first.sql`create table only_here ()`;
    const tables = await second.sql`select to_regclass('links')::text as links, to_regclass('only_here') as other`;
    expect([...tables]).toEqual([{ links: "links", other: null }]);
    await Promise.all([first.drop(), second.drop()]);
  });

  test("can be dropped while connections to it are open, and twice", async () => {
    const { sql, drop } = await createDatabase();
    await sql`select 1`;
    await drop();
    await drop();
    await expect(sql`select 1`).rejects.toThrow();
  });
});

describe("a database client", () => {
  test("handles dates and JSON the same in plain queries and through Drizzle", async () => {
    const { sql, db, drop } = await createDatabase();
    const table = pgTable("values", { at: instantColumn("at"), json: jsonb("json") });
    const value = { at: new Date("2026-11-02T03:04:05.678Z"), json: { a: [1, "é"] } };
    await sql`create table values (at timestamptz, json jsonb)`;
    await sql`insert into values values (${value.at}, ${sql.json(value.json)})`;
    await db.insert(table).values(value);
    expect(await db.select().from(table)).toEqual([value, value]);
    await drop();
  });
});

describe("a test's Redis", () => {
  test("is separate from those of other tests, and flushing it does not affect them", async () => {
    const [first, second] = await Promise.all([startRedis(), startRedis()]);
    const [one, two] = [new Redis(first.url), new Redis(second.url)];
    await Promise.all([one.set("key", "first"), two.set("key", "second")]);
    await first.flush();
    expect([await one.get("key"), await two.get("key")]).toEqual([null, "second"]);
    one.disconnect();
    two.disconnect();
    await Promise.all([first.stop(), first.stop(), second.stop()]);
  });
});
