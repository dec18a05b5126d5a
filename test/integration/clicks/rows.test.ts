/** How a click or an open is stored in Postgres. All tests share one pipeline; each has its own organization. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { storedCells, storedSketches, sumBy } from "@test/support/figures";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { temporaryFolder } from "@test/unit/clicks/records";
import type { ClickPipeline } from "@/clicks/pipeline";
import type { ClickRecord } from "@/clicks/record";
import { REST_VALUE } from "@/figures/dimensions";
import { decodeSketch, estimate } from "@/figures/uniques";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { keyNumber, networkKey, visitorKey, visitorNumber, visitorSecret } from "@/platform/visitor";
import { clickOn, type SeededLink, seedLink, seedOrganization, startPipeline, VISITOR_SECRET } from "./fixture";

let database: TestDatabase;
let folder: ReturnType<typeof temporaryFolder>;
let pipeline: ClickPipeline;
let orgId: string;
let link: SeededLink;

beforeAll(async () => {
  folder = temporaryFolder();
  database = await createDatabase();
  pipeline = startPipeline(folder.path, database.url);
});
afterAll(async () => {
  await pipeline.close();
  await database.drop();
  folder.remove();
});
beforeEach(async () => {
  orgId = await seedOrganization(database.sql);
  link = await seedLink(database.sql, orgId);
});

/** Appends the records and waits until they are in Postgres. */
async function record(...records: ClickRecord[]): Promise<void> {
  expect(await Promise.all(records.map((each) => pipeline.append(each)))).not.toContain(false);
  await waitUntilDrained(pipeline);
}

const clicks = () => database.sql`select * from clicks where org_id = ${orgId} order by occurred_at, id`;
const sketches = async () => {
  const all = (await storedSketches(database.sql, orgId)).filter(({ unit }) => unit === "hour");
  return all.sort((a, b) => (a.linkId < b.linkId ? -1 : 1));
};
const rollups = async () => {
  const cells = (await storedCells(database.sql, orgId)).filter(
    ({ unit, linkId }) => unit === "hour" && linkId === link.id,
  );
  return sumBy(cells, ({ metric, dimension, value }) => [metric, dimension, value]).map(([key, count]) => [
    ...JSON.parse(key),
    count,
  ]);
};
const counters = () => database.sql`
  select clicks::int, bot_clicks::int, last_click_at from link_counters
  where org_id = ${orgId} and link_id = ${link.id}`;

