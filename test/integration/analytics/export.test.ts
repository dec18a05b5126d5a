import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SERIES_METRICS } from "@/contract/analytics/series";
import type { OrgId } from "@/core/ids";
import { createFigureCaches } from "@/figures/read/figure-caches";
import { csvResponse } from "@/http/csv";
import { createAnalytics } from "@/modules/analytics/service";
import { Copies } from "@/platform/db/copies";
import { failureOf, NOW, type OwnVisit, openAnalytics } from "./workspace";

let traffic: Awaited<ReturnType<typeof openAnalytics>>;
let analytics: ReturnType<typeof createAnalytics>;
beforeAll(async () => {
  traffic = await openAnalytics();
  analytics = createAnalytics({ sql: traffic.sql, clock: () => NOW, kept: createFigureCaches(new Copies()) });
});
afterAll(() => traffic.close());

type Exported = Parameters<typeof analytics.exportSeries>;

/** Returns the cells of each row, beginning with the header. */
async function rowsOf(org: string, query: Exported[1], options?: Exported[2]): Promise<string[][]> {
  const source = await analytics.exportSeries(org as OrgId, query, options);
  const response = await csvResponse({ ...source, failed: () => {} });
  const text = await response.text();
  expect(text).toEndWith("\r\n");
  return text
    .slice(0, -2)
    .split("\r\n")
    .map((line) => line.split(","));
}

describe("failures", () => {
  test("400 for a range that ends before it begins", async () => {
    const { org } = await traffic.workspace();
    const query = { from: "2026-11-02T00:00:00Z", to: "2026-11-01T00:00:00Z" };
    expect(await failureOf(analytics.exportSeries(org as OrgId, query))).toMatchObject({ status: 400 });
  });

  test("404 for another organization's link", async () => {
    const [mine, theirs] = [await traffic.workspace(), await traffic.workspace()];
    const failure = failureOf(analytics.exportSeries(mine.org as OrgId, { filters: { linkId: [theirs.link] } }));
    expect(await failure).toMatchObject({ status: 404, message: "There is no such link" });
  });
});

describe("an export", () => {
  test("has a header and a row for each bucket, empty ones included", async () => {
    const { org, record } = await traffic.workspace();
    await record([
      { at: "2026-11-10T10:20:00Z", visitor: 1n },
      { at: "2026-11-10T10:30:00Z", visitor: 1n },
      { at: "2026-11-10T12:00:00Z", visitor: 2n, source: "direct" },
    ]);
    expect(await rowsOf(org, { from: "2026-11-10T10:00:00Z", to: "2026-11-10T13:00:00Z" })).toEqual([
      ["at", "clicks", "uniqueVisitors", "opens", "installs", "leads", "events", "eventValue"],
      ["2026-11-10T10:00:00.000Z", "2", "1", "0", "0", "0", "0", "0"],
      ["2026-11-10T11:00:00.000Z", "0", "0", "0", "0", "0", "0", "0"],
      ["2026-11-10T12:00:00.000Z", "0", "0", "1", "0", "0", "0", "0"],
    ]);
  });

  test("has the requested metrics, in the requested order", async () => {
    const { org, record } = await traffic.workspace();
    await record([{ at: "2026-11-10T10:20:00Z", visitor: 1n }]);
    const query = { from: "2026-11-10T10:00:00Z", to: "2026-11-10T11:00:00Z" };
    expect(await rowsOf(org, query, { metrics: ["uniqueVisitors", "clicks"] })).toEqual([
      ["at", "uniqueVisitors", "clicks"],
      ["2026-11-10T10:00:00.000Z", "1", "1"],
    ]);
  });

  test.each([
    ["of hours, ending within one", "2026-11-18T23:41:07.300Z", undefined],
    ["of days, beginning and ending within one", "2026-06-03T10:41:00Z", "2026-11-20T07:15:30.250Z"],
    ["of two years", "2024-11-21T12:30:00Z", undefined],
  ])("%s has the figures of the overview: of all links, of one link, and with bots", async (_, from, to) => {
    const { org, link, addLink, record, overview } = await traffic.workspace();
    const other = await addLink();
    await record(scattered(link, other));
    for (const scope of [{}, { linkId: link }, { includeBots: true }]) {
      const { linkId, ...query } = { from, to, linkId: undefined, ...scope };
      const filters = linkId === undefined ? {} : { linkId: [linkId] };
      const [, ...rows] = await rowsOf(org, { ...query, filters }, { metrics: ["clicks", "uniqueVisitors", "opens"] });
      const { timeseries } = await overview({ ...query, linkId });
      const expected = timeseries.map((each) => [each.at, each.clicks, each.uniqueVisitors, each.opens].map(String));
      expect(rows).toEqual(expected);
      expect(rows.some(([, clicks]) => Number(clicks) > 0)).toBe(true);
    }
  });

  test("reads one chunk at a time, and nothing more once its reader stops", async () => {
    const { org } = await traffic.workspace();
    const { chunks } = await analytics.exportSeries(org as OrgId, { from: "2024-11-22T00:00:00Z" });
    const taken = [];
    for await (const rows of chunks) if (taken.push(rows.length) === 2) break;
    expect(taken).toEqual([31, 31]);
    expect(await Array.fromAsync(chunks)).toEqual([]);
  });
});

test("every metric is a column", async () => {
  const { org } = await traffic.workspace();
  const { header } = await analytics.exportSeries(org as OrgId, {});
  expect(header).toEqual(["at", ...SERIES_METRICS]);
});

/**
 * Visits to these links, every 72 minutes at first, then every 37 hours and 12 minutes, going back from now. Some are
 * by bots, some are opens.
 */
function scattered(...links: string[]): OwnVisit[] {
  return Array.from({ length: 480 }, (_, index) => ({
    link: links[index % links.length],
    at: new Date(NOW - 60_000 - Math.floor(index * (index < 60 ? 1.2 : 37.2) * 3_600_000)).toISOString(),
    visitor: BigInt(index % 17),
    isBot: index % 5 === 0,
    source: index % 7 === 0 ? ("direct" as const) : undefined,
  }));
}
