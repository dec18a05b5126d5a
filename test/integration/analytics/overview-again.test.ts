/** An overview that is requested again: nothing cached between requests is ever out of date. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { OrgId } from "@/core/ids";
import { mendDay } from "@/figures/verify/verify-day";
import { type OwnVisit, openAnalytics } from "./workspace";

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
let organization: Awaited<ReturnType<typeof analytics.workspace>>;

const PAST = { from: "2026-11-10T10:10:00.500Z", to: "2026-11-20T12:50:00.500Z" };
const RECENT = { from: "2026-11-19T10:10:00.500Z", to: "2026-11-21T12:20:00Z" };
const UP_TO_NOW = { from: "2026-11-01T00:00:00Z" };

beforeAll(async () => {
  analytics = await openAnalytics();
  organization = await analytics.workspace();
  await setTags("spring");
  const days = ["10T10:05", "10T10:20", "12T08:00", "19T23:30", "20T12:10", "20T12:55", "21T12:05", "21T12:25"];
  await record(...days.map((day, index) => ({ at: `2026-11-${day}:00Z`, visitor: BigInt(index) })));
});
afterAll(() => analytics.close());

const record = (...visits: OwnVisit[]) =>
  organization.record(visits.map((visit) => ({ country: "AT", city: "Graz", ...visit })));

const setTags = (...tags: string[]) =>
  analytics.sql`update links set tags = ${`{${tags.join(",")}}`}::text::text[] where id = ${organization.link}`;

test.each<[what: string, change: () => Promise<unknown>]>([
  ["nothing", async () => undefined],
  ["a click on a past day", () => record({ at: "2026-11-13T09:00:00Z", visitor: 20n })],
  ["a click on the newest day", () => record({ at: "2026-11-21T04:00:00Z", visitor: 21n })],
  ["a click in this hour", () => record({ at: "2026-11-21T12:29:00Z", visitor: 22n })],
  ["a click in the part of an hour at the start", () => record({ at: "2026-11-10T10:40:00Z", visitor: 23n })],
  ["a click in the other part of that hour", () => record({ at: "2026-11-10T10:02:00Z", visitor: 24n })],
  ["a click by another server", () => record({ at: "2026-11-20T12:30:00Z", visitor: 25n, writer: 2 })],
  ["a value that was never counted", () => record({ at: "2026-11-20T12:31:00Z", visitor: 26n, city: "Linz" })],
  ["an open", () => record({ at: "2026-11-20T12:32:00Z", visitor: 26n, source: "direct" })],
  ["the first install", () => record({ at: "2026-11-21T02:00:00Z", visitor: 27n, source: "deferred" })],
  ["a bot", () => record({ at: "2026-11-20T12:33:00Z", visitor: 28n, isBot: true })],
  ["other tags", () => setTags("autumn", "sale")],
  ["a domain with another name", () => analytics.sql`update domains set hostname = 'renamed.example.com'`],
])("after %s, an overview equals that of a server without caches", async (_, change) => {
  const { org, link, overview, bounded } = organization;
  const asked = [PAST, RECENT, UP_TO_NOW].flatMap((range) => [
    range,
    { ...range, linkId: link },
    { ...range, includeBots: true },
  ]);
  for (const query of asked) await overview(query);
  await change();
  for (const query of asked) {
    const unkept = await bounded({ rawMax: 1_000_000 }).overview(org as OrgId, query);
    expect(await overview(query)).toEqual(unkept);
    expect(await overview(query)).toEqual(unkept);
  }
});

test("after the repair of an hour whose day was right, an overview equals that of a server without caches", async () => {
  const { org, bounded } = organization;
  const hoursOf = async (service: ReturnType<typeof bounded>) =>
    (await service.overview(org as OrgId, UP_TO_NOW)).byHourOfWeek;
  const right = await hoursOf(bounded({ rawMax: 1_000_000 }));
  await analytics.sql`
    update figures_hourly set clicks = clicks + 5 where org_id = ${org} and hour = '2026-11-12T08:00:00Z'`;
  const keeping = bounded({ rawMax: 1_000_000 });
  expect(await hoursOf(keeping)).not.toEqual(right);
  await mendDay(analytics.sql, org, Date.parse("2026-11-12T00:00:00Z"));
  expect(await hoursOf(keeping)).toEqual(right);
});

test("visitors by day and by hour are those of their buckets, whichever was requested before", async () => {
  const { record: add, overview } = await analytics.workspace();
  await add([1n, 1n, 2n].map((visitor, index) => ({ at: `2026-11-10T1${3 + index}:05:00Z`, visitor })));
  const hours = { from: "2026-11-10T12:00:00Z", to: "2026-11-12T12:00:00Z" };
  const days = { from: hours.from, to: "2026-11-16T00:00:00Z" };
  const visitors = async (range: typeof hours) =>
    (await overview(range)).timeseries.map(({ uniqueVisitors }) => uniqueVisitors).slice(0, 5);
  for (let time = 0; time < 2; time++) {
    expect(await visitors(hours)).toEqual([0, 1, 1, 1, 0]);
    expect(await visitors(days)).toEqual([2, 0, 0, 0, 0]);
  }
});
