import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { createDatabase, type TestDatabase } from "@test/support/postgres";
import { clickRecord, SAFARI, temporaryFolder } from "@test/unit/clicks/records";
import type { ClickPipeline } from "@/clicks/pipeline";
import { WHOLE_ORGANIZATION } from "@/platform/db/schema/clicks";
import { visitorKey, visitorNumber, visitorSecret } from "@/platform/visitor";
import { decodeSketch, estimate } from "@/core/uniques";
import { allAre, clickOn, seedLink, seedOrganization, type SeededLink, startPipeline, sumsOf, VISITOR_SECRET } from "./fixture";

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

async function start(changes: Parameters<typeof startPipeline>[2] = {}) {
  const pipeline = await startPipeline(folder.path, database.url, changes);
  open.push(pipeline);
  return pipeline;
}

describe("a click", () => {
  test("becomes a row with all that can be known of it", async () => {
    const pipeline = await start();
    const record = clickOn(link, { address: "81.2.69.142", query: "utm_source=news&utm_campaign=%C3%BC" });
    expect(await pipeline.append(record)).toBe(true);
    expect(await pipeline.drain()).toBe(true);
    const [row] = await database.sql`select *, occurred_at::text as at from clicks`;
    const key = visitorKey(visitorSecret(VISITOR_SECRET, "none"), record);
    expect(row).toMatchObject({
      id: record.id,
      org_id: orgId,
      link_id: link.id,
      visitor: String(visitorNumber(key)),
      platform: "ios",
      device_type: "mobile",
      device_vendor: "Apple",
      device_model: "iPhone",
      browser: "Mobile Safari",
      os: "iOS",
      os_version: "17.4",
      country: "GB",
      region: "England",
      city: "London",
      language: "en-GB",
      referrer: "news.example.com",
      utm_source: "news",
      utm_medium: null,
      utm_campaign: "ü",
      route_kind: "default",
      rule_index: null,
      split_key: null,
      destination_url: "https://example.com/",
      is_bot: false,
      bot_reasons: [],
      spam_score: 0,
    });
    expect(new Date(row?.at).getTime()).toBe(record.at);
  });

  test("is counted, rolled up and sketched", async () => {
    const pipeline = await start();
    const record = clickOn(link, { address: "81.2.69.142" });
    const again = { ...record, id: Bun.randomUUIDv7() };
    const other = clickOn(link, { address: "8.8.8.8", referrer: "" });
    for (const each of [record, again, other]) await pipeline.append(each);
    await pipeline.drain();

    const [counter] = await database.sql`select * from link_counters`;
    expect(counter).toMatchObject({ link_id: link.id, clicks: "3", bot_clicks: "0" });
    expect(new Date(counter?.last_click_at).getTime()).toBe(other.at);

    const rollups = await database.sql`
      select dimension, value, count::int from rollups_hourly where metric = 'clicks' order by dimension, value`;
    expect(rollups.map(({ dimension, value, count }) => [dimension, value, count])).toEqual([
      ["browser", "Mobile Safari", 3],
      ["city", "London", 2],
      ["city", "Mountain View", 1],
      ["country", "GB", 2],
      ["country", "US", 1],
      ["device", "mobile", 3],
      ["language", "en-GB", 3],
      ["os", "iOS", 3],
      ["platform", "ios", 3],
      ["referrer", "", 1],
      ["referrer", "news.example.com", 2],
      ["total", "", 3],
    ]);

    const sketches = await database.sql`select link_id, is_bot, sketch from visitor_sketches order by link_id`;
    expect(sketches.map(({ link_id, is_bot, sketch }) => [link_id, is_bot, estimate(decodeSketch(sketch))])).toEqual([
      [WHOLE_ORGANIZATION, false, 2],
      [link.id, false, 2],
    ]);
  });

  test("of a bot is kept apart", async () => {
    const pipeline = await start();
    await pipeline.append(clickOn(link, { userAgent: "Googlebot/2.1", isHead: true }));
    await pipeline.drain();
    expect((await database.sql`select is_bot, bot_reasons, spam_score from clicks`)[0]).toEqual({
      is_bot: true,
      bot_reasons: ["crawler", "head"],
      spam_score: 30,
    });
    expect((await database.sql`select clicks, bot_clicks, last_click_at from link_counters`)[0]).toEqual({
      clicks: "0",
      bot_clicks: "1",
      last_click_at: null,
    });
    expect(await database.sql`select 1 from rollups_hourly where metric <> 'bot_clicks'`).toHaveLength(0);
    expect(await database.sql`select 1 from visitor_sketches where not is_bot`).toHaveLength(0);
  });

  test("in a burst is flagged from the thirty-first on", async () => {
    const pipeline = await start();
    const links = await Promise.all(Array.from({ length: 4 }, () => seedLink(database.sql, orgId)));
    const at = Date.now();
    for (let index = 0; index < 33; index += 1) {
      const each = links[index % 4] ?? link;
      await pipeline.append(clickOn(each, { address: "192.0.2.1", at: at + index }));
    }
    await pipeline.drain();
    const flagged = await database.sql`select bot_reasons from clicks where is_bot order by occurred_at`;
    expect(flagged.map(({ bot_reasons }) => bot_reasons)).toEqual([["burst"], ["burst"], ["burst"]]);
  });

  test("with hostile headers is stored as it came", async () => {
    const pipeline = await start();
    const hostile = "back\\slash \t tab \n line \r \\N \\. 'quote' \"double\" {brace} \0nul \ud800 漢字";
    await pipeline.append(clickOn(link, { referrer: `https://${hostile}`, query: `utm_source=${encodeURIComponent("a\tb\\N\0c\nd")}`, acceptLanguage: hostile, userAgent: `Mozilla/5.0 (Linux; Android 14; ${hostile}) Chrome/1` }));
    await pipeline.drain();
    const [row] = await database.sql`select referrer, utm_source, device_model from clicks`;
    expect(row).toMatchObject({ referrer: "back\\slash", utm_source: "a\tb\\Nc\nd" });
    expect(await sumsOf(database.sql)).toEqual(allAre(1));
    expect(pipeline.stats().poisoned).toBe(0);
  });
});

