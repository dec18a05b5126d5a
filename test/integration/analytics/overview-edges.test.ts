import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openAnalytics } from "./workspace";

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
beforeAll(async () => {
  analytics = await openAnalytics();
});
afterAll(() => analytics.close());

const PART = { from: "2026-11-10T10:10:00.500Z", to: "2026-11-10T12:50:00.500Z" };

describe("parts of hours at the ends of a range", () => {
  test("are exact to the millisecond: the start is included, the end is not", async () => {
    const { record, overview } = await analytics.workspace();
    const instants = ["10:10:00.499Z", "10:10:00.500Z", "12:50:00.499Z", "12:50:00.500Z"];
    await record(
      instants.map((at, index) => ({ at: `2026-11-10T${at}`, visitor: BigInt(index), country: `C${index}` })),
    );
    const figures = await overview(PART);
    expect(figures).toMatchObject({ totalClicks: 2, uniqueVisitors: 2 });
    expect(figures.byCountry.map(({ country }) => country).sort()).toEqual(["C1", "C2"]);
  });

  test("are counted again after a new visit in their hour, whichever server writes it", async () => {
    const { record, overview } = await analytics.workspace();
    await record([{ at: "2026-11-10T10:20:00Z", visitor: 1n, city: "Graz" }]);
    expect(await overview(PART)).toMatchObject({ totalClicks: 1, uniqueVisitors: 1 });
    await record([{ at: "2026-11-10T10:30:00Z", visitor: 2n, city: "Linz", writer: 2 }]);
    await record([{ at: "2026-11-10T12:30:00Z", visitor: 2n, source: "direct" }]);
    const figures = await overview(PART);
    expect(figures).toMatchObject({ totalClicks: 2, uniqueVisitors: 2, opens: 1 });
    expect(figures.byCity.map(({ city }) => city).sort()).toEqual(["Graz", "Linz"]);
  });

  test("count people or people and bots, whichever was requested before", async () => {
    const { record, overview } = await analytics.workspace();
    await record([
      { at: "2026-11-10T10:20:00Z", visitor: 1n },
      { at: "2026-11-10T10:20:00Z", visitor: 2n, isBot: true },
    ]);
    for (const includeBots of [true, false, true]) {
      const count = includeBots ? 2 : 1;
      expect(await overview({ ...PART, includeBots })).toMatchObject({ totalClicks: count, uniqueVisitors: count });
    }
  });

  test("count each visit once, even if there are more visits than one read returns", async () => {
    const { record, overview } = await analytics.workspace();
    const visits = Array.from({ length: 20_500 }, (_, index) => ({
      // Many share one millisecond, so only their ids differ.
      at: new Date(Date.UTC(2026, 10, 10, 10, 20, 0, Math.floor(index / 5_000))).toISOString(),
      visitor: BigInt(index % 1_000),
      city: index % 2 === 0 ? "Graz" : "Linz",
    }));
    for (let from = 0; from < visits.length; from += 1_000) await record(visits.slice(from, from + 1_000));
    const figures = await overview(PART);
    expect(figures.totalClicks).toBe(20_500);
    expect(figures.byCity).toEqual([
      { city: "Graz", count: 10_250 },
      { city: "Linz", count: 10_250 },
    ]);
  });

  test("with more visits than memory holds are counted while reading, each time", async () => {
    const { org, link, record, overview } = await analytics.workspace();
    await record([{ at: "2026-11-10T10:20:00Z", visitor: -1n, country: "AT" }]);
    await analytics.sql`
      insert into clicks (id, occurred_at, org_id, link_id, visitor, platform, route_kind, destination_url, is_bot,
        bot_reasons, spam_score, country)
      select gen_random_uuid(), timestamptz '2026-11-10T10:00:00Z' + n * interval '40 milliseconds', ${org}, ${link},
        n % 100, 'other', 'default', 'https://example.com/', false, '{}', 0, 'AT' from generate_series(0, 79999) as n`;
    const range = { from: "2026-11-10T10:00:00.001Z", to: "2026-11-10T10:50:00Z" };
    for (let time = 0; time < 2; time++) {
      const { totalClicks, uniqueVisitors, byCountry } = await overview(range);
      // One visit every 40 ms from 10:00 on; the first, at 10:00:00.000, and the one at 10:50 are outside the range.
      expect({ totalClicks, uniqueVisitors }).toEqual({ totalClicks: 75_000, uniqueVisitors: 101 });
      expect(byCountry).toEqual([{ country: "AT", count: 75_000 }]);
    }
  });

  test("count nothing once their visits are past retention, even if they were counted before", async () => {
    const { org, record, overview } = await analytics.workspace();
    await record([
      { at: "2026-11-10T10:20:00Z", visitor: 1n },
      { at: "2026-11-10T11:20:00Z", visitor: 2n },
      { at: "2026-11-10T12:20:00Z", visitor: 3n },
    ]);
    expect((await overview(PART)).totalClicks).toBe(3);
    await analytics.sql`insert into raw_retention (org_id, kept_from) values (${org}, '2026-11-10T12:00:00Z')`;
    await analytics.sql`delete from clicks where org_id = ${org} and occurred_at < '2026-11-10T12:00:00Z'`;
    expect(await overview(PART)).toMatchObject({ totalClicks: 2, uniqueVisitors: 2 });
  });

  test("are added to their buckets, together with the whole hours next to them", async () => {
    const { record, overview } = await analytics.workspace();
    await record([
      { at: "2026-11-10T10:20:00Z", visitor: 1n },
      { at: "2026-11-10T11:20:00Z", visitor: 1n },
      { at: "2026-11-10T12:20:00Z", visitor: 1n },
    ]);
    const hourly = await overview(PART);
    expect(hourly.timeseries.map(({ clicks }) => clicks)).toEqual([1, 1, 1]);
    const daily = await overview({ ...PART, from: "2026-11-01T10:10:00.500Z" });
    expect(daily.timeseries.map(({ clicks }) => clicks)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
    expect(daily.uniqueVisitors).toBe(1);
  });
});
