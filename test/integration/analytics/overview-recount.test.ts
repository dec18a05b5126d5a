/** Overviews of any range, compared with a recount of the raw rows. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FILTER_NAMES, type Filters, VALUE_FILTERS } from "@/contract/analytics/analytics-filters";
import { BREAKDOWN_BY, BREAKDOWN_NAMES, BREAKDOWNS, type BreakdownName } from "@/contract/analytics/dimensions";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { OrgId } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { buildDays } from "@/figures/columns/build-days";
import { LoadedDays } from "@/figures/columns/loaded-days";
import { LinkLeaders } from "@/figures/read/links/leaders";
import { LinkVisitors } from "@/figures/read/links/link-visitors";
import { createClickReader } from "@/modules/analytics/clicks";
import { createTopLinks } from "@/modules/analytics/top-links";
import { createLeadRecorder } from "@/modules/leads/service";
import { Copies } from "@/platform/db/copies";
import { describedLinks } from "./link-records";
import { NOW, type OwnVisit, openAnalytics } from "./workspace";

const DAYS = 12;
const START = Date.parse("2026-11-10T00:00:00Z");
const MINUTE_MS = 60_000;
const UNITS_MS = [1, 1_000, MINUTE_MS, HOUR_MS, DAY_MS];
const VISITS = 900;
const LEADS = 150;
/** Some days have more clicks than this and are stored in columns, others have fewer. */
const CLICKS_OF_BUSY_DAYS = 45;

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
let organization: Awaited<ReturnType<typeof analytics.workspace>>;
let otherLink: string;
/** A link on another domain, without tags. */
let untagged: string;
let otherDomain: string;
/** The current tags of each link. */
let tags: Record<string, string[]>;

beforeAll(async () => {
  analytics = await openAnalytics();
  organization = await analytics.workspace();
  otherLink = await organization.addLink();
  otherDomain = await organization.addDomain();
  untagged = await organization.addLink(undefined, otherDomain);
  tags = { [organization.link]: ["spring", "sale"], [otherLink]: ["spring"] };
  for (const [link, names] of Object.entries(tags)) {
    await analytics.sql`update links set tags = ${`{${names.join(",")}}`}::text::text[] where id = ${link}`;
  }
  const visits = fc.sample(anyVisit(), { numRuns: VISITS, seed: 20_261_121 });
  // Two batches, so that the second one adds to existing rows.
  await organization.record(visits.slice(0, VISITS / 2));
  await organization.record(visits.slice(VISITS / 2));
  const { days } = await buildDays(analytics.sql, { now: NOW, clicksMin: CLICKS_OF_BUSY_DAYS });
  expect([days > 0, days < DAYS - 1]).toEqual([true, true]);
  const leave = createLeadRecorder(analytics.database.db);
  const leads = fc.sample(anyVisit(), { numRuns: LEADS, seed: 20_261_122 });
  await Promise.all(
    leads.map(({ at, link = otherLink }) =>
      leave({
        ...{ orgId: organization.org, linkId: link, clickId: Bun.randomUUIDv7(), visitorId: "9f3c1e0b7a25d486" },
        ...{ fields: {}, at: Date.parse(at) },
      }),
    ),
  );
});
afterAll(() => analytics.close());

/** Up to now: nothing has happened later. */
const instant = (unit: number) =>
  fc.integer({ min: START, max: NOW - 1 }).map((at) => Math.max(START, at - (at % unit)));

