/** A scripted day of visits over HTTP, with every figure counted by hand. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { unknownBreakdowns } from "@test/support/figures";
import { leadsIn } from "@test/support/leads";
import { type Account, startTestService } from "@test/support/service";
import { networkV4, writeMmdb } from "@test/unit/platform/geo/mmdb";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { Link } from "@/contract/links/links";

const folder = await mkdtemp(join(tmpdir(), "waymark-day-"));
afterAll(() => rm(folder, { recursive: true }));
const place = (network: string, country: string, city: string) => ({
  prefix: networkV4(network, 24, 6),
  record: { country: { iso_code: country }, city: { names: { en: city } } },
});
const geo = join(folder, "city.mmdb");
await writeFile(geo, writeMmdb([place("198.51.100.0", "AT", "Vienna"), place("203.0.113.0", "DE", "Berlin")], 28, 6));

let now = Date.parse("2026-11-10T00:00:00Z");
const service = await startTestService({
  env: { GEO_DATABASE: geo, TRUSTED_PROXIES: "127.0.0.1", CLIENT_IP_HEADER: "x-client" },
  clock: () => now,
});

const leave = leadsIn(service.databaseUrl);

const headersOf = (address: string, language: string, agent: string) => ({
  "x-client": address,
  "accept-language": language,
  "user-agent": agent,
});
/** On a phone in Vienna. */
const ada = headersOf(
  "198.51.100.1",
  "de-AT,de;q=0.8",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
);
/** On a phone in Berlin. */
const ben = headersOf(
  "203.0.113.2",
  "en-US",
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
);
/** From an unknown location. */
const cem = headersOf(
  "192.0.2.3",
  "tr-TR",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
);
/** Clicks much too fast. */
const dan = headersOf(
  "192.0.2.66",
  "en-GB",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
);
const crawler = headersOf(
  "203.0.113.9",
  "en",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
);

let account: Account;
let apiKey: string;
let spring: Link;
let autumn: Link;

type Headers = Record<string, string>;

async function at(time: string, does: () => Promise<{ status: number }>, status: number): Promise<void> {
  now = Date.parse(time.includes("T") ? time : `2026-11-10T${time}Z`);
  expect((await does()).status).toBe(status);
}
const click = (time: string, who: Headers, link: Link, referer?: string) =>
  at(time, () => service.visit(link, { ...who, ...(referer ? { referer } : {}) }), 302);
const open = (time: string, who: Headers, slug: string) =>
  at(time, () => service.call("GET", `/api/v1/resolve?domain=${service.host}&slug=${slug}`, { headers: who }), 200);
const event = (time: string, body: object) =>
  at(time, () => service.call("POST", "/api/v1/events", { apiKey, body }), 201);
/** Records a lead of its own visit, or of the given click. */
const lead = (time: string, { _id: linkId }: Link, clickId?: string) =>
  leave({
    ...{ orgId: account.orgId, linkId, at: Date.parse(time.includes("T") ? time : `2026-11-10T${time}Z`) },
    ...(clickId && { clickId }),
  });

beforeAll(async () => {
  account = await service.register();
  apiKey = await service.createApiKey(account, ["events:write"]);
  spring = await service.createLink(account, { slug: "spring", defaultUrl: "https://example.com/spring" });
  autumn = await service.createLink(account, {
    ...{ slug: "autumn", defaultUrl: "https://example.com/autumn", tags: ["november"] },
  });
  await theDay();
  await waitUntilDrained(service.service);
  now = Date.parse("2026-11-12T08:00:00Z");
  const { email, password } = account;
  const { body } = await service.call<{ token: string }>("POST", "/api/v1/auth/login", { body: { email, password } });
  account = { ...account, token: body.token };
});

