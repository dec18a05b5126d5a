/** A Postgres on another continent, where every awaited response takes a while: the tests count round trips. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { createEnrichment, type Enrich } from "@/clicks/enrich/enrich";
import type { ClickRecord } from "@/clicks/record";
import { type Batch, writeBatch } from "@/clicks/writer/batch";
import { ClickDatabase } from "@/clicks/writer/click-database";
import { FigureStore } from "@/figures/write/figure-store";
import { RowCache } from "@/figures/write/row-cache";
import { visitorSecret } from "@/platform/visitor";
import {
  allAre,
  clickOn,
  ownSpool,
  type SeededLink,
  seedLink,
  seedOrganization,
  sumsOf,
  VISITOR_SECRET,
} from "./fixture";

/** Long enough for everything one side sends without waiting to count as one turn, even on a busy machine. */
const DELAY_MS = 30;
const NOWHERE = { edition: 1, lookup: () => undefined, [Symbol.dispose]: () => undefined };

let database: TestDatabase;
let line: TcpProxy;
let clicks: ClickDatabase;
let enrich: Enrich;
let figures: FigureStore;
let orgId: string;

beforeEach(async () => {
  database = await createDatabase();
  line = await TcpProxy.start(Number(new URL(database.url).port), { delayMs: DELAY_MS });
  clicks = new ClickDatabase(line.urlThrough(database.url));
  enrich = createEnrichment(NOWHERE, visitorSecret(VISITOR_SECRET, "none"));
  figures = new FigureStore((error) => Promise.reject(error));
  orgId = await seedOrganization(database.sql);
});
afterEach(async () => {
  await clicks.close();
  await line.cut();
  await database.drop();
});

const seedLinks = (count: number) => Promise.all(Array.from({ length: count }, () => seedLink(database.sql, orgId)));

const visits = (links: readonly SeededLink[], changes: Partial<ClickRecord> = {}): ClickRecord[] =>
  links.map((link) => clickOn(link, { at: Date.now(), ...changes }));

async function batchesOf(all: readonly (readonly ClickRecord[])[]): Promise<Batch[]> {
  const { applied, identity: spool } = await ownSpool(clicks);
  let from = applied;
  const batches: Batch[] = [];
  for (const records of all) {
    const to = { segment: 1, offset: (batches.length + 1) * 100 };
    const spooled = records.map((record) => ({
      ...{ record, end: to },
      targets: { orgId, defaultUrl: "https://example.com/", rules: [], splitTargets: [], utm: {} },
    }));
    batches.push({ spool, from, to, clicks: await enrich(spooled) });
    from = to;
  }
  return batches;
}

/**
 * Returns the round trips of the last batch; those before it include what the connection and its caches need only
 * once.
 */
async function turnsOfLast(batches: readonly Batch[]): Promise<number> {
  let before = 0;
  for (const batch of batches) {
    before = line.turns;
    await writeBatch(clicks, figures, batch);
  }
  return line.turns - before;
}

test.each([
  ["many links, whose figures come by COPY", 100, 3],
  ["few links, whose figures come as parameters", 2, 2],
])("a batch of %s takes few round trips", async (_, count, trips) => {
  const links = await seedLinks(count);
  const batches = await batchesOf([visits(links), visits(links), visits(links)]);
  expect(await turnsOfLast(batches)).toBe(trips);
  expect(await sumsOf(database.sql)).toEqual(allAre(3 * count));
});

test("links clicked for the first time cost no extra round trip", async () => {
  const links = await seedLinks(300);
  const batches = await batchesOf([0, 100, 200].map((from) => visits(links.slice(from, from + 100))));
  expect(await turnsOfLast(batches)).toBe(3);
  expect(await sumsOf(database.sql)).toEqual(allAre(300));
});

test("figures that do not fit in the cache are read again and count every click", async () => {
  figures = new FigureStore((error) => Promise.reject(error), new RowCache(0));
  const links = await seedLinks(100);
  const batches = await batchesOf([visits(links), visits(links), visits(links)]);
  for (const batch of batches) await writeBatch(clicks, figures, batch);
  expect(await sumsOf(database.sql)).toEqual(allAre(300));
});

test("dimension values seen for the first time cost two extra round trips", async () => {
  const links = await seedLinks(100);
  const from = (referrer: string) => visits(links, { referrer: `https://${referrer}.example/` });
  const batches = await batchesOf([from("one"), from("two"), from("three")]);
  expect(await turnsOfLast(batches)).toBe(5);
});
