import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { slicesOf } from "@/modules/analytics/sample/slices";

const from = Date.parse("2026-11-01T00:00:00Z");
const hour = (number: number) => from + number * HOUR_MS;
const days = (number: number) => ({ from, to: from + number * DAY_MS });

test("few clicks are all taken, wherever in the range they are", () => {
  const { stretches, slices } = slicesOf(
    new Map([
      [hour(3), 20],
      [hour(160), 30],
    ]),
    days(7),
    50,
  );
  expect(stretches).toEqual([50]);
  expect(slices).toEqual([{ ...days(7), stretch: 0, most: 50 }]);
});

test("of many clicks, each hour contributes its share, in four equal parts for its quarters", () => {
  const clicks = new Map([
    [hour(0), 4_000],
    [hour(1), 12_000],
    [hour(100), 0],
    [hour(167), 4_000],
  ]);
  const { stretches, slices } = slicesOf(clicks, days(7), 1_000);
  const taken = stretches.map((_, at) => slices.filter(({ stretch }) => stretch === at));
  expect(stretches.length).toBe(168);
  expect(taken.map((ofHour) => ofHour.map(({ most }) => most)).filter((mosts) => mosts.length > 0)).toEqual([
    [50, 50, 50, 50],
    [150, 150, 150, 150],
    [50, 50, 50, 50],
  ]);
  expect(taken[1]?.map(({ from: start, to }) => [(start - hour(1)) / HOUR_MS, (to - hour(1)) / HOUR_MS])).toEqual([
    [0, 0.25],
    [0.25, 0.5],
    [0.5, 0.75],
    [0.75, 1],
  ]);
});

test.each([1, 7, 8, 30])("exactly the maximum is taken from a range of %i days, however uneven", (length) => {
  const clicks = new Map(Array.from({ length: length * 24 }, (_, at) => [hour(at), (at * 7919) % 1_013]));
  const { stretches, slices } = slicesOf(clicks, days(length), 2_000);
  const all = [...clicks.values()].reduce((sum, count) => sum + count, 0);
  expect(stretches.length).toBeLessThanOrEqual(168);
  expect(stretches.reduce((sum, count) => sum + count, 0)).toBe(all);
  expect(slices.reduce((sum, { most }) => sum + most, 0)).toBe(2_000);
  for (const { stretch, most } of slices) expect(most * 4).toBeLessThan(((stretches[stretch] ?? 0) / all) * 2_000 + 8);
  expect(slices.at(-1)?.to).toBeLessThanOrEqual(days(length).to + 5 * HOUR_MS);
});
