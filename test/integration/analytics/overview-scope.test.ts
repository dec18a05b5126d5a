import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { fillFigures, hasFills, isUnfilled } from "@/figures/verify/fill-figures";
import { failureOf, NOW, openAnalytics } from "./workspace";

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
beforeAll(async () => {
  analytics = await openAnalytics();
});
afterAll(() => analytics.close());

describe("one link", () => {
  const DAY = { from: "2026-11-10T00:00:00Z", to: "2026-11-11T00:00:00Z" };
  const PART = { from: "2026-11-10T10:10:00Z", to: "2026-11-10T10:50:00Z" };

  test("has its own figures, for whole hours and for parts of them", async () => {
    const { link, addLink, record, overview } = await analytics.workspace();
    const other = await addLink();
    await record([
      { at: "2026-11-10T10:20:00Z", visitor: 1n, country: "AT" },
      { link: other, at: "2026-11-10T10:20:00Z", visitor: 1n, country: "DE" },
      { link: other, at: "2026-11-10T10:30:00Z", visitor: 2n, country: "DE" },
      { link: other, at: "2026-11-10T10:30:00Z", visitor: 2n, source: "direct" },
    ]);
    for (const range of [DAY, PART]) {
      expect(await overview(range)).toMatchObject({ totalClicks: 3, uniqueVisitors: 2, opens: 1 });
      const figures = await overview({ ...range, linkId: link });
      expect(figures).toMatchObject({ totalClicks: 1, uniqueVisitors: 1, opens: 0 });
      expect(figures.byCountry).toEqual([{ country: "AT", count: 1 }]);
      expect(await overview({ ...range, linkId: other })).toMatchObject({
        totalClicks: 2,
        uniqueVisitors: 2,
        opens: 1,
      });
    }
  });

  test("keeps its figures when it is deleted", async () => {
    const { addLink, record, overview } = await analytics.workspace();
    const deleted = await addLink(new Date(NOW));
    await record([{ link: deleted, at: "2026-11-10T10:20:00Z", visitor: 1n }]);
    expect(await overview(DAY)).toMatchObject({ totalClicks: 1 });
    expect(await overview({ ...DAY, linkId: deleted })).toMatchObject({ totalClicks: 1 });
  });

  test("is not found if it is another organization's, unknown or an invalid id", async () => {
    const [mine, theirs] = [await analytics.workspace(), await analytics.workspace()];
    for (const linkId of [theirs.link, Bun.randomUUIDv7(), "spring-sale", ""]) {
      expect(await failureOf(mine.overview({ linkId }))).toMatchObject({
        status: 404,
        message: "There is no such link",
      });
    }
  });
});

describe("other organizations", () => {
  test("are never counted, for whole hours or for parts of them", async () => {
    const [mine, theirs] = [await analytics.workspace(), await analytics.workspace()];
    await theirs.record([
      { at: "2026-11-10T10:20:00Z", visitor: 1n, country: "AT" },
      { at: "2026-11-10T10:20:00Z", visitor: 1n, source: "direct" },
      { at: "2026-11-10T10:20:00Z", visitor: 1n, isBot: true },
    ]);
    for (const from of ["2026-11-10T00:00:00Z", "2026-11-10T10:10:00Z"]) {
      const query = { from, to: "2026-11-10T10:50:00Z", includeBots: true };
      expect(await mine.overview(query)).toMatchObject({
        totalClicks: 0,
        uniqueVisitors: 0,
        opens: 0,
        byCountry: [],
      });
      expect(await theirs.overview(query)).toMatchObject({ totalClicks: 2, uniqueVisitors: 1, opens: 1 });
    }
  });
});

