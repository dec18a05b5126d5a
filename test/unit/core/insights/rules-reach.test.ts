/** Rules that no visitor can reach are reported, and rules that some visitor can reach are not. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { RoutingRule, RuleConditions } from "@/contract/routing";
import { unreachableRules } from "@/core/insights/rules-reach";
import { UNKNOWN_VISITOR_FACTS, type VisitorFacts } from "@/core/routing/facts";
import { compileRules, matchesRule } from "@/core/rules/compile";

const rules = (...all: (RuleConditions & { priority?: number })[]): RoutingRule[] =>
  all.map(({ priority, ...conditions }) => ({ priority, destinationUrl: "https://example.com/", conditions }));

describe("unreachable rules", () => {
  test.each<[string, RoutingRule[], [number, string, number | null][]]>([
    ["behind one without conditions", rules({}, { platform: ["ios"] }), [[1, "behind_catch_all", 0]]],
    ["behind one with empty lists", rules({ countries: [] }, { countries: ["DE"] }), [[1, "behind_catch_all", 0]]],
    ["behind one of every day", rules({ daysOfWeek: [0, 1, 2, 3, 4, 5, 6] }, {}), [[1, "behind_catch_all", 0]]],
    [
      "behind one by priority",
      rules({ platform: ["ios"], priority: 5 }, { priority: 1 }),
      [[0, "behind_catch_all", 1]],
    ],
    ["a twin of an earlier one", rules({ countries: ["DE"] }, { countries: ["de"] }), [[1, "shadowed", 0]]],
    [
      "a narrower list",
      rules({ countries: ["DE", "AT"] }, { countries: ["AT"], platform: ["ios"] }),
      [[1, "shadowed", 0]],
    ],
    ["a variant of a language", rules({ languages: ["en"] }, { languages: ["en-GB", "en_US"] }), [[1, "shadowed", 0]]],
    [
      "a narrower range of versions",
      rules({ minOsVersion: "16" }, { minOsVersion: "16.0.1", maxOsVersion: "17" }),
      [[1, "shadowed", 0]],
    ],
    [
      "fewer days",
      rules({ daysOfWeek: [1, 2, 3] }, { daysOfWeek: [2], startTime: "09:00", endTime: "17:00" }),
      [[1, "shadowed", 0]],
    ],
    [
      "the same window",
      rules({ startTime: "22:00", endTime: "06:00" }, { startTime: "22:00", endTime: "06:00", countries: ["DE"] }),
      [[1, "shadowed", 0]],
    ],
    [
      "a subdomain behind its host",
      rules({ referrers: ["example.com"] }, { referrers: ["News.example.com"] }),
      [[1, "shadowed", 0]],
    ],
    [
      "a network behind one that holds it",
      rules({ addresses: ["10.0.0.0/8"] }, { addresses: ["10.1.2.3"] }),
      [[1, "shadowed", 0]],
    ],
    [
      "fewer values of a parameter, and one more parameter",
      rules({ query: [{ name: "a", values: ["1", "2"] }] }, { query: [{ name: "b" }, { name: "a", values: ["2"] }] }),
      [[1, "shadowed", 0]],
    ],
    [
      "a shorter season",
      rules({ after: "2026-05-01", before: "2026-07-01" }, { after: "2026-05-02", before: "2026-06-30T23:59:59Z" }),
      [[1, "shadowed", 0]],
    ],
    [
      "a season that ends as it begins",
      rules({ after: "2026-05-01", before: "2026-05-01T00:00Z" }),
      [[0, "contradiction", null]],
    ],
    ["versions out of order", rules({ minOsVersion: "17.1", maxOsVersion: "17" }), [[0, "contradiction", null]]],
    [
      "and one that contradicts itself hides nobody",
      rules({ minOsVersion: "9", maxOsVersion: "8" }, { platform: ["ios"] }),
      [[0, "contradiction", null]],
    ],
  ])("%s", (_, given, expected) => {
    expect(unreachableRules(given).map(({ index, reason, by }) => [index, reason, by])).toEqual(expected as []);
  });
});

describe("reachable rules", () => {
  test.each<[string, RoutingRule[]]>([
    ["no rules", []],
    ["one without conditions, at the end", rules({ platform: ["ios"] }, {})],
    ["a wider list behind a narrower one", rules({ countries: ["DE"] }, { countries: ["DE", "AT"] })],
    ["a language behind its variant", rules({ languages: ["en-GB"] }, { languages: ["en"] })],
    ["one more field in the earlier one", rules({ countries: ["DE"], platform: ["ios"] }, { countries: ["DE"] })],
    ["a version without an end", rules({ minOsVersion: "10", maxOsVersion: "16" }, { minOsVersion: "12" })],
    ["the same version at both ends", rules({ minOsVersion: "17", maxOsVersion: "17.0" })],
    [
      "a night behind the day it begins on",
      rules({ daysOfWeek: [1] }, { daysOfWeek: [1], startTime: "22:00", endTime: "06:00" }),
    ],
    ["a host behind its subdomain", rules({ referrers: ["news.example.com"] }, { referrers: ["example.com"] })],
    ["a host that only ends alike", rules({ referrers: ["example.com"] }, { referrers: ["badexample.com"] })],
    ["a network behind a part of it", rules({ addresses: ["10.1.0.0/16"] }, { addresses: ["10.0.0.0/8"] })],
    ["networks of other families", rules({ addresses: ["0.0.0.0/0"] }, { addresses: ["::/0"] })],
    ["any value behind one", rules({ query: [{ name: "a", values: ["1"] }] }, { query: [{ name: "a" }] })],
    ["a season without an end", rules({ after: "2026-05-01", before: "2026-06-01" }, { after: "2026-05-02" })],
    ["another window", rules({ startTime: "09:00", endTime: "12:00" }, { startTime: "10:00", endTime: "13:00" })],
  ])("%s", (_, given) => expect(unreachableRules(given)).toEqual([]));
});

const ONE_EACH: Required<RuleConditions> = {
  ...{
    platform: ["ios"],
    deviceTypes: ["tablet"],
    browsers: ["Firefox"],
    deviceVendors: ["Apple"],
    deviceModels: ["iPad"],
  },
  ...{ countries: ["DE"], regions: ["Bavaria"], cities: ["Munich"], languages: ["de"], minOsVersion: "16" },
  ...{ maxOsVersion: "17", startTime: "09:00", endTime: "17:00", daysOfWeek: [1] },
  ...{ after: "2026-05-01", before: "2026-06-01T12:00:00Z", query: [{ name: "src", values: ["tv"] }] },
  ...{ referrers: ["news.example"], addresses: ["203.0.113.0/24"] },
};

test.each(Object.entries(ONE_EACH))("%s alone does not make the next rule unreachable", (condition, value) => {
  expect(unreachableRules(rules({ [condition]: value }, {}))).toEqual([]);
});

test("no visitor is routed by a rule that is reported as unreachable", () => {
  const some = <Value>(...values: Value[]) => fc.option(fc.subarray(values), { nil: undefined });
  const version = fc.option(fc.constantFrom("15", "16", "16.4", "17"), { nil: undefined });
  const time = fc.option(fc.constantFrom("00:00", "06:00", "12:00", "22:00"), { nil: undefined });
  const conditions = fc.record({
    platform: some<"ios" | "android">("ios", "android"),
    countries: some("DE", "AT"),
    languages: some("en", "en-GB", "de"),
    minOsVersion: version,
    maxOsVersion: version,
    startTime: time,
    endTime: time,
    daysOfWeek: some(0, 1, 2, 3, 4, 5, 6),
    priority: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
  });
  const known = fc.record({
    platform: fc.option(fc.constantFrom<"ios" | "android">("ios", "android"), { nil: undefined }),
    osVersion: fc.option(fc.constantFrom("14", "15", "16.2", "17", "18.1"), { nil: undefined }),
    languages: fc.subarray(["en-GB", "en", "de-AT"]),
    country: fc.option(fc.constantFrom("DE", "AT", "FR"), { nil: undefined }),
    minuteOfDay: fc.constantFrom(0, 359, 360, 720, 1_319, 1_320, 1_439),
    dayOfWeek: fc.nat(6),
  });
  const facts = known.map((visitor): VisitorFacts => ({ ...UNKNOWN_VISITOR_FACTS, ...visitor }));
  fc.assert(
    fc.property(
      fc.array(conditions, { maxLength: 5 }),
      fc.array(facts, { minLength: 20, maxLength: 20 }),
      (given, visitors) => {
        const all = rules(...given);
        const hidden = unreachableRules(all).map(({ index }) => index);
        for (const visitor of visitors) {
          const first = compileRules(all).find((rule) => matchesRule(rule, visitor));
          expect(hidden).not.toContain(first?.index);
        }
      },
    ),
    { numRuns: 300 },
  );
});
