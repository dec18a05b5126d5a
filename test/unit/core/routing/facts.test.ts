import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { localTime, parseAcceptLanguage } from "@/core/routing/facts";
import { compareVersions } from "@/core/version";

describe("parseAcceptLanguage", () => {
  test.each([
    ["", []],
    ["*", []],
    ["de", ["de"]],
    ["de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7", ["de-DE", "de"]],
    ["en;q=0.5, fr;q=0.8, it;q=0.95", ["it"]],
    ["en;q=0.2", ["en"]],
    ["fr;q=0, en;q=0.1", ["en"]],
    ["en, EN;q=0.95, en", ["en", "EN"]],
    ["en_US", ["en-US"]],
    ["english language, 12, de;q=2, it;q=x, fr", ["fr"]],
  ])("of %j", (header, languages) => {
    expect(parseAcceptLanguage(header)).toEqual(languages);
  });

  test("never throws and returns at most 32 languages", () => {
    fc.assert(fc.property(fc.string(), (header) => expect(parseAcceptLanguage(header).length).toBeLessThanOrEqual(32)));
    expect(
      parseAcceptLanguage(Array.from({ length: 999 }, (_, at) => `a${"bcdefghijk"[at % 10]}-${at}`).join()),
    ).toHaveLength(32);
  });
});

describe("localTime", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  const instants = fc.date({ min: new Date("1990-01-01"), max: new Date("2050-01-01"), noInvalidDate: true });

  test("agrees with Intl in any time zone at any time", () => {
    fc.assert(
      fc.property(zones, instants, (timeZone, instant) => {
        const format = new Intl.DateTimeFormat("en-GB", {
          timeZone,
          weekday: "short",
          hour: "2-digit",
          minute: "2-digit",
          hourCycle: "h23",
        });
        const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
        expect(localTime(instant.getTime(), { timeZone })).toEqual({
          minuteOfDay: Number(parts.hour) * 60 + Number(parts.minute),
          dayOfWeek: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(parts.weekday ?? ""),
        });
      }),
      { numRuns: 500 },
    );
  });

  test("by offset is UTC minus the offset, even before 1970", () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date("1900-01-01"), max: new Date("2100-01-01") }),
        fc.integer({ min: -1_440, max: 1_440 }),
        (instant, offsetMinutes) => {
          const moved = new Date(instant.getTime() - offsetMinutes * 60_000);
          expect(localTime(instant.getTime(), { offsetMinutes })).toEqual({
            minuteOfDay: moved.getUTCHours() * 60 + moved.getUTCMinutes(),
            dayOfWeek: moved.getUTCDay(),
          });
        },
      ),
    );
  });

  test("without a valid zone is UTC", () => {
    const noon = { minuteOfDay: 720, dayOfWeek: 3 };
    const now = Date.UTC(2026, 5, 10, 12);
    expect(localTime(now, {})).toEqual(noon);
    expect(localTime(now, { timeZone: "" })).toEqual(noon);
    expect(localTime(now, { timeZone: "Not/A_Zone" })).toEqual(noon);
  });

  test("stays correct after thousands of unknown zones", () => {
    const now = Date.UTC(2026, 5, 10, 12);
    for (let at = 0; at < 2_500; at++) localTime(now, { timeZone: `Made/Up_${at}` });
    expect(localTime(now, { timeZone: "Europe/Berlin" }).minuteOfDay).toBe(840);
  });
});

describe("compareVersions", () => {
  const versions = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 });

  test("compares segment by segment, with missing ones as 0", () => {
    fc.assert(
      fc.property(versions, versions, (a, b) => {
        const at = Array.from({ length: 6 }, (_, index) => index).find((index) => (a[index] ?? 0) !== (b[index] ?? 0));
        const expected = at === undefined ? 0 : Math.sign((a[at] ?? 0) - (b[at] ?? 0));
        expect(compareVersions(a.join("."), b.join("."))).toBe(expected);
      }),
    );
  });

  test.each([
    ["", null],
    ["Vista", null],
    [".5", null],
    ["1", 1],
    ["0.9.9.9", -1],
    ["1..5", 1],
    ["1.", 1],
    ["0-10", -1],
    ["0.10.0-rc1", 0],
    ["0", -1],
    ["999999999999999999999", 1],
  ])("of %j and 0.10", (version, order) => {
    expect(compareVersions(version, "0.10")).toBe(order);
  });
});
