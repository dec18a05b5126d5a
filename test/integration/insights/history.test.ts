/** A scripted history: its known spike, drop, best target and broken link are found, and nothing else is. */
import { afterAll, describe, expect, test } from "bun:test";
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { countEvent } from "@/figures/write/event-figures";
import { RoutedSamples } from "@/modules/insights/routed/routed-samples";
import { Copies } from "@/platform/db/copies";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { events } from "@/platform/db/schema";
import { NOW, type OwnVisit } from "../analytics/workspace";
import { daysAgo, openHistory } from "./history";

const history = await openHistory();
afterAll(() => history.close());

/**
 * Clicks per day from that many days ago until yesterday: forty a day with a little noise, except for the given days.
 */
const ordinary = (days: number, but: Record<number, number> = {}): Record<number, number> =>
  Object.fromEntries(Array.from({ length: days }, (_, index) => [index + 1, but[index + 1] ?? 38 + ((index * 3) % 5)]));

/** Ten clicks on each day from that many days ago until another. */
const tenADay = (from: number, to: number): Record<number, number> =>
  Object.fromEntries(Array.from({ length: from - to + 1 }, (_, index) => [to + index, 10]));

describe("an empty workspace", () => {
  test("has no results, and every summary says why", async () => {
    const { insights, anomalies, prediction, best, broken, org } = await history.workspace();
    await history.sql`delete from links where org_id = ${org}`;
    const answers = [await insights(), await anomalies(), await prediction(), await best(), await broken()];
    expect(answers.map(({ summary }) => [summary.data, summary.clicks, summary.text])).toEqual([
      ["none", 0, "The range has no clicks to learn from"],
      ["none", 0, "No whole hour or day had clicks, so there is nothing to compare"],
      ["none", 0, "The range has no clicks to predict from"],
      ["none", 0, "No click led to any of the current destinations"],
      ["none", 0, "No link that still exists was visited in the range, and no link has a set-up that cannot work"],
    ]);
    expect((await insights()).insights.map(({ id }) => id)).toEqual(["setup:no_links"]);
    expect((await anomalies()).anomalies).toEqual([]);
    expect((await broken()).campaigns).toEqual([]);
    expect((await best()).recommendation).toMatchObject({ generatedBy: "statistics", best: null, candidates: [] });
    expect((await prediction()).prediction).toMatchObject({
      score: 0,
      label: "low",
      confidence: "low",
      projectedClicks: 0,
    });
  });
});

describe("five clicks", () => {
  test("are too few for any result, and every summary says so", async () => {
    const { link, visit, insights, anomalies, prediction, best } = await history.workspace();
    await visit(link, { 3: 5 });
    const answers = [await insights(), await anomalies(), await prediction(), await best()];
    expect(answers.map(({ summary }) => summary.data)).toEqual(["thin", "thin", "thin", "thin"]);
    expect((await anomalies()).anomalies).toEqual([]);
    expect((await best()).recommendation.best).toBeNull();
    expect((await prediction()).prediction).toMatchObject({ label: "low", confidence: "low" });
  });
});

describe("a workspace whose first visits came three days ago", () => {
  test("is not said to lose clicks, and is expected to go on like these days", async () => {
    const { link, visit, insights, prediction } = await history.workspace();
    await visit(link, { 1: 40, 2: 40, 3: 40 });
    expect((await insights()).insights.map(({ id }) => id)).not.toContain("risk:falling_clicks");
    expect((await prediction()).prediction).toMatchObject({ projectedClicks: 30 * 40, confidence: "low" });
  });
});

describe("a spike and a drop", () => {
  test("are each found once, for the right link, and only within the range", async () => {
    const { link, addLink, visit, anomalies } = await history.workspace();
    const other = await addLink();
    await visit(link, ordinary(70, { 8: 200, 50: 300 }));
    await visit(other, ordinary(70, { 15: 0 }));
    const found = await anomalies();
    expect(found.anomalies.map(({ id, severity }) => [id.slice(0, -14), severity])).toEqual([
      [`traffic_spike:${link}:2026-11-13`, "high"],
      [`traffic_drop:${other}:2026-11-06`, "high"],
    ]);
    expect(found.summary).toMatchObject({ data: "enough", found: 2, text: "2 anomalies in 3 series of clicks" });
    expect(found.anomalies[0]?.evidence.at(-1)).toStartWith("All links: 239 clicks, about 7");
    expect((await anomalies({ linkId: link })).anomalies.map(({ type }) => type)).toEqual(["traffic_spike"]);
    expect((await anomalies({ linkId: other })).anomalies.map(({ type }) => type)).toEqual(["traffic_drop"]);
    expect((await anomalies({ to: daysAgo(20) })).anomalies).toEqual([]);
  });
});