async function theDay(): Promise<void> {
  await click("00:00:00.000", ada, spring, "https://news.example.com/story");
  await click("00:59:59.999", ada, spring);
  await click("01:00:00.000", ben, spring, "https://news.example.com/story");
  await click("09:30:00.000", cem, autumn);
  await click("09:31:00.000", crawler, spring);
  const { clickId } = await lead("10:00:00.000", spring);
  await lead("10:59:59.999", spring);
  await lead("11:30:00.000", spring, clickId);
  await at("09:32:00.000", () => fetch(spring.shortUrl, { method: "HEAD", headers: ada, redirect: "manual" }), 302);
  await open("12:00:00.000", ben, "spring");
  await open("12:01:00.000", ada, "autumn");
  await click("15:00:00.000", cem, spring);
  await event("16:00:00.000", { name: "purchase", linkId: spring._id, value: 19.9 });
  await event("17:00:00.000", { name: "purchase", value: 5.1 });
  await event("17:00:00.000", { name: "sign-up", linkId: autumn._id });
  await click("18:00:00.000", ada, autumn, "https://search.example.com/");
  // Sixty clicks count as a person's; from the 61st within a minute on, they are repeats.
  for (let times = 0; times < 61; times++) await click(`20:00:0${(times / 10).toFixed(3)}`, dan, autumn);
  await lead("20:00:00.300", autumn);
  await click("23:59:59.999", ben, autumn);
  await lead("23:59:59.999", autumn);
  await lead("2026-11-11T00:00:00.000Z", autumn);
  await click("2026-11-11T00:00:00.000Z", ada, spring);
}

const home = () => `/api/v1/organizations/${account.orgId}/analytics`;
const DAY = "from=2026-11-10T00:00:00Z&to=2026-11-11T00:00:00Z";

async function overview(query = ""): Promise<AnalyticsOverview> {
  const path = `${home()}/overview?${DAY}${query}`;
  return (await service.call<AnalyticsOverview>("GET", path, { token: account.token })).body;
}

const EMPTY = { clicks: 0, uniqueVisitors: 0, opens: 0, installs: 0, leads: 0, events: 0 };
const hours = (figures: Record<number, object>) =>
  Array.from({ length: 24 }, (_, hour) => ({
    at: `2026-11-10T${String(hour).padStart(2, "0")}:00:00.000Z`,
    ...EMPTY,
    ...figures[hour],
  }));
const one = { clicks: 1, uniqueVisitors: 1 };