describe("visitors", () => {
  test("seen by two servers, in two hours and in part of an hour count once over the range", async () => {
    const { record, overview } = await analytics.workspace();
    await record([
      { at: "2026-11-10T09:50:00Z", visitor: -1n },
      { at: "2026-11-10T10:20:00Z", visitor: -1n, writer: 1 },
      { at: "2026-11-10T10:20:00Z", visitor: -1n, writer: 2 },
      { at: "2026-11-10T11:20:00Z", visitor: -1n, writer: 2 },
    ]);
    const figures = await overview({ from: "2026-11-10T09:45:00Z", to: "2026-11-10T12:00:00Z" });
    expect(figures).toMatchObject({ totalClicks: 4, uniqueVisitors: 1 });
    expect(figures.timeseries.map(({ uniqueVisitors }) => uniqueVisitors)).toEqual([1, 1, 1]);
  });

  test("beyond exact counting are estimated within 2 %, across hours and servers that share them", async () => {
    const { record, overview } = await analytics.workspace();
    const visitors = Array.from({ length: 6_000 }, (_, index) => Bun.hash.wyhash(`visitor ${index}`));
    const seen = (from: number, to: number, hour: string, writer: number) =>
      visitors.slice(from, to).map((visitor) => ({
        at: `2026-11-10T${hour}:30:00Z`,
        visitor,
        writer,
      }));
    const parts = [seen(0, 2_500, "10", 1), seen(1_000, 4_000, "10", 2), seen(3_000, 6_000, "14", 1)];
    for (const part of parts) await record(part);
    const figures = await overview({ from: "2026-11-10T00:00:00Z", to: "2026-11-11T00:00:00Z" });
    expect(figures.totalClicks).toBe(8_500);
    expect(Math.abs(figures.uniqueVisitors / 6_000 - 1)).toBeLessThan(0.02);
    expect(Math.abs((figures.timeseries[10]?.uniqueVisitors ?? 0) / 4_000 - 1)).toBeLessThan(0.02);
  });
});

describe("a breakdown", () => {
  test("has the ten greatest values, also if only hours and parts together make them so", async () => {
    const { record, overview } = await analytics.workspace();
    const cities = Array.from({ length: 12 }, (_, index) => `city ${String.fromCharCode(97 + index)}`);
    const times = ["2026-11-10T09:50:00Z", "2026-11-10T10:30:00Z", "2026-11-10T11:05:00Z"];
    await record(times.flatMap((at) => cities.slice(0, 10).map((city) => ({ at, city, visitor: 1n }))));
    await record(
      [times[1], times[1], times[2], times[2]].map((at = "") => ({ at, city: "city k", visitor: 2n, writer: 2 })),
    );
    await record([{ at: "2026-11-10T10:30:00Z", city: "city l", visitor: 2n, writer: 3 }]);
    const figures = await overview({ from: "2026-11-10T09:45:00Z", to: "2026-11-10T11:10:00Z" });
    expect(figures.byCity.map(({ city, count }) => [city, count])).toEqual([
      ["city k", 4],
      ...cities.slice(0, 9).map((city) => [city, 3] as [string, number]),
    ]);
    expect(figures.totalClicks).toBe(35);
  });
});