test("a link without any clicks in the range is found as a drop from the weeks before", async () => {
  const { link, addLink, visit, anomalies } = await history.workspace();
  const dead = await addLink();
  await visit(link, ordinary(40));
  await visit(dead, Object.fromEntries(Array.from({ length: 38 }, (_, index) => [index + 3, 40])));
  const ofDays = await anomalies({ from: `${daysAgo(2).slice(0, 10)}T00:00:00Z`, to: daysAgo(-3) });
  expect(ofDays.range.granularity).toBe("day");
  expect(ofDays.anomalies.map(({ id }) => id.slice(0, -14))).toEqual([`traffic_drop:${dead}:2026-11-19`]);
});

describe("a country and a referrer", () => {
  test("appear as evidence of a link's spike, or as anomalies of their own if other traffic hides them", async () => {
    const { link, visit, anomalies } = await history.workspace();
    await visit(link, ordinary(70, { 9: 160 }), { country: "DE", referrer: "news.example.com" });
    await visit(link, ordinary(70, { 20: 0 }), { country: "AT", referrer: "shop.example.com" });
    await visit(link, ordinary(70, { 20: 140 }), { country: "FR" });
    const { anomalies: found } = await anomalies();
    const spike = found.find(({ id }) => id === `traffic_spike:${link}:2026-11-12T00:00:00.000Z`);
    expect(spike?.evidence.slice(2).map((line) => line.split(":")[0])).toEqual([
      "All links",
      "Visitors from DE",
      "Visitors referred by news.example.com",
    ]);
    expect(
      found
        .filter((each) => each !== spike)
        .map(({ id, evidence }) => [id.slice(0, -14), evidence.length])
        .toSorted(),
    ).toEqual([
      ["traffic_drop:country=AT:2026-11-01", 4],
      ["traffic_spike:country=FR:2026-11-01", 3],
    ]);
  });
});

describe("many referrers", () => {
  test("of which the rare ones are counted together are not told of as one", async () => {
    const { link, visit, record, anomalies } = await history.workspace();
    await visit(link, { 2: 2 }, { referrer: "news.example" });
    const sites = Array.from({ length: 300 }, (_, site) => ({
      visitor: BigInt(site),
      referrer: `site-${site}.example`,
    }));
    await record(sites.map((site) => ({ at: daysAgo(2), ...site })));
    const { summary } = await anomalies({ linkId: link });
    expect(summary.notes.join()).toContain("Visitors referred by news.example");
    expect(summary.notes.join()).not.toContain("Visitors referred by other");
  });

  test("of more clicks than those without one leave it open how many these were", async () => {
    const { link, visit, insights } = await history.workspace();
    const evidence = async () =>
      (await insights()).insights
        .find(({ id }) => id === "setup:utm")
        ?.evidence.filter((each) => each.includes("also"));
    await visit(link, { 2: 100 });
    expect(await evidence()).toEqual(["100 clicks also came without a referring page"]);
    for (let site = 0; site < 10; site++) await visit(link, { 2: 101 }, { referrer: `site-${site}.example` });
    expect(await evidence()).toEqual([]);
  });
});