describe("the destination is that", () => {
  const rules = [{ destinationUrl: "https://example.com/a" }, { destinationUrl: "https://example.com/b" }];
  const splitTargets = [
    { key: "left", destinationUrl: "https://example.com/left" },
    { key: "right", destinationUrl: "https://example.com/right" },
  ];

  async function destinationOf(click: ReturnType<typeof clickOn>): Promise<unknown> {
    const pipeline = await start();
    await pipeline.append(click);
    await pipeline.drain();
    const [row] = await database.sql`select destination_url, rule_index, split_key, route_kind from clicks`;
    return row;
  }

  test("of the rule that matched", async () => {
    const ruled = await seedLink(database.sql, orgId, { rules });
    expect(await destinationOf(clickOn(ruled, { route: "rule", ruleIndex: 1 }))).toEqual({
      destination_url: "https://example.com/b",
      rule_index: 1,
      split_key: null,
      route_kind: "rule",
    });
  });

  test("of the split target that was drawn", async () => {
    const split = await seedLink(database.sql, orgId, { splitTargets });
    expect(await destinationOf(clickOn(split, { route: "split", splitKey: "right" }))).toMatchObject({
      destination_url: "https://example.com/right",
      split_key: "right",
    });
  });

  test("of the app's store", async () => {
    const appProfileId = Bun.randomUUIDv7();
    await database.sql`insert into app_profiles (id, org_id, name, ios, android) values (${appProfileId}, ${orgId}, 'App',
      '{"appStoreId": "123"}', '{"packageName": "com.example"}')`;
    const app = await seedLink(database.sql, orgId, { appProfileId });
    expect(await destinationOf(clickOn(app, { route: "store" }))).toMatchObject({
      destination_url: "https://apps.apple.com/app/id123",
    });
  });

  test("of the version that was served, with its UTM", async () => {
    await database.sql`
      insert into link_revisions (id, org_id, link_id, version, changes, snapshot)
      values (${Bun.randomUUIDv7()}, ${orgId}, ${link.id}, 1, '[]', ${database.sql.json({
        defaultUrl: "https://example.com/before",
        utm: { source: "before" },
      })})`;
    const pipeline = await start();
    await pipeline.append(clickOn(link, { linkVersion: 1 }));
    await pipeline.append(clickOn(link, { linkVersion: 2 }));
    await pipeline.drain();
    const rows = await database.sql`select destination_url, utm_source from clicks order by id`;
    expect(rows.map((row) => [row.destination_url, row.utm_source])).toEqual([
      ["https://example.com/before", "before"],
      ["https://example.com/", null],
    ]);
  });
});

describe("an open", () => {
  test("is stored and rolled up beside the clicks, and counted nowhere else", async () => {
    const pipeline = await start();
    await pipeline.append(clickOn(link, { kind: "open", platform: "android", visitorId: "someone" }));
    await pipeline.drain();
    const [row] = await database.sql`select source, platform, is_bot from opens`;
    expect(row).toEqual({ source: "direct", platform: "android", is_bot: false });
    const rollups = await database.sql`select metric, dimension, value, count::int from rollups_hourly order by dimension`;
    expect(rollups.map((each) => Object.values(each))).toEqual([
      ["opens", "platform", "android", 1],
      ["opens", "source", "direct", 1],
      ["opens", "total", "", 1],
    ]);
    expect(await sumsOf(database.sql)).toEqual({ ...allAre(0), applied: 1 });
    expect(await database.sql`select 1 from visitor_sketches`).toHaveLength(0);
  });
});

