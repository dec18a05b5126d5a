import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { unknownBreakdowns } from "@test/support/figures";
import { FUNNEL_STAGES } from "@/contract/analytics/overview";
import { PLATFORMS } from "@/contract/platforms";
import { type OwnVisit, openAnalytics } from "./workspace";

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
beforeAll(async () => {
  analytics = await openAnalytics();
});
afterAll(() => analytics.close());

describe("an organization without visits", () => {
  test("has thirty days of zeros", async () => {
    const { overview } = await analytics.workspace();
    const { timeseries, ...figures } = await overview();
    expect(timeseries).toHaveLength(31);
    expect(timeseries[0]).toEqual({
      at: "2026-10-22T00:00:00.000Z",
      clicks: 0,
      uniqueVisitors: 0,
      opens: 0,
      installs: 0,
      leads: 0,
      events: 0,
    });
    expect(timeseries.at(-1)?.at).toBe("2026-11-21T00:00:00.000Z");
    expect(figures).toEqual({
      range: { from: "2026-10-22T12:30:00.000Z", to: "2026-11-21T12:30:00.000Z", granularity: "day" },
      totalClicks: 0,
      uniqueVisitors: 0,
      installs: 0,
      opens: 0,
      matchedInstalls: 0,
      byOpenSource: [
        { source: "direct", count: 0 },
        { source: "deferred", count: 0 },
      ],
      byOpenPlatform: PLATFORMS.map((platform) => ({ platform, count: 0 })),
      conversionFunnel: FUNNEL_STAGES.map((stage) => ({ stage, count: 0, rate: 0 })),
      byCountry: [],
      byCity: [],
      byDevice: [],
      byBrowser: [],
      byOs: [],
      byReferrer: [],
      byLanguage: [],
      ...unknownBreakdowns(0),
      byHourOfWeek: [],
      eventValue: 0,
      byEvent: [],
    });
  });
});

