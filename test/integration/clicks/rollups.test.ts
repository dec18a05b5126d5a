/** Rollups and sketches that the pipeline leaves: days agree with their hours, organizations with their links. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/postgres";
import { temporaryFolder } from "@test/unit/clicks/records";
import type { ClickRecord } from "@/clicks/record";
import { createSketch, decodeSketch, encodeSketch, mergeInto } from "@/core/uniques";
import { WHOLE_ORGANIZATION } from "@/platform/db/schema/clicks";
import { clickOn, type SeededLink, seedLink, seedOrganization, startPipeline } from "./fixture";

const DAY_MS = 86_400_000;
const CLICKS = 300;
const ADDRESSES = ["81.2.69.142", "8.8.8.8", "192.0.2.1", "198.51.100.7"];

let database: TestDatabase;
let links: SeededLink[];

beforeAll(async () => {
  database = await createDatabase();
  const orgs = [await seedOrganization(database.sql), await seedOrganization(database.sql)];
  const both = orgs.flatMap((orgId) => [orgId, orgId]);
  links = await Promise.all(both.map((orgId) => seedLink(database.sql, orgId)));
  // Two servers, and two batches each.
  for (const share of [0, 1]) await recordThroughServer(share);
});
afterAll(() => database.drop());

async function recordThroughServer(share: number): Promise<void> {
  const folder = temporaryFolder();
  const pipeline = await startPipeline(folder.path, database.url);
  const all = Array.from({ length: CLICKS }, (_, index) => recordNumber(index * 2 + share));
  for (const part of [all.slice(0, CLICKS / 2), all.slice(CLICKS / 2)]) {
    await Promise.all(part.map((record) => pipeline.append(record)));
    expect(await pipeline.drain()).toBe(true);
  }
  await pipeline.close();
  folder.remove();
}

/** Over three days, on all links, some of bots and some opens. */
function recordNumber(index: number): ClickRecord {
  const link = links[index % links.length];
  if (!link) throw new Error("There are links.");
  return clickOn(link, {
    at: Date.now() - ((index * 7_919_317) % (3 * DAY_MS)),
    address: ADDRESSES[index % 3] ?? "",
    kind: index % 11 === 0 ? "open" : "click",
    isHead: index % 13 === 0,
    visitorId: `visitor ${index % 50}`,
  });
}

describe("rollups", () => {
  const rowsOf = async (query: Promise<readonly object[]>) => [...(await query)];

  test("of days are the sums of their hours", async () => {
    const { sql } = database;
    const days = await rowsOf(sql`
      select org_id, link_id, day, dimension, metric, value, writer, count::int from rollups_daily
      order by 1, 2, 3, 4, 5, 6, 7`);
    const hours = await rowsOf(sql`
      select org_id, link_id, date_trunc('day', hour, 'UTC') as day, dimension, metric, value, writer, sum(count)::int as count
      from rollups_hourly group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`);
    expect(days.length).toBeGreaterThan(100);
    expect(days).toEqual(hours);
  });

  test.each(["rollups_hourly", "rollups_daily"])(
    "of organizations in %s are the sums of their links",
    async (table) => {
      const { sql } = database;
      const start = sql(table === "rollups_hourly" ? "hour" : "day");
      const sums = (isWhole: boolean) =>
        rowsOf(sql`
        select org_id, ${start}, dimension, metric, value, writer, sum(count)::int as count from ${sql(table)}
        where (link_id = ${WHOLE_ORGANIZATION}) = ${isWhole} group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`);
      const wholes = await sums(true);
      expect(wholes.length).toBeGreaterThan(100);
      expect(wholes).toEqual(await sums(false));
    },
  );

  test("count every click and open once", async () => {
    const { sql } = database;
    const counted = await sql`
      select metric, sum(count)::int as count from rollups_daily
      where dimension = 'total' and link_id = ${WHOLE_ORGANIZATION} group by 1 order by 1`;
    const rows = await sql`
      select case when is_bot then 'bot_' else '' end || kind as metric, count(*)::int as count
      from (select 'clicks' as kind, is_bot from clicks union all select 'opens', is_bot from opens) as visits
      group by 1 order by 1`;
    expect([...counted]).toEqual([...rows]);
    expect(rows).toHaveLength(4);
  });
});

test("sketches of days are those of their hours, merged", async () => {
  const { sql } = database;
  const days = await sql<SketchRow[]>`select *, day as start from visitor_sketches_daily`;
  const hours = await sql<SketchRow[]>`select *, date_trunc('day', hour, 'UTC') as start from visitor_sketches`;
  const merged = new Map<string, ReturnType<typeof createSketch>>();
  for (const row of hours) {
    const found = decodeSketch(row.sketch);
    const sum = merged.get(keyOf(row)) ?? createSketch(found.precision);
    mergeInto(sum, found);
    merged.set(keyOf(row), sum);
  }
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  const stored = new Map(days.map((row) => [keyOf(row), hex(row.sketch)]));
  expect(stored).toEqual(new Map([...merged].map(([key, sketch]) => [key, hex(encodeSketch(sketch))])));
  expect(stored.size).toBeGreaterThan(20);
});

interface SketchRow {
  org_id: string;
  link_id: string;
  start: Date;
  is_bot: boolean;
  writer: number;
  sketch: Buffer;
}

const keyOf = ({ org_id, link_id, start, is_bot, writer }: SketchRow): string =>
  JSON.stringify([org_id, link_id, start, is_bot, writer]);