describe("set aside, never in the way, is a click", () => {
  const poison = () =>
    readFileSync(join(folder.path, "spool", "poison"), "utf8").trim().split("\n").map((line) => JSON.parse(line));

  test("on a link that does not exist", async () => {
    const pipeline = await start();
    const unknown = clickRecord({ at: Date.now(), orgId });
    await Promise.all([clickOn(link), unknown, clickOn(link)].map((record) => pipeline.append(record)));
    await pipeline.drain();
    expect(await sumsOf(database.sql)).toEqual(allAre(2));
    expect(pipeline.stats()).toMatchObject({ applied: 2, poisoned: 1, pendingBytes: 0 });
    expect(poison()).toEqual([{ at: expect.any(String), reason: "unknown_link", line: expect.stringContaining(unknown.id) }]);
    expect(statSync(join(folder.path, "spool", "poison")).mode & 0o777).toBe(0o600);
  });

  test("that names another organization than its link", async () => {
    const pipeline = await start();
    await pipeline.append(clickOn({ ...link, orgId: await seedOrganization(database.sql) }));
    await pipeline.append(clickOn(link));
    await pipeline.drain();
    expect(await sumsOf(database.sql)).toEqual(allAre(1));
    expect(poison()).toMatchObject([{ reason: "foreign_link" }]);
  });

  test("that Postgres refuses, among many it takes", async () => {
    const pipeline = await start();
    const twice = clickOn(link);
    const records = Array.from({ length: 100 }, () => clickOn(link));
    await Promise.all([...records.slice(0, 63), twice, ...records.slice(63), twice].map((record) => pipeline.append(record)));
    await pipeline.drain();
    expect(await sumsOf(database.sql)).toEqual(allAre(101));
    expect(pipeline.stats()).toMatchObject({ applied: 101, poisoned: 1 });
    expect(poison()).toMatchObject([{ reason: "refused", detail: expect.stringContaining("duplicate key") }]);
  });
});

describe("two pipelines on one folder", () => {
  test("have a spool each and never wait for each other's rows", async () => {
    const [one, two] = [await start(), await start()];
    const links = await Promise.all(Array.from({ length: 5 }, () => seedLink(database.sql, orgId)));
    for (let turn = 0; turn < 20; turn += 1) {
      const clicks = links.flatMap((each) => [one.append(clickOn(each)), two.append(clickOn(each))]);
      expect(await Promise.all(clicks)).not.toContain(false);
    }
    expect(await Promise.all([one.drain(), two.drain()])).toEqual([true, true]);
    expect(await sumsOf(database.sql)).toEqual(allAre(200));
    expect(await database.sql`select 1 from spools`).toHaveLength(2);
  });
});

describe("closing", () => {
  test("applies what was appended, and may be repeated", async () => {
    const pipeline = await start();
    await Promise.all(Array.from({ length: 50 }, () => pipeline.append(clickOn(link))));
    await Promise.all([pipeline.close(), pipeline.close()]);
    expect(await sumsOf(database.sql)).toEqual(allAre(50));
    expect(await pipeline.append(clickOn(link))).toBe(false);
    expect(await pipeline.drain()).toBe(true);
    expect(pipeline.stats()).toMatchObject({ appended: 50, applied: 50, shed: 1, pendingBytes: 0 });
  });

  test("leaves a spool that the next pipeline goes on with", async () => {
    const first = await start();
    await first.append(clickOn(link));
    await first.close();
    const second = await start();
    await second.append(clickOn(link));
    await second.drain();
    expect(await sumsOf(database.sql)).toEqual(allAre(2));
    expect(await database.sql`select 1 from spools`).toHaveLength(1);
  });
});

describe("a start", () => {
  test("fails when the geo database cannot be read, and lets the spool go", async () => {
    expect(start({ geoDatabase: join(folder.path, "missing.mmdb") })).rejects.toThrow("ENOENT");
    const pipeline = await start();
    await pipeline.append(clickOn(link));
    expect(await pipeline.drain()).toBe(true);
  });

  test("makes this month's partitions and two months' ahead", async () => {
    const pipeline = await start();
    await pipeline.append(clickOn(link));
    await pipeline.drain();
    const names = await database.sql`select relname from pg_class where relispartition and relkind = 'r' order by 1`;
    expect(names.filter(({ relname }) => /^(?:clicks|opens)_\d{4}_\d\d$/.test(relname))).toHaveLength(6);
    expect(await database.sql`select 1 from clicks_default`).toHaveLength(0);
  });
});
