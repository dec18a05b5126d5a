import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";
import type { Filters } from "@/contract/analytics/analytics-filters";
import { TopLinks } from "@/contract/analytics/top-links";
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { LoadedDays } from "@/figures/columns/loaded-days";
import { readDailyClicks } from "@/figures/read/links/daily-clicks";
import { LinkLeaders } from "@/figures/read/links/leaders";
import { LinkVisitors } from "@/figures/read/links/link-visitors";
import { areLeadersOutdated, storeLeaders } from "@/figures/read/links/stored-leaders";
import type { LeaderOptions } from "@/figures/read/links/top-links";
import { createTopLinks, type TopLinksAsked } from "@/modules/analytics/top-links";
import { Copies } from "@/platform/db/copies";
import { describedLinks } from "./link-records";
import { failureOf, NOW, type OwnVisit, openAnalytics } from "./workspace";

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
/**
 * Readers that keep the default number of leaders, few, and none, so that clicks of all time select the links to
 * read. All must return the same.
 */
let readers: { leading: LeaderOptions; read: ReturnType<typeof createTopLinks> }[];
/** Reads at most two clicks when there are filters. */
let readFew: ReturnType<typeof createTopLinks>;
beforeAll(async () => {
  analytics = await openAnalytics();
  const { database, sql } = analytics;
  const records = { sql, clock: () => NOW, describeLinks: describedLinks(database) };
  const copies = new Copies();
  const known = {
    visitors: new LinkVisitors(copies),
    leaders: new LinkLeaders(copies),
    columns: new LoadedDays(copies),
  };
  const options = { ...records, ...known };
  readers = [undefined, 3, 1, 0].map((leadersMax) => ({
    leading: { leaders: known.leaders, leadersMax },
    read: createTopLinks({ ...options, leadersMax }),
  }));
  readFew = createTopLinks({ ...options, lookedAtMax: 2 });
});
afterAll(() => analytics.close());

async function topLinks(org: string, query: TopLinksAsked = {}): Promise<TopLinks> {
  const [answer, ...others] = await Promise.all(readers.map(({ read }) => read(org as OrgId, query)));
  if (!answer) throw new Error("There are readers");
  for (const other of others) expect(other).toEqual(answer);
  expect([...Value.Errors(TopLinks, answer)]).toEqual([]);
  return answer;
}

const figuresOf = ({ links }: TopLinks) => links.map((link) => [link._id, link.clicks, link.uniqueVisitors]);
const DAY = { from: "2026-11-10T00:00:00Z", to: "2026-11-11T00:00:00Z" };
const clicks = (link: string, visitors: number[], at = "2026-11-10T10:20:00Z"): OwnVisit[] =>
  visitors.map((visitor) => ({ link, at, visitor: BigInt(visitor) }));

describe("400", () => {
  test("for a range that ends before it begins", async () => {
    const { org } = await analytics.workspace();
    expect(await failureOf(topLinks(org, { from: DAY.to, to: DAY.from }))).toMatchObject({
      status: 400,
      details: ["from: must be before to"],
    });
  });
});

describe("filters", () => {
  test("on links use rollups, for any number of clicks; others search clicks, up to a limit", async () => {
    const { org, link, addLink, addDomain, record } = await analytics.workspace();
    const domain = await addDomain();
    const [other, elsewhere] = [await addLink(), await addLink(undefined, domain)];
    await analytics.sql`update links set tags = '{spring}' where id in (${link}, ${elsewhere})`;
    await record([...clicks(link, [1, 1]), ...clicks(other, [1, 2, 3]), ...clicks(elsewhere, [4])]);
    const few = async (filters: Filters) => figuresOf(await readFew(org as OrgId, { ...DAY, filters }));
    expect(await few({ tag: ["spring"] })).toEqual([
      [link, 2, 1],
      [elsewhere, 1, 1],
    ]);
    expect(await few({ tag: ["spring"], domainId: [domain] })).toEqual([[elsewhere, 1, 1]]);
    expect(await few({ linkId: [other, elsewhere] })).toEqual([
      [other, 3, 3],
      [elsewhere, 1, 1],
    ]);
    expect(await failureOf(few({ tag: ["spring"], country: ["unknown"] }))).toMatchObject({
      status: 400,
      details: [expect.stringContaining("from: filters can search at most 2 clicks, and this range has 6")],
    });
    expect(figuresOf(await topLinks(org, { ...DAY, filters: { tag: ["spring"], country: ["unknown"] } }))).toEqual([
      [link, 2, 1],
      [elsewhere, 1, 1],
    ]);
    const theirs = await analytics.workspace();
    for (const filters of [{ linkId: [theirs.link] }, { domainId: [theirs.domain] }]) {
      expect(await failureOf(topLinks(org, { filters }))).toMatchObject({ status: 404 });
    }
  });
});

