/** Known traffic, verdicts on it, and every figure calculated by hand. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import { type OwnClick, openTraffic } from "./traffic";

let traffic: Awaited<ReturnType<typeof openTraffic>>;
beforeAll(async () => {
  traffic = await openTraffic();
});
afterAll(() => traffic.close());

const phone = { device: "mobile", browser: "Mobile Safari", os: "iOS", platform: "ios", language: "de-AT" };
const script = { device: "desktop", browser: "Chrome", os: "Linux", platform: "desktop", referrer: "t.co" };
const vienna = { country: "AT", city: "Vienna" };
const berlin = { country: "DE", city: "Berlin" };
const [ADA, BURSTER, REPEATER] = [1n, -2n, 3n];

/** All on 10 November. Visits named `elsewhere…` are to the second link, which `begin` creates. */
const VISITS = {
  ada: { at: "2026-11-10T10:05:00Z", visitor: ADA, ...phone, ...vienna },
  burst1: { at: "2026-11-10T10:10:00Z", visitor: BURSTER, ...script, ...berlin, isSuspect: true },
  burst2: { at: "2026-11-10T10:20:00Z", visitor: BURSTER, ...script, ...berlin, isSuspect: true },
  burst3: { at: "2026-11-10T11:00:00Z", visitor: BURSTER, ...script, ...berlin, isSuspect: true },
  crawler: { at: "2026-11-10T11:10:00Z", visitor: 9n, isBot: true },
  elsewhere1: { at: "2026-11-10T10:30:00Z", visitor: REPEATER, ...phone, country: "US", isSuspect: true },
  elsewhere2: { at: "2026-11-10T12:00:00Z", visitor: REPEATER, ...phone, ...vienna },
} satisfies Record<string, OwnClick>;
type Name = keyof typeof VISITS;

/** Two servers write the visits, in two batches each. */
async function begin() {
  const { server, addLink, ...rest } = await traffic.workspace();
  const second = await addLink();
  const [first, other] = [await server(), await server()];
  const ids = new Map<Name, string>();
  const write = async (by: typeof first, names: Name[]) => {
    const clicks = names.map((name) => ({ ...VISITS[name], link: name.startsWith("else") ? second : undefined }));
    for (const [index, id] of (await by(clicks)).entries()) ids.set(names[index] ?? "ada", id);
  };
  await write(first, ["ada", "burst1", "elsewhere1"]);
  await write(other, ["burst2"]);
  await write(first, ["burst3", "crawler"]);
  await write(other, ["elsewhere2"]);
  const review = (name: Name, status: "pending" | "confirmed" | "dismissed") =>
    rest.review(ids.get(name) ?? "", status);
  return { ...rest, second, review };
}

const HOURS = { from: "2026-11-10T00:00:00Z", to: "2026-11-11T00:00:00Z" };
const DAYS = { from: "2026-11-08T00:00:00Z", to: "2026-11-12T00:00:00Z" };
/** Part of one hour, so its figures come from raw rows only. */
const PART = { from: "2026-11-10T10:07:00Z", to: "2026-11-10T10:45:00Z" };

const brief = (overview: AnalyticsOverview) => ({
  clicks: overview.totalClicks,
  visitors: overview.uniqueVisitors,
  funnel: overview.conversionFunnel[0]?.count,
  countries: Object.fromEntries(overview.byCountry.map(({ country, count }) => [country, count])),
  series: overview.timeseries
    .filter(({ clicks, uniqueVisitors }) => clicks + uniqueVisitors > 0)
    .map(({ at, clicks, uniqueVisitors }) => [at.slice(8, 13), clicks, uniqueVisitors]),
});

/** The figures without and with bots: of the organization by hour, by day and for part of an hour, and of each link. */
async function figures({ overview, link, second }: Awaited<ReturnType<typeof begin>>) {
  const ask = async (query: Parameters<typeof overview>[0]) => ({
    humans: brief(await overview(query)),
    all: brief(await overview({ ...query, includeBots: true })),
  });
  return {
    hours: await ask(HOURS),
    days: await ask(DAYS),
    part: await ask(PART),
    link: await ask({ ...HOURS, linkId: link }),
    second: await ask({ ...DAYS, linkId: second }),
  };
}