describe("a click", () => {
  test("is stored as a row with everything known about it", async () => {
    const click = clickOn(link, { address: "81.2.69.142", query: "utm_source=news&utm_campaign=%C3%BC" });
    await record(click);
    const [row] = await clicks();
    const secret = visitorSecret(VISITOR_SECRET, "none");
    const [key, from] = [visitorKey(secret, click), networkKey(secret, click)];
    expect(row).toEqual({
      id: click.id,
      occurred_at: expect.anything(),
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
      utm_term: null,
      utm_content: null,
      route_kind: "default",
      rule_index: null,
      split_key: null,
      destination_url: "https://example.com/",
      is_bot: false,
      bot_reasons: [],
      spam_score: 0,
      verdict: null,
      reviewed_by: null,
      reviewed_at: null,
      review_note: null,
      utc_offset: 0,
      link_version: 1,
      address_key: String(from && keyNumber(from)),
      domain_id: link.domainId,
      languages: "en-GB",
      offered_apps: null,
      asked: null,
      rule_number: null,
    });
    expect(new Date(row?.occurred_at).getTime()).toBe(click.at);
  });

  test("is added to the counters, rollups and unique-visitor sketches", async () => {
    const click = clickOn(link, { address: "81.2.69.142" });
    const other = clickOn(link, { address: "8.8.8.8", referrer: "", at: click.at });
    await record(click, { ...click, id: Bun.randomUUIDv7() }, other);
    const [counter] = await counters();
    expect(counter).toMatchObject({ clicks: 3, bot_clicks: 0 });
    expect(new Date(counter?.last_click_at).getTime()).toBe(click.at);
    expect(await rollups()).toEqual([
      ["clicks", "browser", "Mobile Safari", 3],
      ["clicks", "city", "London", 2],
      ["clicks", "city", "Mountain View", 1],
      ["clicks", "country", "GB", 2],
      ["clicks", "country", "US", 1],
      ["clicks", "destination", "https://example.com/", 3],
      ["clicks", "device", "mobile", 3],
      ["clicks", "domain", link.domainId, 3],
      ["clicks", "language", "en-GB", 3],
      ["clicks", "os", "iOS", 3],
      ["clicks", "platform", "ios", 3],
      ["clicks", "referrer", "", 1],
      ["clicks", "referrer", "news.example.com", 2],
      ["clicks", "region", "California", 1],
      ["clicks", "region", "England", 2],
      ["clicks", "total", "", 3],
    ]);
    const estimates = (await sketches()).map((row) => [row.linkId, row.isBot, estimate(decodeSketch(row.sketch))]);
    expect(estimates).toEqual([
      [WHOLE_ORGANIZATION, false, 2],
      [link.id, false, 2],
    ]);
  });

  test("adds to the figures of earlier batches", async () => {
    const click = clickOn(link, { address: "81.2.69.142" });
    await record(click);
    await record({ ...click, id: Bun.randomUUIDv7() }, { ...click, id: Bun.randomUUIDv7(), address: "8.8.8.8" });
    expect(await counters()).toMatchObject([{ clicks: 3 }]);
    expect(await rollups()).toContainEqual(["clicks", "total", "", 3]);
    expect((await sketches()).map(({ sketch }) => estimate(decodeSketch(sketch)))).toEqual([2, 2]);
  });

  test("by a bot is counted separately", async () => {
    await record(clickOn(link, { userAgent: "Googlebot/2.1", isHead: true }));
    expect(await clicks()).toMatchObject([{ is_bot: true, bot_reasons: ["crawler", "head"], spam_score: 30 }]);
    expect(await counters()).toMatchObject([{ clicks: 0, bot_clicks: 1, last_click_at: null }]);
    expect(new Set((await rollups()).map(([metric]) => metric))).toEqual(new Set(["bot_clicks"]));
    expect((await sketches()).map((row) => row.isBot)).toEqual([true, true]);
  });

  test("repeated by one visitor is flagged as a bot's from the sixty-first on", async () => {
    const at = Date.now();
    const again = Array.from({ length: 63 }, (_, index) => clickOn(link, { address: "192.0.2.1", at: at + index }));
    await record(...again);
    const rows = await clicks();
    expect(rows.slice(0, 60).flatMap((row) => row.bot_reasons)).toEqual([]);
    expect(rows.slice(60).map((row) => [row.bot_reasons, row.is_bot, row.spam_score])).toEqual(
      Array(3).fill([["repeat"], true, 80]),
    );
  });

  test("stores the same key for the same IPv4 address or IPv6 /64, and none without an address", async () => {
    const addresses = [
      "192.0.2.1",
      "::ffff:192.0.2.1",
      "192.0.2.2",
      "2001:db8::1",
      "2001:db8::2",
      "2001:db8:0:1::1",
      "",
    ];
    const at = Date.now();
    await record(...addresses.map((address, index) => clickOn(link, { address, at: at + index })));
    const keys = (await clicks()).map((row) => row.address_key);
    expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 2, 3, 3, 5, 6]);
    expect(keys.at(-1)).toBeNull();
  });

  test("with hostile headers is stored without an error", async () => {
    const hostile = "back\\slash \t tab \n line \r \\N \\. 'quote' \"double\" {brace} \0nul \ud800 漢字";
    await record(
      clickOn(link, {
        referrer: `https://${hostile}`,
        query: `utm_source=${encodeURIComponent("a\tb\\N\0c\nd")}`,
        acceptLanguage: hostile,
        userAgent: `Mozilla/5.0 (Linux; Android 14; ${hostile}) Chrome/1`,
      }),
    );
    expect(await clicks()).toMatchObject([{ referrer: "back\\slash", utm_source: "a\tb\\Nc\nd" }]);
    expect(pipeline.stats().poisoned).toBe(0);
  });

  test("that uses the reserved name of the rest group as a value is counted under an altered name", async () => {
    const spelled = await seedLink(database.sql, orgId, { utm: { medium: REST_VALUE } });
    const changes = { referrer: `https://${REST_VALUE}/`, query: `utm_source=${encodeURIComponent(REST_VALUE)}` };
    await record(clickOn(spelled, changes));
    const seen = "\ufffdother";
    expect(await clicks()).toMatchObject([{ referrer: seen, utm_source: seen, utm_medium: seen }]);
    const cells = await storedCells(database.sql, orgId);
    expect(cells.filter(({ value }) => value === REST_VALUE)).toEqual([]);
  });

  test("from a distant time goes to the default partition", async () => {
    await record(clickOn(link, { at: Date.UTC(1999, 0, 1) }));
    const rows = await database.sql`select tableoid::regclass::text as table from clicks where org_id = ${orgId}`;
    expect(rows).toMatchObject([{ table: "clicks_default" }]);
  });
});