const anyVisit = (): fc.Arbitrary<OwnVisit> =>
  fc.record({
    at: fc.oneof(...UNITS_MS.map(instant)).map((at) => new Date(at).toISOString()),
    link: fc.constantFrom(organization.link, otherLink, untagged),
    visitor: fc.integer({ min: -40, max: 40 }).map(BigInt),
    writer: fc.constantFrom(1, 2),
    isBot: fc.integer({ min: 0, max: 5 }).map((kind) => kind === 0),
    source: fc.constantFrom(undefined, undefined, undefined, "direct", "deferred"),
    platform: fc.constantFrom("ios", "android", "desktop"),
    country: fc.constantFrom(undefined, "AT", "DE", "JP"),
    browser: fc.constantFrom("Firefox", "Chrome"),
    region: fc.constantFrom(undefined, "Tyrol", "Bavaria"),
    language: fc.constantFrom("", "de"),
    referrer: fc.constantFrom("", "news.example.com"),
    utm: fc.constantFrom(undefined, { source: "mail", term: "x" }, { medium: "cpc", campaign: "spring", content: "a" }),
    ruleIndex: fc.constantFrom(undefined, 0, 1),
    ruleNumber: fc.constantFrom(undefined, undefined, 50),
    splitKey: fc.constantFrom(undefined, "a", "b"),
    destination: fc.constantFrom("https://example.com/", "https://example.com/b"),
  });

/** The range begins and ends on a millisecond, second, minute, hour or day; some reach up to now. */
const anyRange = () => {
  const end = fc.oneof(...UNITS_MS.map(instant), fc.constant(NOW));
  return fc
    .tuple(end, end)
    .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
    .filter(({ from, to }) => from < to);
};

interface Asked {
  from: Date;
  to: Date;
  linkId?: string;
  includeBots: boolean;
}

describe("an overview", () => {
  test("of any days, hours and minutes equals a recount of the rows", async () => {
    const link = fc.constantFrom(undefined, organization.link);
    await fc.assert(
      fc.asyncProperty(anyRange(), link, fc.boolean(), async (range, linkId, includeBots) => {
        const asked = { from: new Date(range.from), to: new Date(range.to), linkId, includeBots };
        expect(await counted(asked)).toEqual(await recounted(asked));
      }),
      { numRuns: 120 },
    );
  }, 240_000);

  test("of several links has the installs of each by day", async () => {
    const days = { from: START, to: START + (DAYS - 2) * DAY_MS };
    const linkIds = [organization.link, otherLink, untagged];
    for (const includeBots of [false, true]) {
      const asked = { linkIds, days, includeBots };
      const installs = await organization.bounded({}).dailyInstalls(organization.org as OrgId, asked);
      const rows = await analytics.sql<{ linkId: string; at: number; count: number }[]>`
        select link_id as "linkId", extract(epoch from date_trunc('day', occurred_at, 'UTC'))::float8 * 1000 as at,
          count(*)::int as count
        from opens where org_id = ${organization.org} and source = 'deferred' and (${includeBots} or not is_bot)
          and occurred_at >= ${new Date(days.from)} and occurred_at < ${new Date(days.to)} group by 1, 2`;
      expect(rows.length).toBeGreaterThan(linkIds.length);
      const told = [...installs].flatMap(([linkId, ofDays]) =>
        [...ofDays].map(([at, count]) => ({ linkId, at, count })),
      );
      const inOrder = (all: readonly { linkId: string; at: number }[]) =>
        all.map((row) => ({ ...row })).sort((a, b) => a.at - b.at || a.linkId.localeCompare(b.linkId));
      expect(inOrder(told)).toEqual(inOrder(rows));
    }
  });

  test("equals a recount in the full breakdown by every dimension", async () => {
    const [from, to] = [new Date(START), new Date(NOW - 1)];
    const clicks = await visitsOf("clicks", { from, to, includeBots: false });
    for (const by of BREAKDOWN_BY) {
      const valuesOf = (click: RawVisit) => {
        if (by === "tag") return tagsOf(click);
        return [by === "hourOfWeek" ? hourOf(click) : click.values[by]];
      };
      const query = { from: from.toISOString(), to: to.toISOString(), by, limit: 1_000 };
      const { rows, totalClicks } = await organization.breakdown(query);
      expect([by, totalClicks]).toEqual([by, clicks.length]);
      expect([by, byName(rows.map(({ value, count }) => [value, count]))]).toEqual([
        by,
        byName(countsOf(clicks.flatMap(valuesOf))),
      ]);
      expect(rows.map(({ count }) => count)).toEqual(rows.map(({ count }) => count).sort((a, b) => b - a));
      const under = await organization.breakdown({
        ...query,
        filters: { domainId: [organization.domain, otherDomain] },
      });
      expect([by, byName(under.rows.map(({ value, count }) => [value, count]))]).toEqual([
        by,
        byName(rows.map(({ value, count }) => [value, count])),
      ]);
    }
  });

  test("of the whole range counts every recorded visit and lead", async () => {
    const whole = await counted({ from: new Date(START), to: new Date(NOW), includeBots: true });
    expect(whole.clicks + whole.opens).toBe(VISITS);
    expect(whole.leads).toBe(LEADS);
    expect(whole.series).toHaveLength(DAYS);
  });
});

