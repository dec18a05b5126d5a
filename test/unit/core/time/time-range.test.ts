import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { NO_INSTANT } from "@/core/time/instant";
import {
  bucketStarts,
  DAY_MS,
  divideHours,
  divideRange,
  HOUR_MS,
  parseTimeRange,
  type Span,
  type TimeRange,
  withoutDays,
} from "@/core/time/time-range";

const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString();
const NOW = at("2026-11-21T06:30:15.250Z");

function parsed(from?: string, to?: string): TimeRange {
  const result = parseTimeRange({ from, to }, NOW);
  if (!result.ok) throw new Error(result.faults.join());
  return result.range;
}

function faults(from?: string, to?: string): string[] {
  const result = parseTimeRange({ from, to }, NOW);
  return result.ok ? [] : result.faults;
}

describe("a range", () => {
  test("is the last 30 days by default", () => {
    expect(parsed()).toEqual({ from: NOW - 30 * DAY_MS, to: NOW, granularity: "day" });
  });

  test("starts with 1970 at the earliest, and speaks of an end that is not given as what it defaults to", () => {
    expect(iso(parsed(undefined, "1970-01-05").from)).toBe("1970-01-01T00:00:00.000Z");
    expect(iso(parsed(undefined, "1970-01-01").from)).toBe("1969-12-02T00:00:00.000Z");
    expect(faults("2030-01-01")).toEqual(["from: must be before now, unless to is given"]);
  });

  test("starts 30 days before a given end, and ends now after a given start", () => {
    expect(parsed(undefined, "2026-03-31T00:00:00Z").from).toBe(at("2026-03-01T00:00:00Z"));
    expect(parsed("2026-11-20T00:00:00Z")).toEqual({ from: at("2026-11-20T00:00:00Z"), to: NOW, granularity: "hour" });
  });

  test.each([
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"],
    ["2026-01-01T00:00Z", "2026-01-01T00:00:00.000Z"],
    ["2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.500Z"],
    ["2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.123Z"],
    ["2026-01-01T00:30:00+05:30", "2025-12-31T19:00:00.000Z"],
    ["2025-12-31T23:00:00-03:00", "2026-01-01T02:00:00.000Z"],
    ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000Z"],
    ["2026-01-04", "2026-01-04T00:00:00.000Z"],
  ])("reads %s as %s", (text, instant) => {
    expect(iso(parsed(text, "2026-01-05T00:00:00Z").from)).toBe(instant);
  });

  test.each([
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00",
    "2026-02-30",
    "10000-01-01",
    "0070-01-01T00:00:00Z",
    "9999-12-31T23:59:59-12:00",
    "1970-01-01T00:00:00+01:00",
    "yesterday",
    "",
  ])("refuses %p", (text) => {
    expect(faults(text)).toEqual([`from: ${NO_INSTANT}`]);
    expect(faults(undefined, text)).toEqual([`to: ${NO_INSTANT}`]);
    expect(faults(text, text)).toHaveLength(2);
  });

  test("that is inverted or empty is refused with the name of its field", () => {
    expect(faults("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z")).toEqual(["from: must be before to"]);
    expect(faults("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z")).toHaveLength(1);
    expect(faults("2027-01-01T00:00:00Z")).toHaveLength(1);
  });

  test("is two years at most", () => {
    expect(faults("2024-03-01T00:00:00Z", "2026-03-01T00:00:00Z")).toEqual([]);
    expect(faults("2024-03-01T00:00:00Z", "2026-03-01T00:00:00.001Z")).toEqual([
      "from: must be at most 2 years before to",
    ]);
  });

  test("ends before the year 10000, in which an hour or a day would be rounded up", () => {
    expect(faults("9999-12-01T00:00:00Z", "9999-12-31T00:00:00Z")).toEqual([]);
    expect(faults("9999-12-31T00:00:00Z", "9999-12-31T00:00:00.001Z")).toEqual([
      "to: must be at most 9999-12-31T00:00:00.000Z",
    ]);
  });

  test("counts by hours up to three days, and by days beyond that", () => {
    expect(parsed("2026-01-01T00:00:00Z", "2026-01-04T00:00:00Z").granularity).toBe("hour");
    expect(parsed("2026-01-01T00:00:00Z", "2026-01-04T00:00:00.001Z").granularity).toBe("day");
  });
});

describe("buckets", () => {
  test("start on the hour, the first at or before the range's start, the last before its end", () => {
    const range = parsed("2026-01-01T10:20:00Z", "2026-01-01T13:00:00Z");
    expect(bucketStarts(range).map(iso)).toEqual([
      "2026-01-01T10:00:00.000Z",
      "2026-01-01T11:00:00.000Z",
      "2026-01-01T12:00:00.000Z",
    ]);
  });

  test("are UTC days, even when clocks change somewhere", () => {
    const range = parsed("2026-03-27T22:00:00Z", "2026-03-31T00:00:00.001Z");
    expect(bucketStarts(range).map(iso)).toEqual([
      "2026-03-27T00:00:00.000Z",
      "2026-03-28T00:00:00.000Z",
      "2026-03-29T00:00:00.000Z",
      "2026-03-30T00:00:00.000Z",
      "2026-03-31T00:00:00.000Z",
    ]);
  });

  test("are 732 at most", () => {
    expect(bucketStarts(parsed("2023-03-01T12:00:00Z", "2025-03-01T12:00:00Z"))).toHaveLength(732);
  });
});