describe("the figures of the day", () => {
  test("of the whole organization", async () => {
    expect(await overview()).toEqual({
      range: { from: "2026-11-10T00:00:00.000Z", to: "2026-11-11T00:00:00.000Z", granularity: "hour" },
      ...unknownBreakdowns(67),
      byDestination: [
        { destination: "https://example.com/autumn", count: 63 },
        { destination: "https://example.com/spring", count: 4 },
      ],
      byDomain: [{ domain: service.host, count: 67 }],
      byTag: [{ tag: "november", count: 63 }],
      byHourOfWeek: Object.entries({ 24: 2, 25: 1, 33: 1, 39: 1, 42: 1, 44: 60, 47: 1 }).map(([hour, count]) => ({
        ...{ hourOfWeek: Number(hour), count },
      })),
      totalClicks: 67,
      uniqueVisitors: 4,
      installs: 0,
      opens: 2,
      matchedInstalls: 0,
      byOpenSource: [
        { source: "direct", count: 2 },
        { source: "deferred", count: 0 },
      ],
      byOpenPlatform: [
        { platform: "ios", count: 1 },
        { platform: "android", count: 1 },
        { platform: "desktop", count: 0 },
        { platform: "other", count: 0 },
      ],
      conversionFunnel: [
        { stage: "clicks", count: 67, rate: 1 },
        { stage: "opens", count: 2, rate: 0.0299 },
        { stage: "installs", count: 0, rate: 0 },
        { stage: "leads", count: 4, rate: 0.0597 },
        { stage: "events", count: 3, rate: 0.0448 },
      ],
      timeseries: hours({
        0: { clicks: 2, uniqueVisitors: 1 },
        1: one,
        9: one,
        10: { leads: 2 },
        12: { opens: 2 },
        15: one,
        16: { events: 1 },
        17: { events: 2 },
        18: one,
        20: { clicks: 60, uniqueVisitors: 1, leads: 1 },
        23: { ...one, leads: 1 },
      }),
      byCountry: [
        { country: "unknown", count: 62 },
        { country: "AT", count: 3 },
        { country: "DE", count: 2 },
      ],
      byCity: [
        { city: "unknown", count: 62 },
        { city: "Vienna", count: 3 },
        { city: "Berlin", count: 2 },
      ],
      byDevice: [
        { device: "desktop", count: 62 },
        { device: "mobile", count: 5 },
      ],
      byBrowser: [
        { browser: "Chrome", count: 62 },
        { browser: "Mobile Safari", count: 3 },
        { browser: "Firefox", count: 2 },
      ],
      byOs: [
        { os: "Linux", count: 60 },
        { os: "iOS", count: 3 },
        { os: "Android", count: 2 },
        { os: "Windows", count: 2 },
      ],
      byReferrer: [
        { referrer: "direct", count: 64 },
        { referrer: "news.example.com", count: 2 },
        { referrer: "search.example.com", count: 1 },
      ],
      byLanguage: [
        { language: "en-GB", count: 60 },
        { language: "de-AT", count: 3 },
        { language: "en-US", count: 2 },
        { language: "tr-TR", count: 2 },
      ],
      eventValue: 25,
      byEvent: [
        { name: "purchase", count: 2, value: 25 },
        { name: "sign-up", count: 1, value: 0 },
      ],
    });
  });

  test("of one link", async () => {
    expect(await overview(`&linkId=${spring._id}`)).toMatchObject({
      totalClicks: 4,
      uniqueVisitors: 3,
      opens: 1,
      conversionFunnel: [
        { count: 4 },
        { count: 1 },
        { count: 0 },
        { stage: "leads", count: 2, rate: 0.5 },
        { count: 1 },
      ],
      timeseries: hours({
        0: { clicks: 2, uniqueVisitors: 1 },
        1: one,
        10: { leads: 2 },
        12: { opens: 1 },
        15: one,
        16: { events: 1 },
      }),
      byOs: [
        { os: "iOS", count: 2 },
        { os: "Android", count: 1 },
        { os: "Windows", count: 1 },
      ],
      byReferrer: [
        { referrer: "direct", count: 2 },
        { referrer: "news.example.com", count: 2 },
      ],
      eventValue: 19.9,
      byEvent: [{ name: "purchase", count: 1, value: 19.9 }],
    });
  });

  test("with bots include the crawler, the HEAD request and the click that came too fast", async () => {
    const figures = await overview("&includeBots=true");
    expect(figures).toMatchObject({ totalClicks: 67 + 1 + 1 + 1, uniqueVisitors: 5, opens: 2 });
    expect(figures.byLanguage).toEqual([
      { language: "en-GB", count: 61 },
      { language: "de-AT", count: 4 },
      { language: "en-US", count: 2 },
      { language: "tr-TR", count: 2 },
      { language: "en", count: 1 },
    ]);
  });

  test("for a part of it, to the millisecond", async () => {
    const path = `${home()}/overview?from=2026-11-10T00:59:59.999Z&to=2026-11-10T20:00:00.301Z`;
    const { body } = await service.call<AnalyticsOverview>("GET", path, { token: account.token });
    // Ada, Ben, Cem, Cem, Ada, and four of Dan's within the first 301 milliseconds of hour 20.
    expect(body).toMatchObject({ totalClicks: 9, uniqueVisitors: 4, opens: 2 });
    // The two leads of hour 10 and the one of hour 20.
    expect(body.conversionFunnel).toContainEqual({ stage: "leads", count: 3, rate: 0.3333 });
  });
});

