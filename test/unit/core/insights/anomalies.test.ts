/**
 * Known spikes and drops are found, and nothing else; with too little history, nothing is found and the reason is
 * given.
 */
import { describe, expect, test } from "bun:test";
import { seeded } from "@test/support/statistics/random";
import { makeWorkspace, type Planted, type WorkspaceShape } from "@test/support/statistics/workspaces";
import fc from "fast-check";
import { findAnomalies } from "@/core/insights/anomalies";
import { limitsOf, runsOf } from "@/core/insights/anomaly-runs";
import { type CountBucket, judgeSeries } from "@/core/insights/seasonal";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";

const MONDAY = Date.UTC(2026, 0, 5);
const WEEK = [100, 104, 98, 102, 100, 40, 30];

/** Counts per day over six weeks with a weekly pattern and a little noise. */
const days = (change: Record<number, number> = {}, count = 42): CountBucket[] =>
  Array.from({ length: count }, (_, index) => ({
    at: MONDAY + index * DAY_MS,
    count: change[index] ?? (WEEK[index % 7] ?? 0) + ((index * 7) % 5) - 2,
  }));

const told = (series: CountBucket[], lengthMs = DAY_MS, from = 0) => {
  const judgement = judgeSeries(series, lengthMs, from);
  if (!judgement.ok) return judgement.reason;
  const limits = limitsOf(judgement.buckets.length, { isWhole: true, parts: 0 });
  return runsOf(judgement.buckets, lengthMs, limits).map(({ from: at, to, direction }) => [
    ...[(at - MONDAY) / lengthMs, (to - at) / lengthMs, direction],
  ]);
};

describe("days", () => {
  test.each<[string, CountBucket[], unknown]>([
    ["an ordinary six weeks have none", days(), []],
    ["a spike on a Wednesday", days({ 30: 320 }), [[30, 1, "spike"]]],
    ["a Friday on which nobody came", days({ 25: 0 }), [[25, 1, "drop"]]],
    ["a Sunday as busy as a Monday, which is nothing on other days", days({ 27: 100 }), [[27, 1, "spike"]]],
    ["a Monday as quiet as a Sunday", days({ 28: 25 }), [[28, 1, "drop"]]],
    [
      "both ways in one series",
      days({ 10: 400, 31: 5 }),
      [
        [10, 1, "spike"],
        [31, 1, "drop"],
      ],
    ],
    [
      "a Tuesday with six times as many, as on the two before, is the pattern of the week",
      days({ 1: 624, 8: 620, 15: 630 }, 17),
      [],
    ],
    ["days of one outage are one", days({ 21: 0, 22: 0, 23: 0 }), [[21, 3, "drop"]]],
    [
      "nine days of one collapse are one, its weekend included",
      days(Object.fromEntries(Array.from({ length: 9 }, (_, day) => [33 + day, 8]))),
      [[33, 9, "drop"]],
    ],
    ["a fifth more is within what is usual", days({ 30: 118 }), []],
    ["no clicks at all are too few", days({}, 42).map(({ at }) => ({ at, count: 0 })), "few"],
    [
      "a click a day is never an anomaly",
      days({}, 42).map(({ at }, index) => ({ at, count: index === 20 ? 5 : 1 })),
      "few",
    ],
    ["five days are too short", days({}, 5), "short"],
    [
      "what precedes the first click was not expected",
      [...Array(30).keys()].map((index) => ({ at: MONDAY + index * DAY_MS, count: index < 10 ? 0 : 100 })),
      [],
    ],
  ])("%s", (_, series, expected) => expect(told(series)).toEqual(expected as []));

  test("that grow by a tenth each week are not an anomaly", () => {
    const growing = days().map(({ at, count }, index) => ({ at, count: Math.round(count * 1.1 ** (index / 7)) }));
    expect(told(growing)).toEqual([]);
  });

  test("before the range serve for comparison but are not reported", () => {
    expect(told(days({ 3: 900, 30: 320 }), DAY_MS, MONDAY + 28 * DAY_MS)).toEqual([[30, 1, "spike"]]);
  });

  test.each([5, 20, 1_000])(
    "after one that had %i times as many clicks are not too few, whatever its weekday",
    (times) => {
      for (const burst of Array(14).keys()) {
        const usual = days()[burst]?.count ?? 0;
        expect(told(days({ [burst]: times * usual }), DAY_MS, MONDAY + 14 * DAY_MS)).toEqual([]);
      }
    },
  );

  test("over fewer than four weeks: a quiet weekend is no anomaly, a quiet Wednesday is one", () => {
    expect(told(days({}, 16))).toEqual([]);
    expect(told(days({ 9: 10 }, 16))).toEqual([[9, 1, "drop"]]);
    expect(told(days({}, 13))).toEqual("short");
  });
});

test("hours are compared with the same hour of other weeks", () => {
  const hours = (change: Record<number, number>) =>
    Array.from({ length: 5 * 168 }, (_, index) => ({
      at: MONDAY + index * HOUR_MS,
      count: change[index] ?? (index % 24 >= 8 && index % 24 < 20 ? 40 + (index % 3) : 2),
    }));
  expect(told(hours({}), HOUR_MS)).toEqual([]);
  // In the night of the fourth Tuesday, when two are usual.
  expect(told(hours({ [3 * 168 + 28]: 41 }), HOUR_MS)).toEqual([[3 * 168 + 28, 1, "spike"]]);
});

test("an even series has no anomalies at any level", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 28, max: 120 }), (level, length) => {
      const even = Array.from({ length }, (_, index) => ({ at: MONDAY + index * DAY_MS, count: level }));
      expect(told(even)).toEqual(level * length < 50 ? "few" : []);
    }),
  );
});