describe("bots", () => {
  test("are counted over exactly the same range as people, for one link and for all", async () => {
    const { link, addLink, record, insights } = await history.workspace();
    const other = await addLink();
    let visitor = 1n;
    const at = (time: string, count: number, isBot: boolean, of = link) =>
      record(Array.from({ length: count }, () => ({ at: time, isBot, link: of, visitor: visitor++ })));
    // The range begins yesterday at 12:30. The last whole day ended twelve and a half hours before now.
    await at("2026-11-20T12:20:00Z", 500, true);
    await at("2026-11-20T12:40:00Z", 30, true);
    await at("2026-11-20T15:00:00Z", 100, false);
    await at("2026-11-20T15:00:00Z", 70, true);
    await at("2026-11-20T16:00:00Z", 50, true, other);
    await at("2026-11-21T01:00:00Z", 20, false);
    await at("2026-11-21T12:10:00Z", 1, true);
    const evidence = async (query = {}) => {
      const from = new Date(NOW - DAY_MS).toISOString();
      const answer = await insights({ from, ...query });
      return answer.insights.find(({ id }) => id === "risk:bots")?.evidence[0]?.split(",")[0];
    };
    expect(await evidence()).toBe("151 of 271 clicks were from bots");
    expect(await evidence({ linkId: link })).toBe("101 of 221 clicks were from bots");
    expect(await evidence({ includeBots: true })).toBeUndefined();
  });

  test("are part of the clicks of each link where they are part of all clicks", async () => {
    const { link, addLink, record, insights } = await history.workspace();
    const other = await addLink();
    let visitor = 1n;
    const at = (time: string, count: number, isBot: boolean, of: string) =>
      record(Array.from({ length: count }, () => ({ at: time, isBot, link: of, visitor: visitor++ })));
    // Half of these are before the range, which begins in the middle of an hour.
    for (const minute of ["12:20", "12:40"]) await at(`2026-11-20T${minute}:00Z`, 200, true, other);
    await at("2026-11-20T15:00:00Z", 60, false, link);
    await at("2026-11-20T16:00:00Z", 40, false, other);
    await at("2026-11-21T01:00:00Z", 700, true, other);
    const from = new Date(NOW - DAY_MS).toISOString();
    const { insights: found, summary } = await insights({ from, includeBots: true });
    expect(summary.clicks).toBe(1000);
    const metrics = Object.fromEntries(found.map(({ id, metric }) => [id, metric]));
    expect(metrics).toMatchObject({ "risk:concentration": "94% of clicks", "setup:utm": "100% of clicks" });
    const { evidence = [] } = found.find(({ id }) => id === "risk:concentration") ?? {};
    expect(evidence[0]).toStartWith("940 of 1,000 clicks, ");
  });
});

test("installs of a destination are those of bots, too, where its clicks are", async () => {
  const { link, record, best } = await history.workspace();
  const visits = [false, true, true].map((isBot, place) => ({ at: daysAgo(5), isBot, visitor: BigInt(place) }));
  await record(visits);
  await record(visits.map((visit) => ({ ...visit, source: "deferred" as const })));
  const found = async (query = {}) =>
    (await best(query)).recommendation.candidates.map(({ linkId, clicks, installs }) => [linkId, clicks, installs]);
  expect([await found(), await found({ includeBots: true })]).toEqual([[[link, 1, 1]], [[link, 3, 3]]]);
});

describe("the best target", () => {
  test("is the one whose clicks produced the most leads", async () => {
    const { org, link, visit, best, lead } = await history.workspace();
    const targets = ["a", "b"].map((key) => ({ key, destinationUrl: `https://example.com/${key}` }));
    await history.sql`update links set split_targets = ${history.sql.json(targets)} where id = ${link}`;
    await visit(link, { 5: 400 });
    const clicks = await history.sql<{ id: string }[]>`
      with numbered as (select id, row_number() over (order by id) as place from clicks where org_id = ${org})
      update clicks set route_kind = 'split', split_key = case when place % 2 = 0 then 'b' else 'a' end,
        destination_url = 'https://example.com/' || case when place % 2 = 0 then 'b' else 'a' end
      from numbered where numbered.id = clicks.id returning clicks.id, clicks.split_key as key`;
    const of = (key: string) => clicks.filter((click) => "key" in click && click.key === key).map(({ id }) => id);
    for (const clickId of [...of("a").slice(0, 4), ...of("b").slice(0, 30)]) {
      await lead(link, clickId, Date.parse(daysAgo(5)));
    }
    const { recommendation, summary } = await best();
    expect(recommendation.best).toMatchObject({
      id: `${link}:split:b`,
      linkId: link,
      splitTarget: "b",
      sources: ["split:b"],
      destinationUrl: "https://example.com/b",
      ...{ clicks: 200, leads: 30, installs: 0, events: 0, score: 99, confidence: "high", warnings: [] },
    });
    expect(recommendation.candidates.map(({ splitTarget, leads }) => [splitTarget, leads])).toEqual([
      ["b", 30],
      ["a", 4],
    ]);
    expect(summary).toMatchObject({ data: "enough", clicks: 400, conversions: 34, found: 1 });
    expect((await best({ linkId: link })).recommendation).toEqual(recommendation);
  });

  test.each([
    ["its split began within the range", 20, 20],
    ["the range leaves out earlier visitors of its split", 40, 100],
    ["its split was unused for a month before the range", 90, 20],
  ])("if %s, needs evidence that suits it", async (_, firstDaysAgo, needed) => {
    const { link, record, best } = await history.workspace();
    const targets = ["a", "b"].map((key) => ({ key, destinationUrl: `https://example.com/${key}` }));
    await history.sql`update links set split_targets = ${history.sql.json(targets)} where id = ${link}`;
    const visit = (days: number, visitor: number, key: string): OwnVisit => ({
      ...{ at: daysAgo(days), link, visitor: BigInt(visitor), splitKey: key },
      ...{ routeKind: "split", destination: `https://example.com/${key}` },
    });
    const recent = Array.from({ length: 120 }, (_, visitor) => visit(5, visitor, visitor % 2 ? "a" : "b"));
    await record([...recent, visit(firstDaysAgo, 1_000, "a"), visit(firstDaysAgo, 1_001, "b")]);
    await history.sql`
      insert into events (id, org_id, link_id, name, occurred_at, visitor_id)
      select gen_random_uuid(), org_id, link_id, 'buy', occurred_at, id::text from clicks
      where link_id = ${link} and split_key = 'b' and visitor < 40`;
    const { candidates } = (await best()).recommendation;
    expect(candidates.map(({ metrics }) => metrics.needed)).toEqual([needed, undefined]);
    expect((await best({ from: daysAgo(100) })).recommendation.candidates[0]?.metrics.needed).toBe(20);
  });
});