describe("every figure", () => {
  const phone = { device: "mobile", browser: "Mobile Safari", os: "iOS", platform: "ios", language: "de-AT" };
  const laptop = { device: "desktop", browser: "Firefox", os: "Linux", platform: "desktop", language: "en" };
  const vienna = { country: "AT", city: "Vienna" };
  const VISITS = [
    { at: "2026-11-01T00:00:00Z", visitor: 1n, ...phone, ...vienna, referrer: "t.co" },
    { at: "2026-11-01T23:59:59.999Z", visitor: 1n, ...phone, ...vienna },
    { at: "2026-11-02T08:15:00Z", visitor: 2n, ...laptop, ...vienna, referrer: "t.co" },
    { at: "2026-11-02T08:45:00Z", visitor: 1n, ...laptop, country: "DE", city: "Berlin", writer: 2 },
    { at: "2026-11-04T10:00:00Z", visitor: 3n },
    { at: "2026-11-02T09:00:00Z", visitor: 9n, isBot: true, ...laptop, country: "US", referrer: "bots.example" },
    { at: "2026-11-04T10:30:00Z", visitor: 1n, isBot: true, ...phone, ...vienna },
    { at: "2026-11-01T12:00:00Z", visitor: 1n, source: "direct", platform: "ios" },
    { at: "2026-11-04T12:00:00Z", visitor: 5n, source: "direct", platform: "android" },
    { at: "2026-11-04T12:30:00Z", visitor: 5n, source: "deferred", platform: "android", writer: 2 },
    { at: "2026-11-04T12:30:00Z", visitor: 6n, source: "direct", platform: "desktop", isBot: true },
  ] satisfies OwnVisit[];
  const DAYS = { from: "2026-11-01T00:00:00Z", to: "2026-11-05T00:00:00Z" };

  test("counts only people by default", async () => {
    const { record, overview } = await analytics.workspace();
    await record([...VISITS]);
    expect(await overview(DAYS)).toEqual({
      range: { from: "2026-11-01T00:00:00.000Z", to: "2026-11-05T00:00:00.000Z", granularity: "day" },
      ...unknownBreakdowns(5, expect.stringContaining("example.com")),
      byHourOfWeek: [
        { hourOfWeek: 8, count: 2 },
        { hourOfWeek: 58, count: 1 },
        { hourOfWeek: 144, count: 1 },
        { hourOfWeek: 167, count: 1 },
      ],
      totalClicks: 5,
      uniqueVisitors: 3,
      installs: 1,
      opens: 3,
      matchedInstalls: 1,
      byOpenSource: [
        { source: "direct", count: 2 },
        { source: "deferred", count: 1 },
      ],
      byOpenPlatform: [
        { platform: "ios", count: 1 },
        { platform: "android", count: 2 },
        { platform: "desktop", count: 0 },
        { platform: "other", count: 0 },
      ],
      conversionFunnel: [
        { stage: "clicks", count: 5, rate: 1 },
        { stage: "opens", count: 3, rate: 0.6 },
        { stage: "installs", count: 1, rate: 0.2 },
        { stage: "leads", count: 0, rate: 0 },
        { stage: "events", count: 0, rate: 0 },
      ],
      timeseries: [
        { at: "2026-11-01T00:00:00.000Z", clicks: 2, uniqueVisitors: 1, opens: 1, installs: 0, leads: 0, events: 0 },
        { at: "2026-11-02T00:00:00.000Z", clicks: 2, uniqueVisitors: 2, opens: 0, installs: 0, leads: 0, events: 0 },
        { at: "2026-11-03T00:00:00.000Z", clicks: 0, uniqueVisitors: 0, opens: 0, installs: 0, leads: 0, events: 0 },
        { at: "2026-11-04T00:00:00.000Z", clicks: 1, uniqueVisitors: 1, opens: 2, installs: 1, leads: 0, events: 0 },
      ],
      byCountry: [
        { country: "AT", count: 3 },
        { country: "unknown", count: 1 },
        { country: "DE", count: 1 },
      ],
      byCity: [
        { city: "Vienna", count: 3 },
        { city: "unknown", count: 1 },
        { city: "Berlin", count: 1 },
      ],
      byDevice: [
        { device: "desktop", count: 2 },
        { device: "mobile", count: 2 },
        { device: "unknown", count: 1 },
      ],
      byBrowser: [
        { browser: "Firefox", count: 2 },
        { browser: "Mobile Safari", count: 2 },
        { browser: "unknown", count: 1 },
      ],
      byOs: [
        { os: "Linux", count: 2 },
        { os: "iOS", count: 2 },
        { os: "unknown", count: 1 },
      ],
      byReferrer: [
        { referrer: "direct", count: 3 },
        { referrer: "t.co", count: 2 },
      ],
      byLanguage: [
        { language: "de-AT", count: 2 },
        { language: "en", count: 2 },
        { language: "unknown", count: 1 },
      ],
      eventValue: 0,
      byEvent: [],
    });
  });

  test("includes bots on request", async () => {
    const { record, overview } = await analytics.workspace();
    await record([...VISITS]);
    const figures = await overview({ ...DAYS, includeBots: true });
    expect(figures).toMatchObject({ totalClicks: 7, uniqueVisitors: 4, opens: 4 });
    expect(figures.conversionFunnel[1]).toEqual({ stage: "opens", count: 4, rate: 0.5714 });
    expect(figures.timeseries[1]).toMatchObject({ clicks: 3, uniqueVisitors: 3 });
    expect(figures.timeseries[3]).toMatchObject({ clicks: 2, uniqueVisitors: 2, opens: 3 });
    expect(figures.byCountry[0]).toEqual({ country: "AT", count: 4 });
    expect(figures.byReferrer.map(({ referrer }) => referrer)).toEqual(["direct", "t.co", "bots.example"]);
    expect(figures.byOpenPlatform[2]).toEqual({ platform: "desktop", count: 1 });
  });

  test("is the same from raw rows: each visit counts once, whichever part of an hour it is in", async () => {
    const { record, overview } = await analytics.workspace();
    await record([...VISITS]);
    const whole = await overview({ from: "2026-11-02T08:00:00Z", to: "2026-11-02T09:00:00Z", includeBots: true });
    const part = await overview({
      from: "2026-11-02T08:00:00.001Z",
      to: "2026-11-02T08:59:59.999Z",
      includeBots: true,
    });
    expect({ ...part, range: whole.range }).toEqual(whole);
    expect(whole).toMatchObject({ totalClicks: 2, uniqueVisitors: 2 });
    const opensPart = await overview({ from: "2026-11-04T11:50:00Z", to: "2026-11-04T12:30:00.001Z" });
    expect(opensPart.byOpenSource.map(({ count }) => count)).toEqual([1, 1]);
    expect(opensPart.byOpenPlatform[1]).toEqual({ platform: "android", count: 2 });
  });
});