describe("top links", () => {
  test("are empty without clicks", async () => {
    const { org } = await analytics.workspace();
    expect(await topLinks(org, DAY)).toEqual({
      links: [],
      range: { from: "2026-11-10T00:00:00.000Z", to: "2026-11-11T00:00:00.000Z", granularity: "hour" },
    });
  });

  test("have their records, most clicked first, of the last 30 days by default", async () => {
    const { org, link, addLink, record } = await analytics.workspace();
    const other = await addLink();
    await record([...clicks(link, [1, 1]), ...clicks(other, [1, 2, 3, 3])]);
    await record(clicks(link, [1, 2, 3], "2026-10-22T12:29:59.999Z"));
    const answer = await topLinks(org);
    expect(figuresOf(answer)).toEqual([
      [other, 4, 3],
      [link, 2, 1],
    ]);
    expect(answer.links[1]).toMatchObject({ clickCount: 5, defaultUrl: "https://example.com/", isDeleted: false });
  });

  test("count people's clicks, without bots or opens", async () => {
    const { org, link, addLink, record } = await analytics.workspace();
    const crawled = await addLink();
    await record([
      ...clicks(link, [1]),
      ...clicks(link, [2, 3]).map((visit) => ({ ...visit, isBot: true })),
      ...clicks(crawled, [2, 3]).map((visit) => ({ ...visit, isBot: true })),
      ...clicks(crawled, [4, 5]).map((visit) => ({ ...visit, source: "direct" as const })),
    ]);
    expect(figuresOf(await topLinks(org, DAY))).toEqual([[link, 1, 1]]);
  });

  test("include deleted links, marked as such", async () => {
    const { org, link, addLink, record } = await analytics.workspace();
    const deleted = await addLink(new Date(NOW));
    await record([...clicks(deleted, [1, 2]), ...clicks(link, [1])]);
    const { links } = await topLinks(org, DAY);
    expect(links.map(({ _id, isDeleted }) => [_id, isDeleted])).toEqual([
      [deleted, true],
      [link, false],
    ]);
  });

  test("are as many as requested, with the newer link first among equals", async () => {
    const { org, link, addLink, record } = await analytics.workspace();
    const [second, third] = [await addLink(), await addLink()];
    await record([...clicks(link, [1]), ...clicks(second, [1]), ...clicks(third, [1])]);
    const ids = (answer: TopLinks) => answer.links.map(({ _id }) => _id);
    expect(ids(await topLinks(org, DAY))).toEqual([third, second, link]);
    expect(ids(await topLinks(org, { ...DAY, limit: 2 }))).toEqual([third, second]);
  });

  test("are found even if many links had more clicks at other times", async () => {
    const { org, link, addLink, record } = await analytics.workspace();
    const other = await addLink();
    const formerly: OwnVisit[] = [];
    for (let each = 0; each < 60; each++) formerly.push(...clicks(await addLink(), [1, 2, 3], "2026-11-01T00:00:00Z"));
    await record([...formerly, ...clicks(link, [1, 2]), ...clicks(other, [1])]);
    expect(figuresOf(await topLinks(org, { ...DAY, limit: 5 }))).toEqual([
      [link, 2, 2],
      [other, 1, 1],
    ]);
  });

  test("are only the organization's own", async () => {
    const [mine, theirs] = [await analytics.workspace(), await analytics.workspace()];
    await theirs.record(clicks(theirs.link, [1]));
    expect((await topLinks(mine.org, DAY)).links).toEqual([]);
  });
});