describe("the destination is that", () => {
  const rules = [{ destinationUrl: "https://example.com/a" }, { destinationUrl: "https://example.com/b" }];
  const splitTargets = [
    { key: "left", destinationUrl: "https://example.com/left" },
    { key: "right", destinationUrl: "https://example.com/right" },
  ];

  test("of the rule that matched", async () => {
    await record(clickOn(await seedLink(database.sql, orgId, { rules }), { route: "rule", ruleIndex: 1 }));
    expect(await clicks()).toMatchObject([
      { destination_url: "https://example.com/b", rule_index: 1, split_key: null, route_kind: "rule" },
    ]);
  });

  test("of the split target that was drawn", async () => {
    await record(clickOn(await seedLink(database.sql, orgId, { splitTargets }), { route: "split", splitKey: "right" }));
    expect(await clicks()).toMatchObject([{ destination_url: "https://example.com/right", split_key: "right" }]);
  });

  test("of the app's store", async () => {
    const appProfileId = Bun.randomUUIDv7();
    await database.sql`insert into app_profiles (id, org_id, name, ios, android)
      values (${appProfileId}, ${orgId}, 'App', '{"appStoreId": "123"}', '{"packageName": "com.example"}')`;
    await record(clickOn(await seedLink(database.sql, orgId, { appProfileId }), { route: "store" }));
    expect(await clicks()).toMatchObject([{ destination_url: "https://apps.apple.com/app/id123" }]);
  });

  test("of the version that was served, with its UTM, or of the last revision before it", async () => {
    for (const [version, name] of [
      [2, "before"],
      [4, "after"],
    ] as const) {
      const snapshot = { defaultUrl: `https://example.com/${name}`, utm: { source: name } };
      await database.sql`insert into link_revisions (id, org_id, link_id, version, changes, snapshot)
        values (${Bun.randomUUIDv7()}, ${orgId}, ${link.id}, ${version}, '[]', ${database.sql.json(snapshot)})`;
    }
    const at = Date.now();
    await record(...[1, 2, 3, 4].map((linkVersion) => clickOn(link, { at: at + linkVersion, linkVersion })));
    expect(await clicks()).toMatchObject([
      // A version before all revisions is treated as the current link.
      { destination_url: "https://example.com/", utm_source: null },
      { destination_url: "https://example.com/before", utm_source: "before" },
      { destination_url: "https://example.com/before", utm_source: "before" },
      { destination_url: "https://example.com/after", utm_source: "after" },
    ]);
  });
});

test("an open is stored and rolled up separately from clicks, and counted nowhere else", async () => {
  await record(clickOn(link, { kind: "open", platform: "android", visitorId: "someone" }));
  const opens = await database.sql`select source, platform, is_bot from opens where org_id = ${orgId}`;
  expect(opens).toMatchObject([{ source: "direct", platform: "android", is_bot: false }]);
  expect(await rollups()).toEqual([
    ["opens", "platform", "android", 1],
    ["opens", "source", "direct", 1],
    ["opens", "total", "", 1],
  ]);
  expect([await clicks(), await counters(), await sketches()].flat()).toEqual([]);
});