describe("filters", () => {
  const KEPT_FROM = "2026-11-05T00:00:00.000Z";
  const RANGE = { from: "2026-11-01T00:00:00Z", to: "2026-11-11T00:00:00Z" };
  const facts = { country: "AT", browser: "Firefox" };

  /** Records one click before and one after `KEPT_FROM`; retention deletes the first. */
  async function trimmed() {
    const workspace = await analytics.workspace();
    await workspace.record([
      { at: "2026-11-01T10:20:00Z", visitor: 1n, ...facts },
      { at: "2026-11-10T10:20:00Z", visitor: 1n, ...facts },
    ]);
    await analytics.sql`insert into raw_retention (org_id, kept_from) values (${workspace.org}, ${KEPT_FROM})`;
    await analytics.sql`delete from clicks where org_id = ${workspace.org} and occurred_at < ${KEPT_FROM}`;
    return workspace;
  }

  test("refuse a range whose clicks were deleted, and say from when on clicks exist", async () => {
    const { filtered, breakdown } = await trimmed();
    const filters = { country: ["AT"], browser: ["Firefox"] };
    const refused = {
      status: 400,
      details: [expect.stringContaining(`from: filters search individual clicks, and those before ${KEPT_FROM}`)],
    };
    expect(await failureOf(filtered({ ...RANGE, filters }))).toMatchObject(refused);
    expect(await failureOf(breakdown({ ...RANGE, filters: { country: ["AT"] }, by: "os" }))).toMatchObject(refused);
    expect(await filtered({ ...RANGE, from: KEPT_FROM, filters })).toMatchObject({ totalClicks: 1, uniqueVisitors: 1 });
    const compared = filtered({ ...RANGE, from: "2026-11-06T00:00:00Z", filters, compare: "previous" });
    expect(await failureOf(compared)).toMatchObject({
      status: 400,
      details: [expect.stringContaining("compare: cannot count the previous range: from: ")],
    });
  });

  test("on one field work from rollups if clicks of the range were deleted, and from clicks if none is missing", async () => {
    const { filtered } = await trimmed();
    const alone = await filtered({ ...RANGE, filters: { country: ["AT"] } });
    expect(alone).toMatchObject({ totalClicks: 2, notKnown: expect.arrayContaining(["breakdowns"]) });
    const since = { ...RANGE, from: "2026-11-02T00:00:00Z", filters: { country: ["AT"] } };
    expect(await filtered(since)).toMatchObject({ totalClicks: 1, byOs: [{ os: "unknown", count: 1 }] });
  });

  test("count the clicks in part of a day by the hour to check their limit", async () => {
    const { record, filtered } = await analytics.workspace();
    const at = (hour: string, visitor: bigint) => ({ at: `2026-11-03T${hour}:20:00Z`, visitor, ...facts });
    await record([at("08", 1n), at("08", 2n), at("10", 3n), at("23", 4n)]);
    const filters = { country: ["AT"], browser: ["Firefox"] };
    const within = (from: string, to: string, max: number) =>
      filtered({ from: `2026-11-${from}Z`, to: `2026-11-${to}Z`, filters }, max);
    expect(await within("03T10:10:00", "03T10:50:00", 1)).toMatchObject({ totalClicks: 1 });
    expect(await within("03T09:00:00", "03T23:00:00", 1)).toMatchObject({ totalClicks: 1 });
    expect(await within("02T12:00:00", "03T08:00:00", 0)).toMatchObject({ totalClicks: 0 });
    expect(await within("02T12:00:00", "04T12:00:00", 4)).toMatchObject({ totalClicks: 4 });
    expect(await failureOf(within("02T12:00:00", "04T12:00:00", 3))).toMatchObject({
      details: [expect.stringMatching(/and this range has 4; request at most 1 day$/)],
    });
    expect(await failureOf(within("03T08:30:00", "03T12:00:00", 2))).toMatchObject({
      details: [expect.stringMatching(/and this range has 3; request at most 2 hours$/)],
    });
  });

  test("search a limited number of clicks; beyond it, a filter on one field gets the same counts from rollups", async () => {
    const { link, addLink, record, filtered } = await analytics.workspace();
    const other = await addLink();
    await analytics.sql`update links set tags = '{spring}' where id = ${other}`;
    const [{ domainId } = { domainId: "" }] = await analytics.sql<{ domainId: string }[]>`
      select domain_id as "domainId" from links where id = ${link}`;
    await record([
      { at: "2026-11-01T10:20:00Z", visitor: 1n, ...facts },
      { at: "2026-11-02T10:20:00Z", visitor: 2n, country: "DE", utm: { source: "mail" }, ruleIndex: 1 },
      { link: other, at: "2026-11-09T23:20:00Z", visitor: 2n, ...facts, ruleIndex: 0 },
      { link: other, at: "2026-11-10T00:20:00Z", visitor: 3n, ...facts, isBot: true },
    ]);
    const query = { from: "2026-11-01T10:10:00Z", to: "2026-11-10T00:30:00Z" };
    const several = { country: ["AT"], browser: ["Firefox"] };
    expect(await failureOf(filtered({ ...query, filters: several }, 2))).toMatchObject({
      status: 400,
      details: ["from: filters can search at most 2 clicks, and this range has 3; request at most 5 days"],
    });
    expect(await filtered({ ...query, filters: several }, 3)).toMatchObject({ totalClicks: 2, uniqueVisitors: 2 });
    for (const filters of [
      { country: ["AT"] },
      { country: ["DE", "unknown", "JP"] },
      { region: ["unknown"] },
      { utmSource: ["none"] },
      { utmSource: ["mail", "none"] },
      { rule: ["none", "1"] },
      { domainId: [domainId.toUpperCase()] },
      { linkId: [other, link] },
      { tag: ["spring"] },
      { tag: ["autumn"] },
    ]) {
      for (const includeBots of [false, true]) {
        const exact = await filtered({ ...query, includeBots, filters });
        const beyond = await filtered({ ...query, includeBots, filters }, 0);
        expect([exact.uniqueVisitors, beyond.uniqueVisitors]).toEqual([expect.any(Number), undefined]);
        const clicksOf = ({ totalClicks, timeseries }: typeof exact) => [
          totalClicks,
          timeseries.map(({ at, clicks }) => [at, clicks]),
        ];
        expect([filters, ...clicksOf(beyond)]).toEqual([filters, ...clicksOf(exact)]);
      }
    }
  });

  test("on a value that rollups may have merged with others are refused beyond the limit", async () => {
    const { org, record, filtered } = await analytics.workspace();
    const at = "2026-11-10T10:20:00Z";
    const terms = Array.from({ length: 1_030 }, (_, index) => `term ${index}`);
    await record(terms.map((term) => ({ at, visitor: 1n, utm: { source: "ads", term } })));
    const asked = { from: "2026-11-10T00:00:00Z", to: "2026-11-11T00:00:00Z" };
    const rare = { ...asked, filters: { utmTerm: ["term 1029"] } };
    expect(await filtered(rare)).toMatchObject({ totalClicks: 1 });
    expect(await failureOf(filtered(rare, 0))).toMatchObject({
      status: 400,
      details: [
        expect.stringMatching(/^from: .*request at most 1 hour$/),
        expect.stringMatching(/^utmTerm: .*separately/),
      ],
    });
    // Other dimensions of the same clicks are still available.
    const told = { ...asked, filters: { utmSource: ["ads"] } };
    expect(await filtered(told, 0)).toMatchObject({ totalClicks: 1_030 });
    // A dimension that an upgrade added is unknown for earlier days until it is filled in.
    await analytics.sql`
      insert into figure_fills (org_id, upgraded_on, filled_from) values (${org}, '2026-11-12Z', '2026-11-12Z')`;
    expect(await failureOf(filtered(told, 0))).toMatchObject({ status: 400 });
    expect(await filtered({ ...asked, filters: { country: ["unknown"] } }, 0)).toMatchObject({ totalClicks: 1_030 });
    await analytics.sql`update figure_fills set filled_from = '2026-11-10Z' where org_id = ${org}`;
    expect(await filtered(told, 0)).toMatchObject({ totalClicks: 1_030 });
  });

  test("on a dimension added by an upgrade are refused for days whose clicks were deleted before these were filled in", async () => {
    const { org, record, filtered } = await analytics.workspace();
    await record(["01", "10"].map((day) => ({ at: `2026-11-${day}T10:20:00Z`, visitor: 1n, region: "Tyrol" })));
    for (const table of ["figures_hourly", "figures_daily"])
      await analytics.sql`update ${analytics.sql(table)} set counts = '' where org_id = ${org}`;
    await analytics.sql`insert into raw_retention (org_id, kept_from) values (${org}, ${KEPT_FROM})`;
    await analytics.sql`delete from clicks where org_id = ${org} and occurred_at < ${KEPT_FROM}`;
    await analytics.sql`
      insert into figure_fills (org_id, upgraded_on, filled_from) values (${org}, '2026-11-12Z', '2026-11-12Z')`;
    expect(await fillFigures(analytics.sql, { now: NOW })).toMatchObject({ left: 0 });
    expect(await hasFills(analytics.sql)).toBe(false);
    const filters = { region: ["Tyrol"] };
    expect(await filtered({ ...RANGE, from: KEPT_FROM, filters }, 0)).toMatchObject({ totalClicks: 1 });
    expect(await failureOf(filtered({ ...RANGE, filters }))).toMatchObject({ status: 400 });
    expect(await isUnfilled(analytics.sql, org, Date.parse(KEPT_FROM) - DAY_MS)).toBe(true);
    expect(await isUnfilled(analytics.sql, org, Date.parse(KEPT_FROM))).toBe(false);
  });
});

