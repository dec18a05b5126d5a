/** Figures from before they were packed, converted by the migration that packs them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { storedCells, storedSketches, sumBy } from "@test/support/figures";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { createSketch, encodeSketch } from "@/figures/uniques";

const MIGRATION = "drizzle/migrations/0004_figures.sql";
/** Undoes the migration: drops the tables it creates and recreates those it drops. */
const BEFORE = `
  drop table periodic_jobs, raw_retention, figure_values, figures_hourly, figures_daily;
  create table rollups_hourly (org_id uuid, link_id uuid, hour timestamptz(3), metric text, dimension text, value text, writer int, count bigint);
  create table rollups_daily (org_id uuid, link_id uuid, day timestamptz(3), metric text, dimension text, value text, writer int, count bigint);
  create table visitor_sketches (org_id uuid, link_id uuid, hour timestamptz(3), is_bot boolean, writer int, sketch bytea);
  create table visitor_sketches_daily (org_id uuid, link_id uuid, day timestamptz(3), is_bot boolean, writer int, sketch bytea)`;
const AT = "2026-11-18T00:00:00.000Z";
const [ORG, LINK] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const ROLLUPS: [metric: string, dimension: string, value: string, writer: number, count: number][] = [
  ["clicks", "total", "", 1, 1_300],
  ["clicks", "country", "DE", 1, 900],
  ["clicks", "country", "FR", 1, 400],
  ["clicks", "city", "", 1, 1],
  ["clicks", "city", "Zürich", 1, 300_000],
  ["clicks", "country", "DE", 0, -2],
  ["clicks", "total", "", 0, -2],
  ["bot_clicks", "total", "", 1, 7],
  ["bot_clicks", "browser", "curl", 1, 7],
  ["opens", "total", "", 1, 3],
  ["opens", "platform", "ios", 1, 3],
  ["opens", "source", "direct", 1, 3],
  ["bot_opens", "platform", "other", 2, 1],
];

test("the migration keeps every count and every sketch", async () => {
  const { sql } = database;
  const sketch = Buffer.from(encodeSketch({ ...createSketch(12), visitors: new Set([5n, 7n]) }));
  await sql.unsafe(BEFORE);
  for (const [table, unit] of [
    ["rollups_hourly", "hour"],
    ["rollups_daily", "day"],
  ] as const) {
    for (const [metric, dimension, value, writer, count] of ROLLUPS) {
      await sql`insert into ${sql(table)} (org_id, link_id, ${sql(unit)}, metric, dimension, value, writer, count)
        values (${ORG}, ${LINK}, ${AT}, ${metric}, ${dimension}, ${value}, ${writer}, ${count})`;
    }
  }
  // One sketch beside counts, and one of a writer that has nothing else.
  for (const writer of [1, 3]) {
    await sql`insert into visitor_sketches values (${ORG}, ${LINK}, ${AT}, false, ${writer}, ${sketch})`;
    await sql`insert into visitor_sketches_daily values (${ORG}, ${LINK}, ${AT}, false, ${writer}, ${sketch})`;
  }
  await sql.unsafe((await Bun.file(MIGRATION).text()).replaceAll("--> statement-breakpoint", ""));

  for (const unit of ["hour", "day"]) {
    const cells = (await storedCells(sql, ORG)).filter((cell) => cell.unit === unit);
    const carried = sumBy(cells, ({ metric, dimension, value, writer }) => [metric, dimension, value, writer]);
    const before = ROLLUPS.map(([metric, dimension, value, writer, count]): [string, number] => [
      JSON.stringify([metric, dimension, value, writer]),
      count,
    ]);
    expect(carried).toEqual(before.sort(([a], [b]) => (a < b ? -1 : 1)));
    const sketches = (await storedSketches(sql, ORG)).filter((row) => row.unit === unit);
    expect(sketches.map(({ writer }) => writer).sort()).toEqual([1, 3]);
    expect(sketches.every((row) => row.sketch.equals(sketch))).toBe(true);
  }
});