describe("an overview with filters", () => {
  let org: OrgId;
  beforeAll(() => {
    org = organization.org as OrgId;
  });

  /** Any values of up to three fields, including values that no click has. */
  const anyFilters = (): fc.Arbitrary<Filters> => {
    const values = {
      linkId: [organization.link, otherLink],
      domainId: [organization.domain, otherDomain],
      tag: ["spring", "sale", "winter"],
      country: ["AT", "DE", "JP", "unknown", "XX"],
      browser: ["Firefox", "Chrome"],
      region: ["Tyrol", "unknown"],
      language: ["de", "unknown"],
      referrer: ["direct", "news.example.com"],
      utmSource: ["mail", "none"],
      utmCampaign: ["spring", "none"],
      rule: ["0", "50", "none"],
      split: ["a", "none"],
      destination: ["https://example.com/b"],
    } satisfies Filters;
    const field = fc
      .constantFrom(...Object.entries(values))
      .chain(([name, known]) => fc.tuple(fc.constant(name), fc.subarray(known, { minLength: 1 })));
    return fc.array(field, { minLength: 1, maxLength: 3 }).map((fields): Filters => Object.fromEntries(fields));
  };

  test("counts the rows that match, from memory and from Postgres alike", async () => {
    await fc.assert(
      fc.asyncProperty(anyRange(), anyFilters(), fc.boolean(), async (range, filters, includeBots) => {
        const asked = { from: new Date(range.from), to: new Date(range.to), includeBots };
        const query = { from: asked.from.toISOString(), to: asked.to.toISOString(), includeBots, filters };
        const answer = await organization.filtered(query);
        const inMemory = new LoadedDays(new Copies());
        // With nothing in memory, with everything in memory, and counted by Postgres.
        for (const bounds of [{ columns: inMemory }, { columns: inMemory, rawMax: 0 }, { rawMax: -1 }]) {
          expect(await organization.bounded(bounds).filtered(org, query)).toEqual(answer);
        }
        const clicks = (await visitsOf("clicks", asked)).filter((click) => matches(click, filters));
        expect(answer.totalClicks).toBe(clicks.length);
        expect(answer.uniqueVisitors).toBe(new Set(clicks.map(({ visitor }) => visitor)).size);
        for (const name of BREAKDOWN_NAMES) {
          const should = byName(countsOf(clicks.map(({ values }) => values[name])));
          expect(byName((answer[BREAKDOWNS[name].list] ?? []).map(nameAndCount))).toEqual(should);
        }
        expect(byName((answer.byTag ?? []).map(nameAndCount))).toEqual(byName(countsOf(clicks.flatMap(tagsOf))));
        expect(byName((answer.byHourOfWeek ?? []).map(hourAndCount))).toEqual(byName(countsOf(clicks.map(hourOf))));
        const { rows, totalClicks } = await organization.breakdown({ ...query, by: "country", limit: 2 });
        expect(totalClicks).toBe(clicks.length);
        expect(rows).toEqual(
          (answer.byCountry ?? []).slice(0, 2).map(({ country, count }) => ({ value: country, count })),
        );
      }),
      { numRuns: 40 },
    );
  }, 240_000);

  test("shares its filters with top links, exports and click lists, which equal a recount too", async () => {
    const { database, sql } = analytics;
    const sources = { sql, clock: () => NOW };
    const copies = new Copies();
    const known = {
      visitors: new LinkVisitors(copies),
      leaders: new LinkLeaders(copies),
      columns: new LoadedDays(copies),
    };
    const linkSources = { ...sources, ...known, describeLinks: describedLinks(database) };
    const [topLinks, countedByPostgres] = [createTopLinks(linkSources), createTopLinks({ ...linkSources, rawMax: -1 })];
    const clickReader = createClickReader(sources);
    await fc.assert(
      fc.asyncProperty(anyRange(), anyFilters(), async (range, filters) => {
        const asked = { from: new Date(range.from), to: new Date(range.to), includeBots: false };
        const query = { from: asked.from.toISOString(), to: asked.to.toISOString(), filters };
        const clicks = (await visitsOf("clicks", asked)).filter((click) => matches(click, filters));
        const { links } = await topLinks(org, query);
        expect((await countedByPostgres(org, query)).links).toEqual(links);
        expect(links.map(({ _id, clicks, uniqueVisitors }) => [_id, clicks, uniqueVisitors])).toEqual(
          [...Map.groupBy(clicks, ({ linkId }) => linkId)]
            .map(([id, ofLink]): [string, number, number] => [id, ofLink.length, visitorsOf(ofLink)])
            .sort(([a, one], [b, other]) => other - one || (a < b ? 1 : -1)),
        );
        const { chunks } = await organization
          .bounded({})
          .exportSeries(org, query, { metrics: ["clicks", "uniqueVisitors"] });
        const told = (await Array.fromAsync(chunks)).flat().filter(([, count]) => count !== 0);
        const ofBucket = Map.groupBy(clicks, bucketIn(asked));
        expect(told).toEqual([...ofBucket].sort().map(([at, within]) => [at, within.length, visitorsOf(within)]));
        const page = await clickReader.list(org, { ...query, limit: 100 });
        expect(page.clicks.map(({ occurredAt }) => occurredAt)).toEqual(
          clicks
            .map(({ at }) => new Date(at).toISOString())
            .sort()
            .toReversed()
            .slice(0, 100),
        );
      }),
      { numRuns: 25 },
    );
  }, 240_000);

  test("on a single field equals a recount when counted from rollups", async () => {
    const sole = anyFilters().chain((filters) => {
      const fields = FILTER_NAMES.filter((name) => filters[name]);
      return fc.constantFrom(...fields).map((name): Filters => ({ [name]: filters[name] }));
    });
    await fc.assert(
      fc.asyncProperty(
        anyRange(),
        sole,
        fc.boolean(),
        fc.boolean(),
        async (range, filters, includeBots, isOneByOne) => {
          const asked = { from: new Date(range.from), to: new Date(range.to), includeBots };
          const query = { from: asked.from.toISOString(), to: asked.to.toISOString(), includeBots, filters };
          const { totalClicks, timeseries } = await organization.filtered(query, 0, isOneByOne ? undefined : 0);
          const clicks = (await visitsOf("clicks", asked)).filter((click) => matches(click, filters));
          expect(totalClicks).toBe(clicks.length);
          const told = timeseries.filter((bucket) => bucket.clicks > 0).map((bucket) => [bucket.at, bucket.clicks]);
          expect(told).toEqual(countsOf(clicks.map(bucketIn(asked))).sort());
        },
      ),
      {
        numRuns: 40,
        examples: [
          [{ from: START, to: START + 9 * DAY_MS }, { tag: ["spring", "sale"] }, false, true],
          // Parts of two hours, and no whole hour.
          [{ from: 1795168860000, to: 1795172921000 }, { browser: ["Firefox", "Chrome"] }, false, false],
        ],
      },
    );
  }, 240_000);

  test("also returns the previous range for comparison", async () => {
    const [from, to] = [START + 6 * DAY_MS, START + 9 * DAY_MS].map((at) => new Date(at).toISOString());
    const before = { from: new Date(START + 3 * DAY_MS).toISOString(), to: from };
    const { previous, ...answer } = await organization.filtered({ from, to, compare: "previous" });
    expect(previous).toEqual(await organization.filtered(before));
    expect(answer).toEqual(await organization.filtered({ from, to }));
    const filters = { country: ["DE"] };
    expect((await organization.filtered({ from, to, filters, compare: "previous" })).previous).toEqual(
      await organization.filtered({ ...before, filters }),
    );
  });

  test("compares a range that has not ended with as much of the previous one as has passed", async () => {
    const [from, to] = [NOW - 36 * HOUR_MS, NOW + 36 * HOUR_MS].map((at) => new Date(at).toISOString());
    const passed = {
      from: new Date(NOW - 108 * HOUR_MS).toISOString(),
      to: new Date(NOW - 72 * HOUR_MS).toISOString(),
    };
    for (const filters of [{}, { country: ["DE"] }]) {
      const { previous } = await organization.filtered({ from, to, filters, compare: "previous" });
      expect(previous?.range).toMatchObject(passed);
      expect(previous).toEqual(await organization.filtered({ ...passed, filters }));
    }
    const ahead = { from: to, to: new Date(NOW + 60 * HOUR_MS).toISOString() };
    const { previous } = await organization.filtered({ ...ahead, compare: "previous" });
    expect(previous?.range).toMatchObject({ from: new Date(NOW + 12 * HOUR_MS).toISOString(), to });
  });
});

