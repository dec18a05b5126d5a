import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { LinkTrends } from "@/contract/analytics/link-trends";
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { createLinkTrends, type ReadLinkTrends } from "@/modules/analytics/link-trends";
import { failureOf, NOW, type OwnVisit, openAnalytics } from "./workspace";

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
let read: ReadLinkTrends;
beforeAll(async () => {
  analytics = await openAnalytics();
  read = createLinkTrends({ sql: analytics.sql, clock: () => NOW });
});
afterAll(() => analytics.close());

async function trends(org: string, linkIds: readonly string[], days?: number): Promise<LinkTrends> {
  const answer = await read(org as OrgId, linkIds, days);
  expect([...Value.Errors(LinkTrends, answer)]).toEqual([]);
  return answer;
}

const TODAY = NOW - (NOW % DAY_MS);
const dayBefore = (days: number, time = "10:20:00.000"): string =>
  `${new Date(TODAY - days * DAY_MS).toISOString().slice(0, 10)}T${time}Z`;
const click = (link: string, at: string, visitor = 1): OwnVisit => ({ link, at, visitor: BigInt(visitor) });

describe("404 for", () => {
  test("another organization's link, an unknown one and an invalid id, also together with a valid link", async () => {
    const { org, link } = await analytics.workspace();
    const theirs = await analytics.workspace();
    for (const linkId of [theirs.link, Bun.randomUUIDv7(), "1", "' or 1=1 --"]) {
      const details = ["linkId: there is no such link"];
      expect(await failureOf(trends(org, [linkId]))).toMatchObject({ status: 404, details });
      expect(await failureOf(trends(org, [link, linkId]))).toMatchObject({ status: 404, details });
    }
  });
});

describe("trends", () => {
  test("have one number for each of the last seven UTC days including today, zero without clicks", async () => {
    const { org, link, addLink, record } = await analytics.workspace();
    const quiet = await addLink();
    await record([
      click(link, dayBefore(7, "23:59:59.999")),
      click(link, dayBefore(6, "00:00:00.000")),
      click(link, dayBefore(1, "23:59:59.999")),
      click(link, dayBefore(0, "00:00:00.000")),
      click(link, new Date(NOW).toISOString()),
    ]);
    expect(await trends(org, [quiet, link])).toEqual({
      range: { from: dayBefore(6, "00:00:00.000"), to: dayBefore(-1, "00:00:00.000"), granularity: "day" },
      links: [
        { linkId: quiet, clicks: [0, 0, 0, 0, 0, 0, 0] },
        { linkId: link, clicks: [1, 0, 0, 0, 0, 1, 2] },
      ],
    });
  });

  test("have thirty numbers if thirty days are requested", async () => {
    const { org, link, record } = await analytics.workspace();
    await record([click(link, dayBefore(30)), click(link, dayBefore(29)), click(link, dayBefore(0))]);
    const [first] = (await trends(org, [link], 30)).links;
    expect(first?.clicks).toEqual([1, ...Array.from({ length: 28 }, () => 0), 1]);
  });

  test("include a deleted link, and list a link once that is requested twice", async () => {
    const { org, addLink, record } = await analytics.workspace();
    const deleted = await addLink(new Date(NOW));
    await record([click(deleted, dayBefore(0))]);
    const { links } = await trends(org, [deleted, deleted.toUpperCase()]);
    expect(links).toEqual([{ linkId: deleted, clicks: [0, 0, 0, 0, 0, 0, 1] }]);
  });

  test("equal the raw clicks of people, counted by link and day", async () => {
    const { org, link, addLink, record } = await analytics.workspace();
    const links = [link, await addLink(), await addLink(), await addLink()];
    const visits = Array.from({ length: 400 }, (_, index): OwnVisit => {
      const at = new Date(NOW - ((index * 7_919_000_003) % (10 * DAY_MS))).toISOString();
      const visit = {
        ...click(links[(index * index) % links.length] ?? link, at, index % 40),
        writer: 1 + (index % 3),
      };
      const kind = index % 11;
      return { ...visit, isBot: kind === 3, ...(kind === 5 && { source: "direct" as const }) };
    });
    await record(visits);
    const days = await analytics.sql<{ linkId: string; day: string; clicks: number }[]>`
      select link_id as "linkId", to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as clicks
      from clicks where org_id = ${org} and not is_bot group by 1, 2`;
    const counted = new Map(days.map(({ linkId, day, clicks }) => [`${linkId} ${day}`, clicks]));
    const expected = links.map((linkId) => ({
      linkId,
      clicks: [6, 5, 4, 3, 2, 1, 0].map((before) => counted.get(`${linkId} ${dayBefore(before).slice(0, 10)}`) ?? 0),
    }));
    expect(expected.flatMap(({ clicks }) => clicks).filter((clicks) => clicks > 0).length).toBeGreaterThan(10);
    expect((await trends(org, links)).links).toEqual(expected);
  });
});
