import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeRecord, encodeRecord } from "@/clicks/record";
import { AT, clickRecord } from "./records";

const text = (lengthMax: number) => fc.string({ unit: "binary", maxLength: lengthMax });
/** Replaces the only character that is not preserved: it separates fields, and no header can contain it. */
const kept = (value: string) => value.replaceAll("\x1f", " ");

describe("a record", () => {
  test("survives encoding and decoding, whatever its headers contain", () => {
    fc.assert(
      fc.property(
        fc.record({
          kind: fc.constantFrom("click", "open"),
          at: fc.integer({ min: 0, max: 253_402_300_799_999 }),
          linkVersion: fc.integer({ min: 0, max: 2_147_483_647 }),
          route: fc.constantFrom("rule", "split", "store", "default"),
          ruleIndex: fc.option(fc.integer({ min: 0, max: 32_767 })),
          isHead: fc.boolean(),
          isPrefetch: fc.boolean(),
          platform: fc.option(fc.constantFrom("ios", "android", "desktop", "other"), { nil: undefined }),
        }),
        fc.record({
          address: text(32),
          userAgent: text(256),
          acceptLanguage: text(128),
          referrer: text(512),
          query: text(1024),
        }),
        (facts, headers) => {
          const record = clickRecord({ ...facts, ...headers });
          const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, kept(value)]));
          expect(decodeRecord(encodeRecord(record))).toEqual({ ...record, ...plain });
        },
      ),
    );
  });

  test("keeps split key, visitor id and apps", () => {
    const apps = { offeredApps: "310633997,com.example.app" };
    const record = clickRecord({ route: "split", splitKey: "B \t\n", visitorId: "someone@example.com", ...apps });
    expect(decodeRecord(encodeRecord(record))).toEqual(record);
  });

  test("has its long headers truncated", () => {
    const long = "x".repeat(10_000);
    const record = clickRecord({ userAgent: long, acceptLanguage: long, referrer: long, query: long, visitorId: long });
    const decoded = decodeRecord(encodeRecord(record));
    const lengths = [
      decoded?.userAgent,
      decoded?.acceptLanguage,
      decoded?.referrer,
      decoded?.query,
      decoded?.visitorId,
    ];
    expect(lengths.map((header) => header?.length)).toEqual([512, 256, 1024, 2048, 256]);
  });

  test("cannot get forged fields through a separator in a header", () => {
    const forged = clickRecord({ userAgent: "Mozilla\x1fother\x1ffields", visitorId: "a\x1fios" });
    expect(decodeRecord(encodeRecord(forged))).toMatchObject({ userAgent: "Mozilla other fields", visitorId: "a ios" });
  });
});

test.each([
  ["both", { offeredApps: "ios:1", hints: "1x2y3z" }],
  ["the first", { offeredApps: "ios:1" }],
  ["the last", { hints: "1x2y3z" }],
  ["what rules asked", { asked: "0,3 src=tv" }],
  ["all of them", { offeredApps: "ios:1", hints: "1x2y3z", asked: " src=" }],
  ["neither, as in former releases", {}],
])("the last fields of a line are optional: %s", (_, rest) => {
  const record = clickRecord(rest);
  expect(decodeRecord(encodeRecord(record))).toEqual({ offeredApps: undefined, hints: undefined, ...record });
});

describe("decoding rejects", () => {
  const line = encodeRecord(clickRecord());
  const change = (index: number, value: string) => line.split("\x1f").with(index, value).join("\x1f");
  test.each([
    ["an empty line", ""],
    ["a line with an empty field too many", `${line}\x1f`],
    ["a line with fields too many", `${line}\x1fa,b\x1f`],
    ["a line with a field too few", line.slice(0, line.lastIndexOf("\x1f"))],
    ["one whose id is no UUID", change(1, "nobody")],
    ["one whose link is no UUID", change(3, "'; drop table clicks; --")],
    ["one whose organization is no UUID", change(5, "")],
    ["one whose time is no number", change(2, "yesterday")],
    ["one past the year 9999", change(2, "253402300800000")],
    ["one whose version does not fit", change(4, "2147483648")],
    ["one whose rule does not fit", change(7, "32768")],
    ["one of an unknown route", change(6, "detour")],
    ["one of an unknown platform", change(15, "amiga")],
    ["one with unknown flags", change(0, "8")],
  ])("%s", (_, broken) => {
    expect(decodeRecord(line)).toMatchObject({ at: AT });
    expect(decodeRecord(broken)).toBeUndefined();
  });
});
