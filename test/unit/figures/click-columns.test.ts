import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { recordOf } from "@/contract/record-of";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { COLUMN_NAMES, type ColumnName, type PlainPart } from "@/figures/columns/click-columns";
import { ColumnSums } from "@/figures/columns/column-sums";
import { ValueNumbers } from "@/figures/columns/numbers";
import { packPart, unpackPart } from "@/figures/columns/packed-part";
import { coded, codedVisitors } from "@/figures/columns/raw-parts";
import { RowSelector } from "@/figures/columns/selection";
import { VisitorPiles } from "@/figures/columns/visitor-piles";
import { VisitorSet } from "@/figures/columns/visitor-set";
import { hourOfWeek } from "@/figures/read/hours-of-week";

const DAY = Date.parse("2026-11-10T00:00:00Z");

interface Click {
  at: number;
  isBot: boolean;
  visitor: bigint;
  values: Record<ColumnName, string>;
}

const anyValue = fc
  .oneof(fc.constantFrom("", "a", "b", "ü\u{1f600}", '\u0001,\n"'), fc.string({ maxLength: 3 }))
  .map((value) => value.replaceAll("\0", ""));
const anyClick = (start: number): fc.Arbitrary<Click> =>
  fc.record({
    at: fc.integer({ min: start, max: start + DAY_MS - 1 }),
    isBot: fc.boolean(),
    visitor: fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    values: fc.record(recordOf(COLUMN_NAMES, (name) => (name === "city" ? fc.constant("one") : anyValue))),
  });
const clicksOf = (start: number, maxLength: number) =>
  fc.array(anyClick(start), { minLength: 1, maxLength }).map((clicks) => clicks.toSorted((a, b) => a.at - b.at));

const partOf = (start: number, clicks: readonly Click[]): PlainPart => ({
  rows: clicks.length,
  start,
  at: Uint32Array.from(clicks, ({ at }) => at - start),
  isBot: Uint8Array.from(clicks, ({ isBot }) => Number(isBot)),
  ...codedVisitors(clicks.map(({ visitor }) => visitor)),
  columns: recordOf(COLUMN_NAMES, (name) => coded(clicks.map(({ values }) => values[name]))),
});

test("a packed part unpacks to the same part", async () => {
  await fc.assert(
    fc.asyncProperty(clicksOf(DAY, 400), async (clicks) => {
      const part = partOf(DAY, clicks);
      expect(await unpackPart(await packPart(part))).toEqual(part);
    }),
    { numRuns: 40 },
  );
});

test("codes for more than 256 values take two bytes each", async () => {
  const clicks = Array.from(
    { length: 300 },
    (_, row): Click => ({
      ...{ at: DAY + row, isBot: false, visitor: BigInt(row) },
      values: recordOf(COLUMN_NAMES, (name) => (name === "link" ? String(row) : "")),
    }),
  );
  const part = partOf(DAY, clicks);
  expect([part.columns.link.codes, part.visitorCodes].map(({ BYTES_PER_ELEMENT }) => BYTES_PER_ELEMENT)).toEqual([
    2, 2,
  ]);
  expect(await unpackPart(await packPart(part))).toEqual(part);
});

describe("sums of selected rows", () => {
  const anyWanted = fc.record({
    from: fc.integer({ min: DAY - HOUR_MS, max: DAY + DAY_MS }),
    hours: fc.integer({ min: 1, max: 60 }),
    includeBots: fc.boolean(),
    values: fc.array(
      fc.record({
        column: fc.constantFrom<ColumnName>("link", "country", "city", "utmTerm"),
        values: fc.array(fc.oneof(anyValue, fc.constant("one")), { maxLength: 4 }).map((values) => new Set(values)),
      }),
      { maxLength: 2 },
    ),
    granularity: fc.constantFrom("hour" as const, "day" as const),
  });

  test("equal those counted click by click", async () => {
    await fc.assert(
      fc.asyncProperty(clicksOf(DAY, 120), clicksOf(DAY + DAY_MS, 60), anyWanted, async (today, tomorrow, wanted) => {
        const span = { from: wanted.from, to: wanted.from + wanted.hours * HOUR_MS };
        const numbers = new ValueNumbers();
        const sums = new ColumnSums(numbers, wanted.granularity, ["link", "country", "city"]);
        const selector = new RowSelector({ ...wanted, span }, numbers);
        const half = Math.ceil(today.length / 2);
        const parts = [
          partOf(DAY, today.slice(0, half)),
          partOf(DAY, today.slice(half)),
          partOf(DAY + DAY_MS, tomorrow),
        ];
        for (const part of parts) {
          const opened = numbers.open(part);
          sums.add(opened, selector.select(opened));
        }
        const left = [...today, ...tomorrow].filter(
          ({ at, isBot, values }) =>
            at >= span.from &&
            at < span.to &&
            (wanted.includeBots || !isBot) &&
            wanted.values.every((each) => each.values.has(values[each.column])),
        );
        const unit = wanted.granularity === "hour" ? HOUR_MS : DAY_MS;
        const { uniqueVisitors, buckets } = await sums.countVisitors();
        expect([sums.clicks, uniqueVisitors]).toEqual([left.length, visitorsOf(left)]);
        expect(buckets).toEqual(
          new Map(
            [...Map.groupBy(left, ({ at }) => at - (at % unit))].map(([at, of]) => [
              at,
              { clicks: of.length, uniqueVisitors: visitorsOf(of) },
            ]),
          ),
        );
        const byHour = Map.groupBy(left, ({ at }) => hourOfWeek(at));
        expect([...sums.hoursOfWeek]).toEqual(Array.from({ length: 168 }, (_, hour) => byHour.get(hour)?.length ?? 0));
        for (const name of ["link", "country", "city"] as const) {
          const counted = new Map<string, number>();
          sums.byValue(name).forEach((count, id) => {
            if (count > 0) counted.set(numbers.valueOf(name, id), count);
          });
          const should = Map.groupBy(left, ({ values }) => values[name]);
          expect(counted).toEqual(new Map([...should].map(([value, of]) => [value, of.length])));
        }
      }),
      { numRuns: 60 },
    );
  });
});

const visitorsOf = (clicks: readonly Click[]) => new Set(clicks.map(({ visitor }) => visitor)).size;

test("a visitor set counts each visitor once, even as it grows", () => {
  const set = new VisitorSet();
  for (let round = 0; round < 2; round++) {
    for (let visitor = 0; visitor < 3_000; visitor++) set.add(visitor % 60, Math.floor(visitor / 60));
  }
  expect(set.size).toBe(3_000);
});

test("visitor piles count each visitor once per bucket and once in total, however often it returns", async () => {
  const piles = new VisitorPiles();
  const buckets = [range(0, 40_000), [], range(20_000, 60_000), range(20_000, 60_000)];
  for (const visitors of buckets) {
    piles.beginBucket();
    // In two parts, of which the second repeats half of the first.
    for (const part of [visitors, visitors.filter((visitor) => visitor % 2 === 0)]) {
      piles.addAll(Uint32Array.from(part.flatMap((visitor) => [visitor % 7, visitor])));
    }
  }
  const { all, byBucket } = await piles.count();
  expect([all, ...byBucket]).toEqual([60_000, 40_000, 0, 40_000, 40_000]);
});

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place);