test("clicks by day of several links equal those recorded, whichever links lead the days and are cached", async () => {
  const { org, link, addLink, record } = await analytics.workspace();
  const others = await Promise.all(Array.from({ length: 4 }, () => addLink()));
  const days = { from: Date.parse("2026-11-10T00:00:00Z"), to: Date.parse("2026-11-20T00:00:00Z") };
  const visit = fc.record({
    at: fc.integer({ min: days.from - DAY_MS, max: days.to }).map((at) => new Date(at).toISOString()),
    link: fc.constantFrom(link, ...others, ...others.slice(2), ...others.slice(3)),
    visitor: fc.bigInt(0n, 30n),
    isBot: fc.integer({ min: 0, max: 5 }).map((kind) => kind === 0),
  });
  const recorded: { at: string; link: string; isBot: boolean }[] = [];
  for (const seed of [1, 2]) {
    const visits = fc.sample(visit, { numRuns: 150, seed });
    recorded.push(...visits);
    await record(visits);
    for (const { leading, read } of readers) {
      // The read below keeps the leaders of half of the days, and all of these may have changed since they were kept.
      const ask = () => readDailyClicks(analytics.sql, leading, org as OrgId, [link, ...others], days);
      const clicks = [await ask()];
      await read(org as OrgId, { from: "2026-11-10T00:00:00Z", to: "2026-11-15T00:00:00Z" });
      clicks.push(await ask());
      for (const each of [link, ...others]) {
        for (let day = days.from; day < days.to; day += DAY_MS) {
          const expected = recorded.filter(
            ({ at, isBot, ...of }) =>
              of.link === each && !isBot && Math.floor(Date.parse(at) / DAY_MS) * DAY_MS === day,
          );
          expect(clicks.map((ofLinks) => ofLinks.get(each)?.get(day) ?? 0)).toEqual([expected.length, expected.length]);
        }
      }
    }
  }
});

describe("visitors of past days", () => {
  const RANGE = { from: "2026-11-10T00:00:00Z", to: "2026-11-14T00:00:00Z" };

  test("are cached until one of the days changes", async () => {
    const { org, link, addLink, record } = await analytics.workspace();
    const other = await addLink();
    await record([
      ...clicks(link, [1, 2, 2], "2026-11-10T10:00:00Z"),
      ...clicks(link, [2, 3], "2026-11-11T10:00:00Z"),
      ...clicks(other, [1], "2026-11-11T10:00:00Z"),
      ...clicks(link, [3, 4], "2026-11-13T10:00:00Z"),
    ]);
    const before = [
      [link, 7, 4],
      [other, 1, 1],
    ];
    expect(figuresOf(await topLinks(org, RANGE))).toEqual(before);
    expect(figuresOf(await topLinks(org, RANGE))).toEqual(before);
    await record(clicks(link, [5, 1], "2026-11-11T12:00:00Z"));
    await record(clicks(other, [2], "2026-11-13T12:00:00Z"));
    expect(figuresOf(await topLinks(org, RANGE))).toEqual([
      [link, 9, 5],
      [other, 2, 2],
    ]);
    const shorter = { from: "2026-11-11T00:00:00Z", to: RANGE.to };
    expect(figuresOf(await topLinks(org, shorter))).toEqual([
      [link, 6, 5],
      [other, 2, 2],
    ]);
  });
});