const matches = ({ linkId, domainId, values }: RawVisit, filters: Filters): boolean =>
  (filters.linkId?.includes(linkId) ?? true) &&
  (filters.domainId?.includes(domainId) ?? true) &&
  (filters.tag?.some((tag) => tagsOf({ linkId }).includes(tag)) ?? true) &&
  VALUE_FILTERS.every((name) => filters[name]?.includes(values[name]) ?? true);

const tagsOf = ({ linkId }: Pick<RawVisit, "linkId">): string[] => tags[linkId] ?? [];

/** Hours of the week; weeks begin on Monday. */
function hourOf({ at }: Pick<RawVisit, "at">): string {
  const time = new Date(at);
  return String(((time.getUTCDay() + 6) % 7) * 24 + time.getUTCHours());
}

const hourAndCount = ({ hourOfWeek, count }: { hourOfWeek: number; count: number }): [string, number] => [
  String(hourOfWeek),
  count,
];

async function counted({ from, to, ...asked }: Asked) {
  const overview = await organization.overview({ from: from.toISOString(), to: to.toISOString(), ...asked });
  return {
    clicks: overview.totalClicks,
    opens: overview.opens,
    visitors: overview.uniqueVisitors,
    leads: overview.conversionFunnel.find(({ stage }) => stage === "leads")?.count,
    series: overview.timeseries
      .filter(({ clicks, opens, leads }) => clicks + opens + leads > 0)
      .map(({ at, clicks, uniqueVisitors, opens, leads }) => ({ at, clicks, visitors: uniqueVisitors, opens, leads })),
    lists: BREAKDOWN_NAMES.map((name) => [name, byName(overview[BREAKDOWNS[name].list].map(nameAndCount))] as const),
    tags: byName((overview.byTag ?? []).map(nameAndCount)),
    hours: byName(overview.byHourOfWeek.map(hourAndCount)),
    sources: byName(overview.byOpenSource.map(({ source, count }) => [source, count])),
  };
}

