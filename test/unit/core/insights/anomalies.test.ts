/** Known spikes and drops are found, and nothing else; too little history finds nothing and says so. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findAnomalies } from "@/core/insights/anomalies";
import { type Bucket, judgeSeries } from "@/core/insights/seasonal";
import { DAY_MS, HOUR_MS } from "@/core/time-range";

const MONDAY = Date.UTC(2026, 0, 5);
const WEEK = [100, 104, 98, 102, 100, 40, 30];

/** Six weeks of weekdays with a little noise, in days. */
const days = (change: Record<number, number> = {}, count = 42): Bucket[] =>
  Array.from({ length: count }, (_, index) => ({
    at: MONDAY + index * DAY_MS,
    count: change[index] ?? (WEEK[index % 7] ?? 0) + ((index * 7) % 5) - 2,
  }));

const told = (series: Bucket[], lengthMs = DAY_MS, from = 0) => {
  const judgement = judgeSeries(series, lengthMs, from);
  if (!judgement.ok) return judgement.reason;
  return judgement.deviations.map(({ from: at, count, score }) => [(at - MONDAY) / lengthMs, count, Math.sign(score)]);
};

describe("days", () => {
  test.each<[string, Bucket[], unknown]>([
    ["an ordinary six weeks have none", days(), []],
    ["a spike on a Wednesday", days({ 30: 320 }), [[30, 320, 1]]],
    ["a Friday on which nobody came", days({ 25: 0 }), [[25, 0, -1]]],
    ["a Sunday as busy as a Monday, which is nothing on other days", days({ 27: 100 }), [[27, 100, 1]]],
    ["a Monday as quiet as a Sunday", days({ 28: 30 }), [[28, 30, -1]]],
    [
      "both ways in one series",
      days({ 10: 400, 31: 5 }),
      [
        [10, 400, 1],
        [31, 5, -1],
      ],
    ],
    ["days of one outage are one", days({ 21: 0, 22: 0, 23: 0 }), [[21, 0, -1]]],
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

  test("that grow by a tenth each week are nobody's anomaly", () => {
    const growing = days().map(({ at, count }, index) => ({ at, count: Math.round(count * 1.1 ** (index / 7)) }));
    expect(told(growing)).toEqual([]);
  });

  test("before the range serve for comparison and are not told of", () => {
    expect(told(days({ 3: 900, 30: 320 }), DAY_MS, MONDAY + 28 * DAY_MS)).toEqual([[30, 320, 1]]);
  });

  test("of fewer than four weeks: a quiet weekend is none, a quiet Wednesday is", () => {
    expect(told(days({}, 16))).toEqual([]);
    expect(told(days({ 9: 20 }, 16))).toEqual([[9, 20, -1]]);
    expect(told(days({}, 13))).toEqual("short");
  });

  test("of fewer than four weeks are compared with any day and with their own", () => {
    const flat = days({}, 14).map(({ at }, index) => ({ at, count: index === 9 ? 180 : 60 + (index % 3) }));
    expect(judgeSeries(flat, DAY_MS, 0)).toMatchObject({ ok: true, season: "any day and the day of the week" });
    expect(told(flat)).toEqual([[9, 180, 1]]);
  });
});

test("hours are compared with those of the same hour of the week", () => {
  const hours = (change: Record<number, number>) =>
    Array.from({ length: 5 * 168 }, (_, index) => ({
      at: MONDAY + index * HOUR_MS,
      count: change[index] ?? (index % 24 >= 8 && index % 24 < 20 ? 40 + (index % 3) : 2),
    }));
  expect(told(hours({}), HOUR_MS)).toEqual([]);
  // Four in the night of the fourth Tuesday, when two are usual.
  expect(told(hours({ [3 * 168 + 28]: 41 }), HOUR_MS)).toEqual([[3 * 168 + 28, 41, 1]]);
});

test("what is told never depends on the level alone: a multiple of an even series has none either", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 28, max: 120 }), (level, length) => {
      const even = Array.from({ length }, (_, index) => ({ at: MONDAY + index * DAY_MS, count: level }));
      expect(told(even)).toEqual(level * length < 50 ? "few" : []);
    }),
  );
});

describe("in words", () => {
  const ask = (all: Bucket[], own: Bucket[]) =>
    findAnomalies({
      series: [
        { key: "all", name: "All links together", isWhole: true, buckets: all },
        { key: "l", name: "`Spring`", isWhole: false, buckets: own },
      ],
      bucketMs: DAY_MS,
      from: MONDAY,
    });

  test("a link's spike is evidence of the whole's, not another", () => {
    const { anomalies, data } = ask(days({ 30: 320 }), days({ 30: 300 }));
    expect(data).toBe("enough");
    expect(anomalies.map(({ id, severity }) => [id, severity])).toEqual([
      ["traffic_spike:all:2026-02-04T00:00:00.000Z", "high"],
    ]);
    expect(anomalies[0]?.evidence[1]).toStartWith("`Spring`: 300 clicks");
  });

  test("a link's own drop is told of by itself", () => {
    const { anomalies } = ask(days(), days({ 31: 0 }));
    expect(anomalies.map(({ id, type }) => [id, type])).toEqual([
      [`traffic_drop:l:2026-02-05T00:00:00.000Z`, "traffic_drop"],
    ]);
    expect(anomalies[0]?.metric).toMatch(/^0 clicks, 1\d\d expected \(−100 %\)$/);
  });

  test("nothing is said to be nothing, and little too little", () => {
    const none = days({}, 30).map(({ at }) => ({ at, count: 0 }));
    expect(ask(none, none)).toMatchObject({ anomalies: [], data: "none" });
    const little = none.map(({ at }, index) => ({ at, count: index === 12 ? 5 : 0 }));
    expect(ask(little, little)).toMatchObject({ anomalies: [], data: "thin" });
  });
});