test("conversions are read up to a limit per click, and only since the oldest click that is read", async () => {
  const { org, link, visit, lead } = await history.workspace();
  await visit(link, { 2: 4, 9: 4 });
  const clicks = await history.sql<{ id: string }[]>`
    select id from clicks where org_id = ${org} order by occurred_at desc, id`;
  for (const [index, { id }] of clicks.entries()) await lead(link, id, Date.parse(daysAgo(index < 4 ? 1 : 8)));
  const samples = new RoutedSamples(new Copies());
  const leadsOf = async (clicksMax: number, conversionsAClick: number) => {
    const span = { from: Date.parse(daysAgo(30)), to: Date.parse(daysAgo(0)) };
    const query = { links: [{ linkId: link, clicksMax }], span, now: NOW, includeBots: false, conversionsAClick };
    const rows = await samples.read(history.sql, org as OrgId, query);
    return rows.reduce((sum, { leads }) => sum + leads, 0);
  };
  expect([await leadsOf(8, 2), await leadsOf(4, 2), await leadsOf(8, 0)]).toEqual([8, 4, 0]);
});

describe("the broken link", () => {
  test("is found among working ones by the checks of its destination", async () => {
    const { org, link, addLink, visit, broken } = await history.workspace();
    const sound = await addLink();
    await history.sql`update links set utm = '{"source":"newsletter"}' where org_id = ${org}`;
    await visit(link, ordinary(60));
    await visit(sound, ordinary(60));
    expect((await broken()).campaigns).toEqual([]);
    await history.sql`
      insert into destination_checks (link_id, url_hash, org_id, url, status, http_status, failing_since, failures, checked_at)
      values (${link}, '\\x01', ${org}, 'https://example.com/', 'broken', 404, '2026-11-19T00:00:00Z', 2, '2026-11-20T00:00:00Z'),
        (${link}, '\\x02', ${org}, 'https://example.com/former', 'broken', 404, '2026-11-19T00:00:00Z', 2, '2026-11-20T00:00:00Z'),
        (${sound}, '\\x01', ${org}, 'https://example.com/', 'broken', 503, '2026-11-20T00:00:00Z', 1, '2026-11-20T00:00:00Z')`;
    const { campaigns, summary } = await broken();
    expect(campaigns).toEqual([
      expect.objectContaining({
        id: `dead_destination:${link}`,
        linkId: link,
        severity: "high",
        evidence: [
          "https://example.com/: HTTP 404, 2 failed checks in a row, at least an hour apart, since 2026-11-19T00:00:00.000Z",
          "1,160 clicks in the range, 39.9 a day over the last 7 whole days",
        ],
      }),
    ]);
    expect(summary).toMatchObject({ data: "enough", found: 1, text: "1 fault in 2 links checked" });
    expect((await broken({ linkId: sound })).campaigns).toEqual([]);
  });

  test("is searched for among the 100 most visited links, and the summary says if there are more", async () => {
    const { link, addLink, visit, broken } = await history.workspace();
    for (const each of [link, ...(await Promise.all(Array.from({ length: 99 }, () => addLink())))])
      await visit(each, { 1: 1 });
    expect((await broken()).summary).toMatchObject({ text: "Nothing is broken in 100 links checked", notes: [] });
    await visit(await addLink(), { 1: 1 });
    const { summary } = await broken();
    expect(summary).toMatchObject({ text: "Nothing is broken in 100 links checked" });
    expect(summary.notes).toEqual([expect.stringContaining("the 100 most visited links")]);
  });

  test("can also be one that expired, is inactive, lost its traffic, or has rules or splits without effect", async () => {
    const { org, link, addLink, visit, refuse, broken, insights } = await history.workspace();
    const [off, lost, odd, over] = [await addLink(), await addLink(), await addLink(), await addLink()];
    await history.sql`update links set utm = '{"source":"newsletter"}' where org_id = ${org}`;
    await visit(link, ordinary(60, { 1: 0, 2: 0 }));
    await visit(over, ordinary(60, { 1: 0, 2: 0 }));
    await history.sql`update links set expires_at = ${daysAgo(2)} where id in (${link}, ${over})`;
    await refuse(link, "expired", 80);
    await history.sql`update links set is_active = false where id = ${off}`;
    await refuse(off, "inactive", 4);
    await visit(lost, ordinary(60, { 1: 0, 2: 0, 3: 0 }));
    await visit(odd, ordinary(60));
    const target = { key: "a", destinationUrl: "https://example.com/a", isActive: false };
    const rules = [{ destinationUrl: "https://example.com/b" }, { destinationUrl: "https://example.com/c" }];
    await history.sql`update links set split_targets = ${history.sql.json([target])}, rules = ${history.sql.json(rules)}
      where id = ${odd}`;
    const { campaigns } = await broken();
    expect(campaigns.map(({ type, linkId, severity }) => [type, linkId, severity])).toEqual([
      ["traffic_collapse", lost, "high"],
      ["expired_link", link, "high"],
      ["split_without_targets", odd, "medium"],
      ["unreachable_rule", odd, "medium"],
      ["inactive_link", off, "low"],
    ]);
    const begin = (await insights()).insights.slice(0, 5);
    expect(begin.map(({ id }) => id)).toEqual(campaigns.map(({ id }) => `risk:${id}`));
    const typesOf = async () => (await broken({ linkId: link })).campaigns.map(({ type }) => type);
    expect(await typesOf()).toEqual(["expired_link"]);
    const domain = Bun.randomUUIDv7();
    await history.sql`insert into domains (id, org_id, hostname, is_verified, redirects)
      values (${domain}, ${org}, 'ends.example', true, '{"expired":"https://example.com/over"}')`;
    await history.sql`update unserved_visits set domain_id = ${domain} where org_id = ${org}`;
    expect(await typesOf()).toEqual([]);
  });

  test("is not the loss of visitors of a link that was used up, has not started or is unsafe", async () => {
    const { org, link: lost, addLink, visit, broken } = await history.workspace();
    const [used, early, unsafe] = [await addLink(), await addLink(), await addLink()];
    const { sql } = history;
    await sql`update links set utm = '{"source":"newsletter"}' where org_id = ${org}`;
    for (const each of [lost, used, early, unsafe]) await visit(each, ordinary(60, { 1: 0, 2: 0, 3: 0 }));
    const typesOf = async (linkId: string) => (await broken({ linkId })).campaigns.map(({ type }) => type);
    await sql`update links set max_clicks = 2000 where id in (${lost}, ${used})`;
    for (const [linkId, admitted] of [[lost, 1_999] as const, [used, 2_000] as const])
      await sql`insert into link_admissions (org_id, link_id, admitted) values (${org}, ${linkId}, ${admitted})`;
    await sql`update links set starts_at = ${daysAgo(-2)} where id = ${early}`;
    await sql`update links set safety = '{"status":"unsafe","reasons":[]}' where id = ${unsafe}`;
    expect(await typesOf(lost)).toEqual(["traffic_collapse"]);
    expect([await typesOf(used), await typesOf(early)]).toEqual([[], []]);
    expect(await typesOf(unsafe)).toEqual(["unsafe_destination"]);
    expect((await broken()).campaigns.map(({ linkId }) => linkId).sort()).toEqual([lost, unsafe].sort());
  });

  test("is not the loss of the visitors whom a link turned away while it was unsafe or used up", async () => {
    const { org, link: lost, addLink, visit, refuse, broken } = await history.workspace();
    const [unsafe, used, few] = [await addLink(), await addLink(), await addLink()];
    await history.sql`update links set utm = '{"source":"newsletter"}' where org_id = ${org}`;
    for (const each of [lost, unsafe, used, few]) await visit(each, tenADay(31, 4));
    for (const days of [1, 2, 3]) {
      await refuse(unsafe, "unsafe", 9, daysAgo(days));
      await refuse(used, "max_clicks_reached", 7, daysAgo(days));
      await refuse(few, "unsafe", 1, daysAgo(days));
      // These could have got through.
      await refuse(lost, "password_required", 9, daysAgo(days));
    }
    const { campaigns } = await broken();
    expect(campaigns.map(({ type, linkId }) => [type, linkId])).toEqual([
      ["traffic_collapse", lost],
      ["traffic_collapse", few],
    ]);
    expect(campaigns.map(({ evidence }) => evidence[0])).toEqual([
      "Since 2026-11-18: 0, 0, 0 clicks a day",
      "Since 2026-11-18: 1, 1, 1 visits a day, with those that it turned away while it was out of use",
    ]);
  });

  test("is not all that a link turns away: what it does since it was paused or used up is averaged over that time", async () => {
    const { org, link: paused, addLink, visit, refuse, broken } = await history.workspace();
    const { sql } = history;
    const used = await addLink();
    await sql`update links set utm = '{"source":"newsletter"}' where org_id = ${org}`;
    await visit(used, { 2: 3 });
    await sql`update links set is_active = false where id = ${paused}`;
    await sql`update links set max_clicks = 3 where id = ${used}`;
    await sql`insert into link_admissions (org_id, link_id, admitted) values (${org}, ${used}, 3)`;
    await sql`
      insert into link_revisions (id, org_id, link_id, version, changed_at, changes, snapshot)
      values (${Bun.randomUUIDv7()}, ${org}, ${paused}, 2, ${daysAgo(2)},
        ${sql.json([{ field: "isActive", from: true, to: false }])}, '{}')`;
    await refuse(paused, "inactive", 80);
    await refuse(used, "max_clicks_reached", 60);
    const found = (await broken()).campaigns;
    expect(found.map(({ type, severity }) => [type, severity])).toEqual([
      ["inactive_link", "high"],
      ["used_up", "high"],
    ]);
    expect(found.map(({ evidence }) => evidence.at(-1))).toEqual([
      expect.stringMatching(/^80 visits turned away in 2(?:\.\d)? days of the range/),
      expect.stringMatching(/^60 visits turned away in 2(?:\.\d)? days of the range/),
    ]);
  });

  test("is found although the link was out of use for most of the weeks before", async () => {
    const { org, link: unsafe, addLink, visit, refuse, broken } = await history.workspace();
    const paused = await addLink();
    const { sql } = history;
    await sql`update links set utm = '{"source":"newsletter"}' where org_id = ${org}`;
    for (const each of [unsafe, paused]) await visit(each, { ...tenADay(56, 39), ...tenADay(10, 4) });
    for (let days = 38; days >= 11; days--) await refuse(unsafe, "unsafe", 10, daysAgo(days));
    const changes = (to: boolean) => sql.json([{ field: "isActive", from: !to, to }]);
    for (const [version, [days, to]] of [[38, false] as const, [11, true] as const].entries())
      await sql`
        insert into link_revisions (id, org_id, link_id, version, changed_at, changes, snapshot)
        values (${Bun.randomUUIDv7()}, ${org}, ${paused}, ${version + 2}, ${daysAgo(days)}, ${changes(to)}, '{}')`;
    const found = (await broken()).campaigns;
    expect(found.map(({ type, linkId }) => [type, linkId]).toSorted()).toEqual(
      [unsafe, paused].map((each) => ["traffic_collapse", each]).toSorted(),
    );
    expect(found.find(({ linkId }) => linkId === paused)?.evidence[1]).toContain("before in which it was in use");
  });

  test("is found even without any visits", async () => {
    const { org, link, addLink, broken } = await history.workspace();
    const [split, rules, unsafe, late, fine] = await Promise.all(Array.from({ length: 5 }, () => addLink()));
    const { sql } = history;
    await sql`
      insert into destination_checks (link_id, url_hash, org_id, url, status, http_status, failing_since, failures, checked_at)
      values (${link}, '\\x01', ${org}, 'https://example.com/', 'broken', 404, '2026-11-19T00:00:00Z', 2, '2026-11-20T00:00:00Z')`;
    const targets = [
      { key: "a", destinationUrl: "https://example.com/a", isActive: false, weight: 1 },
      { key: "b", destinationUrl: "https://example.com/b", weight: 0 },
    ];
    await sql`update links set split_targets = ${sql.json(targets)} where id = ${split ?? ""}`;
    await sql`update links set split_targets = ${sql.json([{ key: "c", destinationUrl: "https://example.com/" }])}
      where id = ${fine ?? ""}`;
    await sql`update links set rules = ${sql.json([{ destinationUrl: "https://a.example" }, { destinationUrl: "https://b.example" }])}
      where id = ${rules ?? ""}`;
    await sql`update links set safety = '{"status":"unsafe","reasons":["blocklist: named"]}' where id = ${unsafe ?? ""}`;
    await sql`update links set created_at = ${daysAgo(3)}, expires_at = ${daysAgo(300)} where id = ${late ?? ""}`;
    const { campaigns, summary } = await broken();
    expect(campaigns.map(({ type, linkId, severity }) => [type, linkId, severity])).toEqual([
      ["unsafe_destination", unsafe ?? "", "high"],
      ["dead_destination", link, "medium"],
      ["never_open", late ?? "", "medium"],
      ["split_without_targets", split ?? "", "low"],
      ["unreachable_rule", rules ?? "", "low"],
    ]);
    expect(summary.text).toBe("5 faults in 5 links checked");
  });

  test("comes with a note only if more than 100 links have the same kind of fault, so that some are left out", async () => {
    const { org, addLink, broken } = await history.workspace();
    const { sql } = history;
    const links: string[] = [];
    while (links.length < 101) links.push(await addLink());
    const rules = sql.json([{ destinationUrl: "https://a.example" }, { destinationUrl: "https://b.example" }]);
    const kinds = {
      unreachable: (ids: string[]) => sql`update links set rules = ${rules} where id = any(${ids})`,
      misconfigured: (ids: string[]) =>
        sql`update links set safety = '{"status":"unsafe","reasons":[]}' where id = any(${ids})`,
      dead: (ids: string[]) => sql`
        insert into destination_checks (link_id, url_hash, org_id, url, status, http_status, failing_since, failures, checked_at)
        select id, '\\x01', ${org}, 'https://example.com/', 'broken', 404, '2026-11-19T00:00:00Z', 2, '2026-11-20T00:00:00Z'
        from unnest(${ids}::uuid[]) as id`,
    };
    const notesWith = async (counts: { [Kind in keyof typeof kinds]?: number }) => {
      await sql`update links set rules = '[]', safety = default where org_id = ${org}`;
      await sql`delete from destination_checks where org_id = ${org}`;
      if (counts.unreachable) await kinds.unreachable(links.slice(0, counts.unreachable));
      if (counts.misconfigured) await kinds.misconfigured(links.slice(0, counts.misconfigured));
      if (counts.dead) await kinds.dead(links.slice(-counts.dead));
      return (await broken()).summary.notes.length;
    };
    expect({
      halves: await notesWith({ misconfigured: 50, dead: 50 }),
      all: await notesWith({ unreachable: 100, misconfigured: 100, dead: 100 }),
      unreachable: await notesWith({ unreachable: 101 }),
      misconfigured: await notesWith({ misconfigured: 101 }),
      dead: await notesWith({ dead: 101 }),
    }).toEqual({ halves: 0, all: 0, unreachable: 1, misconfigured: 1, dead: 1 });
  });
});