describe("stored leaders", () => {
  const days = { from: Date.parse("2026-11-10T00:00:00Z"), to: Date.parse("2026-11-20T00:00:00Z") };
  const RANGE = { from: "2026-11-10T00:00:00Z", to: "2026-11-20T00:00:00Z" };
  const MAX = 3;
  const of = (org: string) => ({ now: NOW, days: 30, orgId: org as OrgId, clicksMin: 2, max: MAX });
  const store = (org: string) => storeLeaders(analytics.sql, of(org));
  /** Reads through a server that has just started. */
  const afresh = async (org: string, links: readonly string[], limit = 10) => {
    const leading = { leaders: new LinkLeaders(new Copies()), leadersMax: MAX };
    const { sql, database } = analytics;
    const copies = new Copies();
    const known = { visitors: new LinkVisitors(copies), columns: new LoadedDays(copies) };
    const read = createTopLinks({
      ...{ sql, clock: () => NOW, describeLinks: describedLinks(database) },
      ...{ ...known, ...leading },
    });
    const top = figuresOf(await read(org as OrgId, { ...RANGE, limit })).map(([id, clicks]) => [id, clicks]);
    const daily = await readDailyClicks(sql, leading, org as OrgId, links, days);
    return { top, daily: links.map((id) => [...(daily.get(id) ?? [])].filter(([, count]) => count > 0)) };
  };

  test("are read after a start until their day changes; then the figures are, and the leaders are stored again", async () => {
    const { org, link, addLink, record } = await analytics.workspace();
    const [second, third] = [await addLink(), await addLink()];
    const links = [link, second, third];
    await record([
      ...clicks(link, [1, 2, 3], "2026-11-10T10:00:00Z"),
      ...clicks(second, [1, 2], "2026-11-10T11:00:00Z"),
      ...clicks(third, [1], "2026-11-10T11:00:00Z"),
      ...clicks(third, [1, 2], "2026-11-12T11:00:00Z"),
      ...clicks(second, [1], "2026-11-14T11:00:00Z"),
    ]);
    const before = await afresh(org, links);
    expect([await store(org), await store(org)]).toEqual([2, 0]);
    expect(await afresh(org, links)).toEqual(before);

    // No service writes this; it shows that stored leaders are read.
    await analytics.sql`update leader_days set clicks = int4send(70) where org_id = ${org} and day = '2026-11-12T00:00:00Z'`;
    expect((await afresh(org, links)).top[0]).toEqual([third, 71]);

    await record(clicks(link, [9], "2026-11-12T23:59:59Z"));
    expect((await afresh(org, links)).top).toEqual([
      [link, 4],
      [third, 3],
      [second, 3],
    ]);
    expect(await areLeadersOutdated(analytics.sql, of(org))).toBe(true);
    expect(await store(org)).toBe(1);
    expect(await areLeadersOutdated(analytics.sql, of(org))).toBe(false);
    expect((await afresh(org, links)).top[0]).toEqual([link, 4]);
  });

  test("give the same results as the figures, whatever was recorded and stored in between", async () => {
    const { org, link, addLink, record } = await analytics.workspace();
    const links = [link, ...(await Promise.all(Array.from({ length: 4 }, () => addLink())))];
    const visit = fc.record({
      at: fc.integer({ min: days.from, max: days.to - 1 }).map((at) => new Date(at).toISOString()),
      link: fc.constantFrom(...links, ...links.slice(2), ...links.slice(3)),
      visitor: fc.bigInt(0n, 30n),
      isBot: fc.integer({ min: 0, max: 5 }).map((kind) => kind === 0),
    });
    for (const seed of [3, 4, 5]) {
      await record(fc.sample(visit, { numRuns: 40, seed }));
      const [unstored, first] = [await afresh(org, links), await afresh(org, links, 2)];
      await store(org);
      expect([await afresh(org, links), await afresh(org, links, 2)]).toEqual([unstored, first]);
      expect(unstored.top).toEqual(figuresOf(await topLinks(org, RANGE)).map(([id, clicks]) => [id, clicks]));
    }
  });
});

test("top links of any range have the same figures as their overviews", async () => {
  const { org, link, addLink, record, overview } = await analytics.workspace();
  const links = [link, await addLink(), await addLink(), await addLink(new Date(NOW))];
  const START = Date.parse("2026-11-12T00:00:00Z");
  const instant = (unit: number) => fc.integer({ min: START, max: NOW - 1 }).map((at) => at - (at % unit));
  const anyInstant = fc.oneof(...[1, 60_000, 3_600_000, DAY_MS].map(instant));
  const visit = fc.record({
    at: anyInstant.map((at) => new Date(at).toISOString()),
    link: fc.constantFrom(...links, link, link),
    visitor: fc.integer({ min: 0, max: 30 }).map(BigInt),
    writer: fc.constantFrom(1, 2),
    isBot: fc.integer({ min: 0, max: 5 }).map((kind) => kind === 0),
  });
  await record(fc.sample(visit, { numRuns: 500, seed: 20_261_121 }));
  const range = fc.tuple(anyInstant, fc.oneof(anyInstant, fc.constant(NOW))).filter(([from, to]) => from < to);
  await fc.assert(
    fc.asyncProperty(range, async ([from, to]) => {
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const expected = [];
      for (const linkId of links.toSorted().toReversed()) {
        const { totalClicks, uniqueVisitors } = await overview({ ...query, linkId });
        if (totalClicks > 0) expected.push([linkId, totalClicks, uniqueVisitors] as const);
      }
      expect(figuresOf(await topLinks(org, query))).toEqual(
        expected.toSorted((a, b) => b[1] - a[1]).map(([...row]) => row),
      );
    }),
    { numRuns: 40 },
  );
}, 240_000);