const count = (clicks: number, visitors: number, countries: Record<string, number>, series: (string | number)[][]) => ({
  clicks,
  visitors,
  funnel: clicks,
  countries,
  series,
});
const NOTHING = count(0, 0, {}, []);

const BEFORE = {
  hours: {
    humans: count(2, 2, { AT: 2 }, [
      ["10T10", 1, 1],
      ["10T12", 1, 1],
    ]),
    all: count(7, 4, { AT: 2, DE: 3, US: 1, unknown: 1 }, [
      ["10T10", 4, 3],
      ["10T11", 2, 2],
      ["10T12", 1, 1],
    ]),
  },
  days: {
    humans: count(2, 2, { AT: 2 }, [["10T00", 2, 2]]),
    all: count(7, 4, { AT: 2, DE: 3, US: 1, unknown: 1 }, [["10T00", 7, 4]]),
  },
  part: {
    humans: NOTHING,
    all: count(3, 2, { DE: 2, US: 1 }, [["10T10", 3, 2]]),
  },
  link: {
    humans: count(1, 1, { AT: 1 }, [["10T10", 1, 1]]),
    all: count(5, 3, { AT: 1, DE: 3, unknown: 1 }, [
      ["10T10", 3, 2],
      ["10T11", 2, 2],
    ]),
  },
  second: {
    humans: count(1, 1, { AT: 1 }, [["10T00", 1, 1]]),
    all: count(2, 1, { AT: 1, US: 1 }, [["10T00", 2, 1]]),
  },
};

describe("a pending click", () => {
  test("counts as a bot's", async () => {
    expect(await figures(await begin())).toEqual(BEFORE);
  });
});

describe("a confirmed click", () => {
  test("is removed from every figure; its visitor stays wherever they have another click", async () => {
    const scene = await begin();
    await scene.review("burst1", "confirmed");
    expect(await figures(scene)).toEqual({
      ...BEFORE,
      hours: {
        humans: BEFORE.hours.humans,
        all: count(6, 4, { AT: 2, DE: 2, US: 1, unknown: 1 }, [
          ["10T10", 3, 3],
          ["10T11", 2, 2],
          ["10T12", 1, 1],
        ]),
      },
      days: {
        humans: BEFORE.days.humans,
        all: count(6, 4, { AT: 2, DE: 2, US: 1, unknown: 1 }, [["10T00", 6, 4]]),
      },
      part: { humans: NOTHING, all: count(2, 2, { DE: 1, US: 1 }, [["10T10", 2, 2]]) },
      link: {
        humans: BEFORE.link.humans,
        all: count(4, 3, { AT: 1, DE: 2, unknown: 1 }, [
          ["10T10", 2, 2],
          ["10T11", 2, 2],
        ]),
      },
    });
  });

  test("removes its visitor if it was their last click of an hour or of a day", async () => {
    const scene = await begin();
    await scene.review("burst1", "confirmed");
    await scene.review("burst2", "confirmed");
    const withoutHour = await figures(scene);
    expect(withoutHour.hours.all.series).toEqual([
      ["10T10", 2, 2],
      ["10T11", 2, 2],
      ["10T12", 1, 1],
    ]);
    expect(withoutHour.days.all).toEqual(count(5, 4, { AT: 2, DE: 1, US: 1, unknown: 1 }, [["10T00", 5, 4]]));
    await scene.review("burst3", "confirmed");
    expect(await figures(scene)).toEqual({
      hours: {
        humans: BEFORE.hours.humans,
        all: count(4, 3, { AT: 2, US: 1, unknown: 1 }, [
          ["10T10", 2, 2],
          ["10T11", 1, 1],
          ["10T12", 1, 1],
        ]),
      },
      days: { humans: BEFORE.days.humans, all: count(4, 3, { AT: 2, US: 1, unknown: 1 }, [["10T00", 4, 3]]) },
      part: { humans: NOTHING, all: count(1, 1, { US: 1 }, [["10T10", 1, 1]]) },
      link: {
        humans: BEFORE.link.humans,
        all: count(2, 2, { AT: 1, unknown: 1 }, [
          ["10T10", 1, 1],
          ["10T11", 1, 1],
        ]),
      },
      second: BEFORE.second,
    });
  });
});