describe("a prediction", () => {
  test("continues the clicks and the conversion rate of the past days", async () => {
    const { link, visit, prediction, lead } = await history.workspace();
    await visit(link, ordinary(29));
    for (let count = 0; count < 60; count++)
      await lead(link, Bun.randomUUIDv7(), Date.parse(daysAgo(1 + (count % 28))));
    const { prediction: found, summary } = await prediction();
    expect(summary).toMatchObject({ data: "enough", conversions: 60 });
    expect(found.horizonDays).toBe(30);
    expect(found.predictedConversionRate).toBeCloseTo(60 / summary.clicks, 2);
    expect(Math.abs(found.projectedClicks - 30 * 40)).toBeLessThan(40);
    expect(found).toMatchObject({ confidence: "medium", baseline: { leads: 60, projection: "shapes" } });
  });

  test("counts the conversions that the organization's settings name, by default no events without a value", async () => {
    const { org, link, visit, prediction } = await history.workspace();
    await visit(link, ordinary(29));
    for (const [name, count, value] of [["purchase", 30, 900] as const, ["page view", 500, 0] as const]) {
      const [day, hour] = [`${daysAgo(5).slice(0, 10)}T00:00:00Z`, daysAgo(5)];
      for (const id of [link, WHOLE_ORGANIZATION]) {
        await history.sql`insert into event_rollups_daily values (${org}, ${id}, ${day}, ${name}, 0, ${count}, ${value})`;
        await history.sql`insert into event_rollups_hourly values (${org}, ${id}, ${hour}, ${name}, 0, ${count}, ${value})`;
      }
    }
    const eventsFor = async (conversions: string[]) => {
      await history.sql`update organizations set settings = ${history.sql.json({ conversions })} where id = ${org}`;
      return (await prediction()).prediction.baseline.events;
    };
    expect((await prediction()).prediction.baseline).toMatchObject({ events: 30, conversions: 30 });
    expect([await eventsFor(["events"]), await eventsFor(["leads"]), await eventsFor(["valued_events"])]).toEqual([
      530, 0, 30,
    ]);
  });

  test("counts events with a value from the very start of the range, and to its very end", async () => {
    const { org, link, visit, prediction } = await history.workspace();
    await visit(link, ordinary(29));
    const happened = (name: string, value: number, ...times: string[]) =>
      history.database.db.transaction(async (tx) => {
        for (const occurredAt of times.map((time) => new Date(time))) {
          await tx.insert(events).values({ id: Bun.randomUUIDv7(), orgId: org, linkId: link, name, value, occurredAt });
          await countEvent(tx, org as OrgId, 0, { name, linkId: link, value, occurredAt });
        }
      });
    const range = { from: "2026-11-12T12:30:00Z", to: "2026-11-19T17:45:00Z" };
    await happened("purchase", 49, "2026-11-12T05:00:00Z", "2026-11-12T12:29:59Z", "2026-11-12T12:30:00Z");
    await happened("purchase", 49, "2026-11-12T21:00:00Z", "2026-11-15T21:00:00Z", "2026-11-19T16:59:00Z");
    await happened("purchase", 49, "2026-11-19T17:44:00Z", "2026-11-19T17:45:00Z", "2026-11-19T23:00:00Z");
    await happened("view", 0, ...Array.from({ length: 9 }, (_, minute) => `2026-11-12T13:0${minute}:00Z`));
    for (const linkId of [link, undefined])
      expect((await prediction({ ...range, linkId })).prediction.baseline).toMatchObject({ events: 5, conversions: 5 });
  });
});