function bucketIn({ from, to }: Pick<Asked, "from" | "to">) {
  const bucket = to.getTime() - from.getTime() <= 3 * DAY_MS ? HOUR_MS : DAY_MS;
  return ({ at }: { at: number }) => new Date(at - (at % bucket)).toISOString();
}

const visitorsOf = (clicks: readonly RawVisit[]): number => new Set(clicks.map(({ visitor }) => visitor)).size;

async function recounted(asked: Asked): Promise<Awaited<ReturnType<typeof counted>>> {
  const [clicks, opens] = [await visitsOf("clicks", asked), await visitsOf("opens", asked)];
  const leads = await leadsOf(asked);
  const bucketOf = bucketIn(asked);
  const starts = [...new Set([...clicks, ...opens, ...leads].map(bucketOf))].sort();
  const figuresOf = (isCounted: (row: { at: number }) => boolean) => ({
    clicks: clicks.filter(isCounted).length,
    visitors: visitorsOf(clicks.filter(isCounted)),
    opens: opens.filter(isCounted).length,
    leads: leads.filter(isCounted).length,
  });
  return {
    ...figuresOf(() => true),
    series: starts.map((at) => ({ at, ...figuresOf((row) => bucketOf(row) === at) })),
    lists: BREAKDOWN_NAMES.map((name) => [name, byName(countsOf(clicks.map(({ values }) => values[name])))] as const),
    tags: byName(countsOf(clicks.flatMap(tagsOf))),
    hours: byName(countsOf(clicks.map(hourOf))),
    sources: byName([["direct", 0], ["deferred", 0], ...countsOf(opens.map(({ source }) => source ?? ""))]),
  };
}

