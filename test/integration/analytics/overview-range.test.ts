import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import { NO_INSTANT } from "@/core/time/instant";
import { failureOf, openAnalytics } from "./workspace";

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
beforeAll(async () => {
  analytics = await openAnalytics();
});
afterAll(() => analytics.close());

const clicksByBucket = (overview: AnalyticsOverview) =>
  Object.fromEntries(overview.timeseries.filter(({ clicks }) => clicks > 0).map(({ at, clicks }) => [at, clicks]));

describe("the range", () => {
  const at = (time: string, visitor: bigint) => ({
    at: `2026-11-10T${time}Z`,
    visitor,
  });

  test("includes its start and excludes its end, on the hour", async () => {
    const { record, overview } = await analytics.workspace();
    await record([at("09:59:59.999", 1n), at("10:00:00.000", 2n), at("11:59:59.999", 3n), at("12:00:00.000", 4n)]);
    const figures = await overview({ from: "2026-11-10T10:00:00Z", to: "2026-11-10T12:00:00Z" });
    expect(figures).toMatchObject({
      totalClicks: 2,
      uniqueVisitors: 2,
      range: { granularity: "hour" },
    });
    expect(figures.timeseries.map(({ at, clicks }) => [at, clicks])).toEqual([
      ["2026-11-10T10:00:00.000Z", 1],
      ["2026-11-10T11:00:00.000Z", 1],
    ]);
  });

  test("includes its start and excludes its end, within hours", async () => {
    const { record, overview } = await analytics.workspace();
    await record([
      at("10:29:59.999", 1n),
      at("10:30:00.000", 2n),
      at("10:59:59.999", 2n),
      at("11:30:00.000", 2n),
      at("12:09:59.999", 3n),
      at("12:10:00.000", 4n),
    ]);
    const figures = await overview({ from: "2026-11-10T10:30:00Z", to: "2026-11-10T12:10:00Z" });
    expect(figures).toMatchObject({ totalClicks: 4, uniqueVisitors: 2 });
    expect(figures.timeseries).toEqual([
      { at: "2026-11-10T10:00:00.000Z", clicks: 2, uniqueVisitors: 1, opens: 0, installs: 0, leads: 0, events: 0 },
      { at: "2026-11-10T11:00:00.000Z", clicks: 1, uniqueVisitors: 1, opens: 0, installs: 0, leads: 0, events: 0 },
      { at: "2026-11-10T12:00:00.000Z", clicks: 1, uniqueVisitors: 1, opens: 0, installs: 0, leads: 0, events: 0 },
    ]);
  });

  test("counts by UTC, whatever offset the request has", async () => {
    const { record, overview } = await analytics.workspace();
    await record([at("00:30:00", 1n), at("05:00:00", 2n)]);
    const figures = await overview({ from: "2026-11-10T04:00:00+04:00", to: "2026-11-10T03:00:00-02:00" });
    expect(clicksByBucket(figures)).toEqual({ "2026-11-10T00:00:00.000Z": 1 });
  });

  test("up to now includes the clicks of the current hour", async () => {
    const { record, overview } = await analytics.workspace();
    await record([
      { at: "2026-11-21T12:29:59.999Z", visitor: 1n },
      { at: "2026-10-22T12:29:59.999Z", visitor: 2n },
      { at: "2026-10-22T12:30:00Z", visitor: 3n },
    ]);
    const figures = await overview();
    expect(figures).toMatchObject({ totalClicks: 2, uniqueVisitors: 2 });
    expect(clicksByBucket(figures)).toEqual({ "2026-10-22T00:00:00.000Z": 1, "2026-11-21T00:00:00.000Z": 1 });
  });

  test.each([
    [{ from: "2026-11-02T00:00:00Z", to: "2026-11-01T00:00:00Z" }, "from: must be before to"],
    [{ from: "2024-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }, "from: must be at most 2 years before to"],
    [{ to: "2026-02-30T00:00:00Z" }, `to: ${NO_INSTANT}`],
  ])("%j is refused with the name of its field", async (query, detail) => {
    const { overview } = await analytics.workspace();
    expect(await failureOf(overview(query))).toMatchObject({ status: 400, details: [detail] });
  });

  test.each([
    { from: "1970-01-01T00:00:00Z", to: "1971-12-31T23:30:00Z" },
    { to: "1970-01-01T00:00:00Z" },
    { from: "2998-12-31T00:00:00Z", to: "2999-12-31T23:59:59.999Z" },
  ])("%j, far from any click, has no clicks", async (query) => {
    const { overview } = await analytics.workspace();
    expect((await overview(query)).totalClicks).toBe(0);
  });
});