test("page views do not become conversions of a link because the only purchase was refunded", async () => {
  const { org, link, addLink, visit, insights } = await history.workspace();
  const other = await addLink();
  for (const [id, views] of [[link, 30] as const, [other, 1] as const]) {
    await visit(id, ordinary(28));
    for (let days = 1; days <= 28; days++) {
      const day = `${daysAgo(days).slice(0, 10)}T00:00:00Z`;
      await history.sql`insert into event_rollups_daily values (${org}, ${id}, ${day}, 'page view', 0, ${views}, 0)`;
    }
  }
  const claims = async () => (await insights()).insights.map(({ id }) => id).filter((id) => id.includes(":converts_"));
  const happened = (name: string, linkId: string, value: number) =>
    history.database.db.transaction(async (tx) => {
      const occurredAt = new Date(daysAgo(5));
      await tx.insert(events).values({ id: Bun.randomUUIDv7(), orgId: org, linkId, name, value, occurredAt });
      await countEvent(tx, org as OrgId, 0, { name, linkId, value, occurredAt });
    });
  // Only what a name without a positive value takes back is no conversion itself.
  await happened("refund", link, -20);
  expect(await claims()).toEqual([`opportunity:converts_well:${link}:events`]);
  await happened("purchase", link, 50);
  expect(await claims()).toEqual([]);
  await happened("purchase", other, -50);
  expect(await claims()).toEqual([]);
});

