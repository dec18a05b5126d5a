/** Figures that the pipeline leaves: days agree with their hours, and organizations with their links. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { type Cell, type StoredSketch, storedCells, storedSketches, sumBy } from "@test/support/figures";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { temporaryFolder } from "@test/unit/clicks/records";
import type { ClickRecord } from "@/clicks/record";
import { createSketch, decodeSketch, encodeSketch, mergeInto } from "@/figures/uniques";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { clickOn, type SeededLink, seedLink, seedOrganization, startPipeline } from "../clicks/fixture";

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
  // Two servers, with two batches each.
  for (const share of [0, 1]) await recordThroughServer(share);
});
afterAll(() => database.drop());

async function recordThroughServer(share: number): Promise<void> {
  const folder = temporaryFolder();
  const pipeline = startPipeline(folder.path, database.url);
  const all = Array.from({ length: CLICKS }, (_, index) => recordNumber(index * 2 + share));
  for (const part of [all.slice(0, CLICKS / 2), all.slice(CLICKS / 2)]) {
    await Promise.all(part.map((record) => pipeline.append(record)));
    await waitUntilDrained(pipeline);
  }
  await pipeline.close();
  folder.remove();
}

/** Returns a record. Together they cover three days and all links; some are of bots and some are opens. */
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

describe("figures", () => {
  const cellsOf = async (unit: Cell["unit"]) => (await storedCells(database.sql)).filter((cell) => cell.unit === unit);

  test("of days are the sums of their hours", async () => {
    const byDay = ({ orgId, linkId, start, metric, dimension, value, writer }: Cell) => [
      [orgId, linkId, start.slice(0, 10), metric, dimension, value, writer],
    ];
    const days = sumBy(await cellsOf("day"), byDay);
    expect(days.length).toBeGreaterThan(100);
    expect(days).toEqual(sumBy(await cellsOf("hour"), byDay));
  });

  test.each(["hour", "day"] as const)("of organizations by %s are the sums of their links", async (unit) => {
    const cells = await cellsOf(unit);
    const sums = (isWhole: boolean) =>
      sumBy(
        cells.filter(({ linkId }) => (linkId === WHOLE_ORGANIZATION) === isWhole),
        ({ orgId, start, metric, dimension, value, writer }) => [orgId, start, metric, dimension, value, writer],
      );
    expect(sums(true).length).toBeGreaterThan(100);
    expect(sums(true)).toEqual(sums(false));
  });

  test("count every click and open once", async () => {
    const totals = (await cellsOf("day")).filter(
      ({ linkId, dimension }) => linkId === WHOLE_ORGANIZATION && dimension === "total",
    );
    const rows = await database.sql`
      select case when is_bot then 'bot_' else '' end || kind as metric, count(*)::int as count
      from (select 'clicks' as kind, is_bot from clicks union all select 'opens', is_bot from opens) as visits
      group by 1 order by 1`;
    const counted = rows.map(({ metric, count }): [string, number] => [JSON.stringify([metric]), count]);
    expect(sumBy(totals, ({ metric }) => [metric])).toEqual(counted);
    expect(rows).toHaveLength(4);
  });
});

test("sketches of days equal the merged sketches of their hours", async () => {
  const all = await storedSketches(database.sql);
  const days = all.filter(({ unit }) => unit === "day");
  const merged = new Map<string, ReturnType<typeof createSketch>>();
  for (const row of all.filter(({ unit }) => unit === "hour")) {
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

const keyOf = ({ orgId, linkId, start, isBot, writer }: StoredSketch): string =>
  JSON.stringify([orgId, linkId, start.slice(0, 10), isBot, writer]);