describe("dividing", () => {
  const divide = (from: string, to: string, now = NOW) => {
    const { hours, partialHours } = divideRange({ from: at(`2026-01-01T${from}Z`), to: at(`2026-01-01T${to}Z`) }, now);
    const clock = (ms: number) => iso(ms).slice(11, 19);
    const span = ({ from, to }: Span) => `${clock(from)}-${clock(to)}`;
    return { hours: hours.from < hours.to ? span(hours) : "", partialHours: partialHours.map(span) };
  };
  const now = at("2026-01-01T12:40:00Z");

  test.each([
    ["whole hours leave no partial hours", "10:00:00", "12:00:00", "10:00:00-12:00:00", []],
    [
      "partial hours at both ends",
      "09:50:00",
      "12:10:00",
      "10:00:00-12:00:00",
      ["09:50:00-10:00:00", "12:00:00-12:10:00"],
    ],
    ["a partial hour before", "09:59:59", "11:00:00", "10:00:00-11:00:00", ["09:59:59-10:00:00"]],
    ["a partial hour after", "10:00:00", "11:00:01", "10:00:00-11:00:00", ["11:00:00-11:00:01"]],
    ["within an hour there is no whole one", "10:10:00", "10:20:00", "", ["10:10:00-10:20:00"]],
    [
      "around the stroke of an hour there are parts of two",
      "09:50:00",
      "10:10:00",
      "",
      ["09:50:00-10:00:00", "10:00:00-10:10:00"],
    ],
  ])("%s", (_, from, to, hours, partialHours) => {
    expect(divide(from, to)).toEqual({ hours, partialHours });
  });

  test("the current hour counts as whole if the range reaches at least up to now", () => {
    expect(divide("10:00:00", "12:40:00", now)).toEqual({ hours: "10:00:00-13:00:00", partialHours: [] });
    expect(divide("10:30:00", "12:40:00", now)).toEqual({
      hours: "11:00:00-13:00:00",
      partialHours: ["10:30:00-11:00:00"],
    });
    expect(divide("10:00:00", "12:39:59", now)).toEqual({
      hours: "10:00:00-12:00:00",
      partialHours: ["12:00:00-12:39:59"],
    });
    expect(divide("12:10:00", "12:40:00", now)).toEqual({ hours: "", partialHours: ["12:10:00-12:40:00"] });
    expect(divide("12:00:00", "23:40:00", now)).toEqual({ hours: "12:00:00-00:00:00", partialHours: [] });
  });

  test("covers every instant of the past exactly once", () => {
    const instant = fc.integer({ min: 0, max: 40 * HOUR_MS }).map((offset) => at("2026-01-01T00:00:00Z") + offset);
    fc.assert(
      fc.property(instant, instant, instant, (a, b, c) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b) + 1];
        const { hours, partialHours } = divideRange({ from, to }, NOW);
        const covers = ({ from, to }: Span) => from <= c && c < to;
        expect([hours, ...partialHours].filter(covers).length).toBe(from <= c && c < to ? 1 : 0);
        expect(hours.from % HOUR_MS).toBe(0);
        expect(hours.to % HOUR_MS).toBe(0);
        for (const part of partialHours) {
          expect(Math.floor(part.from / HOUR_MS)).toBe(Math.floor((part.to - 1) / HOUR_MS));
        }
      }),
    );
  });
});

describe("dividing hours", () => {
  const clock = (ms: number) => iso(ms).slice(5, 13);
  const show = ({ days, hours }: ReturnType<typeof divideHours>) => ({
    days: days.from < days.to ? `${clock(days.from)}/${clock(days.to)}` : "",
    hours: hours.map(({ from, to }) => `${clock(from)}/${clock(to)}`),
  });
  const span = (from: string, to: string) => ({ from: at(`2026-${from}:00:00Z`), to: at(`2026-${to}:00:00Z`) });

  test.each([
    ["whole days have no hours around them", "11-01T00", "11-03T00", "11-01T00/11-03T00", []],
    ["hours at both ends", "11-01T22", "11-03T02", "11-02T00/11-03T00", ["11-01T22/11-02T00", "11-03T00/11-03T02"]],
    ["within a day there is no whole one", "11-01T01", "11-01T23", "", ["11-01T01/11-01T23"]],
    ["nor around one midnight", "11-01T01", "11-02T23", "", ["11-01T01/11-02T23"]],
    ["nothing is left nothing", "11-01T01", "11-01T01", "", []],
    ["the day under way is whole", "11-19T05", "11-21T07", "11-20T00/11-22T00", ["11-19T05/11-20T00"]],
    ["but not up to an hour before", "11-20T00", "11-21T06", "11-20T00/11-21T00", ["11-21T00/11-21T06"]],
    ["nor from within it", "11-21T01", "11-21T07", "", ["11-21T01/11-21T07"]],
  ])("%s", (_, from, to, days, hours) => {
    expect(show(divideHours(span(from, to), NOW))).toEqual({ days, hours });
  });

  test("without days leaves the hours unchanged", () => {
    expect(show(withoutDays(span("11-01T22", "11-03T02")))).toEqual({ days: "", hours: ["11-01T22/11-03T02"] });
    expect(show(withoutDays(span("11-01T22", "11-01T22")))).toEqual({ days: "", hours: [] });
  });

  test("covers every instant of the past exactly once", () => {
    const hour = fc.integer({ min: -80, max: 10 }).map((hours) => Math.ceil(NOW / HOUR_MS) * HOUR_MS + hours * HOUR_MS);
    const instant = fc.integer({ min: NOW - 85 * HOUR_MS, max: NOW - 1 });
    fc.assert(
      fc.property(hour, hour, instant, (a, b, c) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const { days, hours } = divideHours({ from, to }, NOW);
        const covers = ({ from, to }: Span) => from <= c && c < to;
        expect([days, ...hours].filter(covers).length).toBe(from <= c && c < to ? 1 : 0);
        if (days.from < days.to) expect([days.from % DAY_MS, days.to % DAY_MS]).toEqual([0, 0]);
      }),
    );
  });
});