interface RawVisit {
  at: number;
  linkId: string;
  domainId: string;
  visitor: string;
  values: Record<BreakdownName, string>;
  source?: AnalyticsOverview["byOpenSource"][number]["source"];
}

/** Lists the columns explicitly instead of using the service's own table of dimensions. */
const VALUES = `json_build_object(
  'country', coalesce(country, 'unknown'), 'region', coalesce(region, 'unknown'), 'city', coalesce(city, 'unknown'),
  'device', coalesce(device_type, 'unknown'), 'browser', coalesce(browser, 'unknown'), 'os', coalesce(os, 'unknown'),
  'referrer', coalesce(nullif(referrer, ''), 'direct'), 'language', coalesce(nullif(language, ''), 'unknown'),
  'utmSource', coalesce(utm_source, 'none'), 'utmMedium', coalesce(utm_medium, 'none'),
  'utmCampaign', coalesce(utm_campaign, 'none'), 'utmTerm', coalesce(utm_term, 'none'),
  'utmContent', coalesce(utm_content, 'none'), 'rule', coalesce(rule_number::text, rule_index::text, 'none'),
  'split', coalesce(split_key, 'none'), 'destination', destination_url, 'domain',
  (select hostname from domains join links on links.domain_id = domains.id where links.id = clicks.link_id))`;

function visitsOf(table: "clicks" | "opens", { from, to, linkId, includeBots }: Asked): Promise<RawVisit[]> {
  const { sql } = analytics;
  return sql<RawVisit[]>`
    select ${sql.unsafe(table === "clicks" ? `${VALUES} as values` : "source")}, link_id as "linkId",
      (select links.domain_id from links where links.id = link_id) as "domainId", extract(epoch from occurred_at)::float8 * 1000 as at, visitor::text as visitor from ${sql(table)}
    where org_id = ${organization.org} and occurred_at >= ${from} and occurred_at < ${to}
      ${linkId === undefined ? sql`` : sql`and link_id = ${linkId}`} ${includeBots ? sql`` : sql`and not is_bot`}`;
}

/** Includes leads whether or not bots are asked for, because bots leave none. */
function leadsOf({ from, to, linkId }: Asked): Promise<{ at: number }[]> {
  const { sql } = analytics;
  return sql<{ at: number }[]>`
    select extract(epoch from created_at)::float8 * 1000 as at from leads
    where org_id = ${organization.org} and created_at >= ${from} and created_at < ${to}
      ${linkId === undefined ? sql`` : sql`and link_id = ${linkId}`}`;
}

/** Returns the value of the item's only name, and its count. */
function nameAndCount({ count, isOther, ...named }: { count: number; isOther?: boolean }): [string, number] {
  return [String(Object.values(named)[0]), count];
}

const countsOf = (values: string[]): [string, number][] =>
  [...Map.groupBy(values, (value) => value)].map(([value, alike]) => [value, alike.length]);

const byName = (counts: [string, number][]): Record<string, number> => Object.fromEntries(counts);