const doubled = (series: CountBucket[]) => series.map(({ at, count }) => ({ at, count: 2 * count }));

describe("reported anomalies", () => {
  const ask = (all: CountBucket[], own: CountBucket[]) =>
    findAnomalies({
      series: [
        { key: "all", name: "All links", kind: "whole", buckets: all },
        { key: "l", name: "`Spring`", kind: "link", buckets: own },
      ],
      bucketMs: DAY_MS,
      from: MONDAY,
    });

  test("a spike of a link and of all links together is one anomaly, named after the link", () => {
    const { anomalies, data } = ask(days({ 30: 320 }), days({ 30: 300 }));
    expect(data).toBe("enough");
    expect(anomalies.map(({ id, severity }) => [id, severity])).toEqual([
      ["traffic_spike:l:2026-02-04T00:00:00.000Z", "high"],
    ]);
    expect(anomalies[0]?.title).toBe("Far more clicks than usual (`Spring`): 2026-02-04");
    expect(anomalies[0]?.evidence).toEqual([
      "`Spring`, 2026-02-04: 300 clicks; the level, trend and weekly pattern of the surrounding weeks suggest 99.3 (99, 98, 97, 100 at the same time in the nearest weeks)",
      expect.stringMatching(
        /^By chance, this happens once in [\d,]+ \(negative-binomial regression, k = 20\); the limit allows for all 84 comp/,
      ),
      expect.stringMatching(/^All links: 320 clicks, about \d+(\.\d)? expected$/),
    ]);
  });

  test("a drop of one link alone is reported for that link", () => {
    const { anomalies } = ask(days(), days({ 31: 0 }));
    expect(anomalies.map(({ id, type }) => [id, type])).toEqual([
      [`traffic_drop:l:2026-02-05T00:00:00.000Z`, "traffic_drop"],
    ]);
    expect(anomalies[0]?.metric).toMatch(/^0 clicks, 1\d\d(\.\d)? expected \(−100%\)$/);
  });

  test("a drop of a country and two links that all links together show is one anomaly of the whole", () => {
    const dead = days({ 31: 0 });
    const { anomalies } = findAnomalies({
      series: [
        { key: "all", name: "All links", kind: "whole", buckets: doubled(dead) },
        { key: "l", name: "`Spring`", kind: "link", buckets: dead },
        { key: "m", name: "`Summer`", kind: "link", buckets: dead },
        { key: "country=DE", name: "Visitors from DE", kind: "country", buckets: dead },
      ],
      bucketMs: DAY_MS,
      from: MONDAY,
    });
    expect(anomalies.map(({ id }) => id)).toEqual(["traffic_drop:all:2026-02-05T00:00:00.000Z"]);
    expect(anomalies[0]?.evidence.slice(2).map((line) => line.split(":")[0])).toEqual([
      ...["`Spring`", "`Summer`", "Visitors from DE"],
    ]);
  });

  test("no clicks are reported as no data, and few clicks as too little data", () => {
    const none = days({}, 30).map(({ at }) => ({ at, count: 0 }));
    expect(ask(none, none)).toMatchObject({ anomalies: [], data: "none" });
    const little = none.map(({ at }, index) => ({ at, count: index === 12 ? 5 : 0 }));
    expect(ask(little, little)).toMatchObject({ anomalies: [], data: "thin" });
  });
});

describe("in many seeded workspaces", () => {
  const shape: WorkspaceShape = { granularity: "day", days: 24, volume: 400, k: 20, links: 3 };
  const toldAmong = (count: number, given: WorkspaceShape, planted?: Planted) => {
    const random = seeded(20_260_105);
    return Array.from({ length: count }, () => findAnomalies(makeWorkspace(random, given, planted).question)).filter(
      ({ anomalies }) => anomalies.length > 0,
    ).length;
  };

  test("anomalies are found in few normal ones, by day and by hour", () => {
    expect(toldAmong(60, shape)).toBeLessThanOrEqual(3);
    expect(toldAmong(8, { ...shape, granularity: "hour", volume: 3_000, links: 1 })).toBeLessThanOrEqual(1);
  });

  test("one day that brought twenty times as many before the range causes few more", () => {
    const random = seeded(20_260_107);
    const reported = Array.from({ length: 90 }, (_, history) => {
      const series = Array.from({ length: 45 }, (_, day) => ({
        at: MONDAY + day * DAY_MS,
        count: random.negativeBinomial(day === history % 15 ? 8_000 : 400, 20),
      }));
      return told(series, DAY_MS, MONDAY + 15 * DAY_MS).length > 0;
    });
    expect(reported.filter(Boolean).length).toBeLessThanOrEqual(9);
  });

  test("a newsletter that came on the same weekday of two weeks is no anomaly", () => {
    const random = seeded(15);
    const reported = Array.from({ length: 100 }, () => {
      const series = Array.from({ length: 15 }, (_, day) => ({
        at: MONDAY + day * DAY_MS,
        count: random.negativeBinomial(day % 7 === 1 ? 1_200 : 400, 20),
      }));
      return told(series).length > 0;
    });
    expect(reported.filter(Boolean).length).toBeLessThanOrEqual(5);
  });

  test("a day without clicks is always found, and one with three times as many mostly", () => {
    expect(toldAmong(30, shape, { times: 0, of: "whole" })).toBe(30);
    expect(toldAmong(30, shape, { times: 3, of: "whole" })).toBeGreaterThanOrEqual(24);
  });
});