test("the top links of the day", async () => {
  const { body } = await service.call<{ links: (Link & { clicks: number; uniqueVisitors: number })[] }>(
    "GET",
    `${home()}/top-links?${DAY}`,
    { token: account.token },
  );
  expect(body.links.map(({ slug, clicks, uniqueVisitors }) => [slug, clicks, uniqueVisitors])).toEqual([
    ["autumn", 63, 4],
    ["spring", 4, 3],
  ]);
});

test("the export of the day", async () => {
  const { body } = await service.call("GET", `${home()}/export.csv?${DAY}&linkId=${autumn._id}`, {
    token: account.token,
  });
  const rows = String(body).trimEnd().split("\r\n");
  expect(rows).toHaveLength(25);
  expect(rows.filter((row) => !row.endsWith(",0,0,0,0,0,0,0"))).toEqual([
    "at,clicks,uniqueVisitors,opens,installs,leads,events,eventValue",
    "2026-11-10T09:00:00.000Z,1,1,0,0,0,0,0",
    "2026-11-10T12:00:00.000Z,0,0,1,0,0,0,0",
    "2026-11-10T17:00:00.000Z,0,0,0,0,0,1,0",
    "2026-11-10T18:00:00.000Z,1,1,0,0,0,0,0",
    "2026-11-10T20:00:00.000Z,60,1,0,0,1,0,0",
    "2026-11-10T23:00:00.000Z,1,1,0,0,1,0,0",
  ]);
});

test("the links' own counts cover all days, and only people", async () => {
  const counts = [spring, autumn].map(async ({ _id }) => {
    const path = `/api/v1/organizations/${account.orgId}/links/${_id}`;
    return (await service.call<Link>("GET", path, { token: account.token })).body.clickCount;
  });
  expect(await Promise.all(counts)).toEqual([5, 63]);
});

test("a verdict on the one suspicious click moves it: dismissed to people's clicks, confirmed out of all", async () => {
  const queue = await service.call<{ items: { clickId: string; score: number; reasons: string[] }[] }>(
    "GET",
    `${home()}/abuse-queue`,
    { token: account.token },
  );
  expect(queue.body.items).toMatchObject([{ score: 80, reasons: ["repeat"] }]);
  const review = (status: string) =>
    service.call("PATCH", `${home()}/abuse-queue/${queue.body.items[0]?.clickId}`, {
      token: account.token,
      body: { status },
    });
  await review("dismissed");
  expect(await overview()).toMatchObject({ totalClicks: 68, uniqueVisitors: 4 });
  expect(await overview("&includeBots=true")).toMatchObject({ totalClicks: 70, uniqueVisitors: 5 });
  await review("confirmed");
  expect(await overview()).toMatchObject({ totalClicks: 67, uniqueVisitors: 4 });
  expect(await overview("&includeBots=true")).toMatchObject({ totalClicks: 69, uniqueVisitors: 5 });
});

test("a filter by a tag finds it as lists of links do, whatever its Unicode form and the spaces around it", async () => {
  const eve = await service.register();
  const link = await service.createLink(eve, { defaultUrl: "https://example.com/", tags: ["été"] });
  expect((await service.visit(link, ada)).status).toBe(302);
  await waitUntilDrained(service.service);
  now += 60_000;
  const tag = encodeURIComponent(` ${"été".normalize("NFD")} `);
  for (const [path, field] of [
    ["links", "total"],
    ["analytics/overview", "totalClicks"],
    ["analytics/breakdown?by=country", "totalClicks"],
  ] as const) {
    const address = `/api/v1/organizations/${eve.orgId}/${path}${path.includes("?") ? "&" : "?"}tag=${tag}`;
    const { body } = await service.call("GET", address, { token: eve.token });
    expect([path, body[field]]).toEqual([path, 1]);
  }
});

test.each(["01", "00", "-1", "1.0", "first"])(
  "a filter by rule %s is refused, because no rule is called so",
  async (rule) => {
    const reply = await service.call("GET", `${home()}/overview?${DAY}&rule=${rule}`, { token: account.token });
    expect([reply.status, reply.body.details]).toEqual([400, ["rule: expected a number, or none"]]);
  },
);