describe("a link that people took out of use", () => {
  const drop = async (change: (link: string, org: string) => Promise<unknown>, but: Record<number, number>) => {
    const { org, link, addLink, visit, anomalies } = await history.workspace();
    await visit(await addLink(), ordinary(60));
    await visit(link, ordinary(60, but));
    await change(link, org);
    const { anomalies: found } = await anomalies();
    expect(found.map(({ type, id }) => [type, id.split(":")[1]])).toEqual([["traffic_drop", link]]);
    return found;
  };
  const none = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: from - to + 1 }, (_, day) => [to + day, 0]));
  const set = (column: string, at: number) => (link: string) =>
    history.sql`update links set ${history.sql(column)} = ${daysAgo(at)} where id = ${link}`;

  test.each([
    ["deleted", set("deleted_at", 7), "was deleted on 2026-11-14 at 12:00 UTC"],
    ["expired", set("expires_at", 7), "expired on 2026-11-14 at 12:00 UTC"],
  ])("is said to be %s instead of to have failed", async (_, change, told) => {
    const [found] = await drop(change, none(6, 1));
    expect(found).toMatchObject({ severity: "low", recommendation: expect.stringContaining("If that was intended") });
    expect(found?.summary).toEndWith(` were expected. ${found?.evidence[0]?.split(",")[0]} ${told}`);
    expect(found?.evidence).toContainEqual(expect.stringContaining(told));
  });

  test("before or after a drop is no reason for it", async () => {
    for (const change of [set("deleted_at", 2), set("expires_at", -3)]) {
      const [found] = await drop(change, none(12, 9));
      expect(found).toMatchObject({
        severity: "high",
        recommendation: expect.stringContaining("Check that the links worked"),
      });
    }
  });
});