describe("tags", () => {
  const RANGE = { from: "2026-11-01T00:00:00Z", to: "2026-11-11T00:00:00Z" };

  test("are omitted from an overview with too many rows to sum; a breakdown says how far to narrow the range", async () => {
    const { org, link, addLink, record, bounded } = await analytics.workspace();
    const other = await addLink();
    await analytics.sql`
      update links set tags = array(select 'tag ' || number from generate_series(1, 250) as number) where id = ${link}`;
    await record([
      { at: "2026-11-02T10:20:00Z", visitor: 1n },
      { at: "2026-11-03T10:20:00Z", visitor: 2n },
      { link: other, at: "2026-11-09T10:20:00Z", visitor: 2n },
    ]);
    const ask = (summedRowsMax: number) => bounded({ summedRowsMax });
    const [whole, cut] = [await ask(3).filtered(org as OrgId, RANGE), await ask(2).filtered(org as OrgId, RANGE)];
    expect([whole.byTag?.length, whole.byTag?.[0], whole.notKnown]).toEqual([
      10,
      { tag: "tag 1", count: 2 },
      undefined,
    ]);
    expect([cut.byTag, cut.notKnown, cut.totalClicks]).toEqual([undefined, ["byTag"], 3]);
    expect(await failureOf(ask(2).breakdown(org as OrgId, { ...RANGE, by: "tag" }))).toMatchObject({
      status: 400,
      details: [expect.stringMatching(/^from: .*by tag; request at most 6 days/)],
    });
    expect((await ask(3).breakdown(org as OrgId, { ...RANGE, by: "tag" })).rows).toHaveLength(100);
    // A single link needs only its own figures.
    const ofLink = { ...RANGE, filters: { linkId: [link] } };
    expect((await ask(0).filtered(org as OrgId, ofLink)).byTag).toHaveLength(10);
  });

  test("are the current ones of links; a deleted link has none", async () => {
    const { link, addLink, record, overview, filtered } = await analytics.workspace();
    const deleted = await addLink();
    await analytics.sql`update links set tags = '{old}' where id in (${link}, ${deleted})`;
    await record([link, deleted, deleted].map((each) => ({ link: each, at: "2026-11-02T10:20:00Z", visitor: 1n })));
    expect((await overview(RANGE)).byTag).toEqual([{ tag: "old", count: 3 }]);
    await analytics.sql`update links set tags = '{new}' where id = ${link}`;
    await analytics.sql`update links set deleted_at = now() where id = ${deleted}`;
    expect(await overview(RANGE)).toMatchObject({ totalClicks: 3, byTag: [{ tag: "new", count: 1 }] });
    const ofTag = (tag: string) => filtered({ ...RANGE, filters: { tag: [tag] } });
    expect([await ofTag("new"), await ofTag("old")]).toMatchObject([{ totalClicks: 1 }, { totalClicks: 0 }]);
  });
});