describe("a dismissed click", () => {
  test("counts as a person's", async () => {
    const scene = await begin();
    await scene.review("burst3", "dismissed");
    await scene.review("elsewhere1", "dismissed");
    expect(await figures(scene)).toEqual({
      hours: {
        humans: count(4, 3, { AT: 2, DE: 1, US: 1 }, [
          ["10T10", 2, 2],
          ["10T11", 1, 1],
          ["10T12", 1, 1],
        ]),
        all: BEFORE.hours.all,
      },
      days: { humans: count(4, 3, { AT: 2, DE: 1, US: 1 }, [["10T00", 4, 3]]), all: BEFORE.days.all },
      part: { humans: count(1, 1, { US: 1 }, [["10T10", 1, 1]]), all: BEFORE.part.all },
      link: {
        humans: count(2, 2, { AT: 1, DE: 1 }, [
          ["10T10", 1, 1],
          ["10T11", 1, 1],
        ]),
        all: BEFORE.link.all,
      },
      second: { humans: count(2, 1, { AT: 1, US: 1 }, [["10T00", 2, 1]]), all: BEFORE.second.all },
    });
  });

  test("is in every breakdown", async () => {
    const scene = await begin();
    await scene.review("burst1", "dismissed");
    const { byCity, byDevice, byBrowser, byOs, byReferrer, byLanguage } = await scene.overview(HOURS);
    expect({ byCity, byDevice, byBrowser, byOs, byReferrer, byLanguage }).toEqual({
      byCity: [
        { city: "Vienna", count: 2 },
        { city: "Berlin", count: 1 },
      ],
      byDevice: [
        { device: "mobile", count: 2 },
        { device: "desktop", count: 1 },
      ],
      byBrowser: [
        { browser: "Mobile Safari", count: 2 },
        { browser: "Chrome", count: 1 },
      ],
      byOs: [
        { os: "iOS", count: 2 },
        { os: "Linux", count: 1 },
      ],
      byReferrer: [
        { referrer: "direct", count: 2 },
        { referrer: "t.co", count: 1 },
      ],
      byLanguage: [
        { language: "de-AT", count: 2 },
        { language: "unknown", count: 1 },
      ],
    });
  });
});

describe("a verdict that is changed or undone", () => {
  const suspects = ["burst1", "burst2", "burst3", "elsewhere1"] as const;

  test("leaves all figures as they were, once the click is pending again", async () => {
    const scene = await begin();
    for (const statuses of [
      ["confirmed", "dismissed", "pending"],
      ["dismissed", "confirmed", "pending"],
      ["dismissed", "pending"],
      ["confirmed", "pending"],
    ] as const) {
      for (const status of statuses) for (const suspect of suspects) await scene.review(suspect, status);
      expect(await figures(scene)).toEqual(BEFORE);
    }
  });

  test("counts like the last verdict, however often verdicts are given", async () => {
    const [changed, straight] = [await begin(), await begin()];
    for (const status of ["dismissed", "dismissed", "confirmed", "pending", "confirmed", "confirmed"] as const) {
      for (const suspect of suspects) await changed.review(suspect, status);
    }
    for (const suspect of suspects) await straight.review(suspect, "confirmed");
    expect(await figures(changed)).toEqual(await figures(straight));
  });

  test("updates the click count of its link", async () => {
    const scene = await begin();
    const clicksOf = async (link: string) => {
      const [row] = await traffic.sql`
        select sum(clicks)::int as clicks, sum(bot_clicks)::int as bots from link_counters where link_id = ${link}`;
      return [row?.clicks, row?.bots];
    };
    expect(await clicksOf(scene.link)).toEqual([1, 4]);
    await scene.review("burst1", "dismissed");
    await scene.review("burst2", "confirmed");
    expect(await clicksOf(scene.link)).toEqual([2, 2]);
    await scene.review("burst1", "confirmed");
    await scene.review("burst2", "pending");
    expect(await clicksOf(scene.link)).toEqual([1, 3]);
  });
});
