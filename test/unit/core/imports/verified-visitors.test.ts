/** A verification finds whatever a rule, a date or a limit of either side does otherwise, and tells for whom. */
import { describe, expect, test } from "bun:test";
import { definitionOf, routingCases } from "@test/support/routing-cases";
import type { ImportSource } from "@/contract/links/imports";
import type { RuleConditions } from "@/contract/routing";
import { routeDifferences } from "@/core/imports/differences";
import { SourceRecord } from "@/core/imports/record";
import { SOURCES } from "@/core/imports/sources";
import { VISITORS_MAX, visitorsFor } from "@/core/imports/visitors/choose";
import { compileLink } from "@/core/routing/compiled-link";
import type { LinkDefinition } from "@/core/routing/link";

const now = Date.UTC(2026, 0, 31, 12);
const [anyCase] = routingCases;
if (anyCase === undefined) throw new Error("There is no case");
const plain = { ...definitionOf(anyCase), splitTargets: [], utm: null, marketing: null, app: null };

type Ours = Partial<Omit<LinkDefinition, "gate">> & { gate?: Partial<LinkDefinition["gate"]> };

/** `ours` is what the link has otherwise than the import gave it. */
function checkedOf(source: ImportSource, item: object, ours: Ours = {}) {
  const record = new SourceRecord({ ...item });
  const read = SOURCES[source].read(record, now);
  const old = "links" in read ? read.links[0] : undefined;
  if (!old) throw new Error(JSON.stringify(read));
  const { defaultUrl, rules, startsAt, expiresAt, maxClicks, expiredUrl, isActive } = old.fields;
  const gate = {
    ...plain.gate,
    isActive: isActive ?? true,
    startsAt: startsAt ? Date.parse(startsAt) : null,
    expiresAt: expiresAt ? Date.parse(expiresAt) : null,
    maxClicks: maxClicks ?? null,
    ...ours.gate,
  };
  const link = compileLink({ ...plain, defaultUrl, rules: rules ?? [], expiredUrl: expiredUrl ?? null, ...ours, gate });
  return { record, checked: { old, link } };
}

function differencesOf(source: ImportSource, item: object, ours?: Ours) {
  const { record, checked } = checkedOf(source, item, ours);
  return routeDifferences(SOURCES[source], record, checked, now);
}

const summaries = (source: ImportSource, item: object, ours?: Ours) =>
  differencesOf(source, item, ours)?.map(({ visitor }) => (typeof visitor === "string" ? visitor : visitor.summary));

type Condition = readonly [type: string, value: string | null, key?: string];
const shlinkRule = (priority: number, ...conditions: Condition[]) => ({
  ...{ priority, longUrl: `https://acme.com/${priority}` },
  conditions: conditions.map(([type, matchValue, matchKey = null]) => ({ type, matchKey, matchValue })),
});
const shlinkLink = (...rules: object[]) => ({
  ...{ shortCode: "a", domain: "go.acme.com", longUrl: "https://acme.com/" },
  redirectRules: rules,
});
const ourRule = (conditions: RuleConditions, priority = 1) => ({
  ...{ priority, destinationUrl: `https://acme.com/${priority}`, conditions },
});

describe("a rule of Shlink that became another one", () => {
  test.each<[what: string, condition: Condition, conditions: RuleConditions, visitors: string[]]>([
    ["by the value of a parameter", ["query-param", "1", "a"], { query: [{ name: "a" }] }, ["desktop, ?a=1x"]],
    [
      "by a parameter's name",
      ["query-param", "1", "a"],
      { query: [{ name: "b", values: ["1"] }] },
      ["desktop, ?a=1", "desktop, ?b=1"],
    ],
    [
      "by any value",
      ["any-value-query-param", null, "a"],
      { query: [{ name: "a", values: ["1"] }] },
      ["desktop, ?a=1x"],
    ],
    ["by a language", ["language", "en-GB"], { languages: ["en"] }, ["desktop, language en"]],
    ["by a language's region", ["language", "pt"], { languages: ["pt-BR"] }, ["desktop, language pt"]],
    ["by a country", ["geolocation-country-code", "DE"], { countries: ["AT"] }, ["iPhone, DE", "iPhone, AT"]],
    ["by a city", ["geolocation-city-name", "Bern"], { cities: ["Basel"] }, ["desktop, Bern", "desktop, Basel"]],
    ["by a browser", ["browser", "safari"], { browsers: ["Safari"] }, ["iPhone, Mobile Safari"]],
    [
      "by a network",
      ["ip-address", "203.0.113.0/24"],
      { addresses: ["203.0.112.0/23"] },
      ["desktop, address 203.0.112.0"],
    ],
    ["by an address", ["ip-address", "203.0.113.7"], { addresses: ["203.0.113.9"] }, ["desktop, address 203.0.113.7"]],
    ["by a device", ["device", "mobile"], { platform: ["ios"] }, ["Android phone"]],
    ["by a system", ["device", "windows"], { platform: ["desktop"] }, ["Mac"]],
    [
      "by an end",
      ["before-date", "2026-06-01T00:00:00Z"],
      { before: "2026-07-01T00:00:00Z" },
      ["desktop, at 2026-06-01T00:00:01.000Z"],
    ],
    [
      "by a start",
      ["after-date", "2026-06-01T00:00:00Z"],
      { after: "2026-05-01T00:00:00Z" },
      ["desktop, at 2026-05-01T00:00:01.000Z"],
    ],
    ["by an end that is past here alone", ["before-date", "2026-06-01"], { before: "2026-01-01" }, ["desktop"]],
    ["by an end that is past there alone", ["before-date", "2026-01-01"], { before: "2026-06-01" }, ["desktop"]],
    ["by a start that is past here alone", ["after-date", "2026-06-01"], { after: "2026-01-01" }, ["desktop"]],
    ["by a start that is past there alone", ["after-date", "2026-01-01"], { after: "2026-06-01" }, ["desktop"]],
    ["by a past end that it lost", ["before-date", "2026-01-01"], {}, ["iPhone", "desktop"]],
  ])("%s is found", (_, condition, conditions, visitors) => {
    const found = summaries("shlink", shlinkLink(shlinkRule(1, condition)), { rules: [ourRule(conditions)] });
    expect(found).toEqual(expect.arrayContaining(visitors));
  });

  test("is told with the fields of a preview", () => {
    const item = shlinkLink(shlinkRule(1, ["query-param", "1", "a"], ["language", "de"], ["device", "ios"]));
    const [first] = differencesOf("shlink", item, { rules: [] }) ?? [];
    expect(first).toEqual({
      visitor: {
        summary: "iPhone, language de, ?a=1",
        ...{ platform: "ios", deviceType: "mobile", language: "de", query: "a=1" },
      },
      ...{ expected: "https://acme.com/1", actual: "https://acme.com/" },
    });
  });

  test("that lost one of several conditions is found for who fails that one alone", () => {
    const item = shlinkLink(shlinkRule(1, ["query-param", "1", "a"], ["query-param", "2", "b"]));
    expect(summaries("shlink", item, { rules: [ourRule({ query: [{ name: "a", values: ["1"] }] })] })).toEqual(
      expect.arrayContaining(["desktop, ?a=1&b=2x", "desktop, ?a=1"]),
    );
  });

  test("that changed places with another is found for who meets both", () => {
    const item = shlinkLink(shlinkRule(1, ["query-param", "1", "a"]), shlinkRule(2, ["language", "fr"]));
    const swapped = [
      { ...ourRule({ languages: ["fr"] }, 2), priority: 1 },
      { ...ourRule({ query: [{ name: "a", values: ["1"] }] }, 1), priority: 2 },
    ];
    expect(summaries("shlink", item, { rules: swapped })).toEqual(["desktop, language fr, ?a=1"]);
  });

  test("is found however many rules come before it", () => {
    const rules = Array.from({ length: 50 }, (_, index) =>
      shlinkRule(index + 1, ["query-param", `${index}`, "a"], ["language", "fr"], ["device", "ios"]),
    );
    const item = shlinkLink(...rules);
    const { checked } = checkedOf("shlink", item);
    const changed = checked.link.definition.rules.map((rule, index) =>
      index === 49 ? { ...rule, conditions: { ...rule.conditions, languages: ["it"] } } : rule,
    );
    expect(summaries("shlink", item, { rules: changed })).toEqual(
      expect.arrayContaining(["iPhone, language fr, ?a=49", "iPhone, language it, ?a=49"]),
    );
    expect(differencesOf("shlink", item)).toEqual([]);
  });
});

const EXPRESSIBLE: readonly Condition[] = [
  ["query-param", " 1&ü", "a b"],
  ["any-value-query-param", null, "a"],
  ["language", "en_GB"],
  ["language", "pt"],
  ["geolocation-country-code", "de"],
  ["geolocation-city-name", "Zürich"],
  ["ip-address", "203.0.113.*"],
  ["ip-address", "203.0.113.7"],
  ["browser", "safari"],
  ["browser", "chrome"],
  ["browser", "android_browser"],
  ["device", "mobile"],
  ["before-date", "2020-01-01T00:00:00Z"],
  ["before-date", "2027-01-01T00:00:00Z"],
  ["after-date", "2027-01-01T00:00:00+02:00"],
];

test.each(EXPRESSIBLE.map((condition) => [condition.join(" "), condition] as const))(
  "a rule of Shlink by %s is imported as it is",
  (_, condition) => {
    expect(differencesOf("shlink", shlinkLink(shlinkRule(1, condition)))).toEqual([]);
  },
);

test("a condition of Shlink that links cannot have is compared, too", () => {
  const item = shlinkLink(shlinkRule(1, ["valueless-query-param", null, "debug"]));
  expect(summaries("shlink", item)).toEqual(["desktop, ?debug"]);
  const addresses = shlinkLink(shlinkRule(1, ["ip-address", "203.*.113.7"]));
  expect(summaries("shlink", addresses)).toEqual(["desktop, address 203.0.113.7"]);
});

test("a condition that is not known is not compared", () => {
  const item = shlinkLink(shlinkRule(1, ["moon", "full"]));
  expect(differencesOf("shlink", item)).toBeUndefined();
});

/** One rule for each condition that a link can have. */
const OWN: Record<keyof RuleConditions, RuleConditions> = {
  platform: { platform: ["other"] },
  deviceTypes: { deviceTypes: ["console"] },
  browsers: { browsers: ["Firefox"] },
  deviceVendors: { deviceVendors: ["Apple"] },
  deviceModels: { deviceModels: ["Pixel 9"] },
  countries: { countries: ["JP"] },
  regions: { regions: ["Bavaria"] },
  cities: { cities: ["Rome"] },
  languages: { languages: ["ja"] },
  minOsVersion: { minOsVersion: "17.4" },
  maxOsVersion: { maxOsVersion: "12" },
  startTime: { startTime: "22:00" },
  endTime: { endTime: "06:00" },
  daysOfWeek: { daysOfWeek: [3] },
  after: { after: "2027-01-01" },
  before: { before: "2026-03-01" },
  query: { query: [{ name: "src", values: ["tv"] }] },
  referrers: { referrers: ["news.example"] },
  addresses: { addresses: ["2001:db8::/32"] },
};

test.each(Object.entries(OWN))("a rule by %s that only the link here has is found", (_, conditions) => {
  const found = summaries("kutt", { address: "a", target: "https://acme.com/" }, { rules: [ourRule(conditions)] });
  expect(found?.length).toBeGreaterThan(0);
});

test("the conditions of a rule can all be met at once", () => {
  const { platform: _, ...others } = Object.assign({}, ...Object.values(OWN)) as RuleConditions;
  const conditions = { ...others, maxOsVersion: "18", before: "2028-01-01", endTime: "23:00" };
  expect(summaries("kutt", { address: "a", target: "https://acme.com/" }, { rules: [ourRule(conditions)] })).toEqual([
    "console, JP, Bavaria, Rome, Firefox, Apple, Pixel 9, version 17.4, language ja, ?src=tv, from news.example, " +
      "address 2001:db8:0:0:0:0:0:0, at 2027-01-06T22:00:00.000Z",
  ]);
});

/** Whoever is compared in any case. */
const USUAL = ["iPhone", "Android phone", "desktop", "bot"];

describe("dates and limits", () => {
  const csv = { defaultUrl: "https://acme.com/", slug: "a" };
  const at = (day: string) => Date.parse(`${day}T00:00:00Z`);

  test.each<[what: string, item: object, gate: Ours["gate"], visitors: string[]]>([
    [
      "an end",
      { expiresAt: "2026-06-01" },
      { expiresAt: at("2026-07-01") },
      ["desktop, at 2026-06-01T00:00:01.000Z", "desktop, at 2026-06-30T23:59:59.000Z"],
    ],
    ["a lost end", { expiresAt: "2026-06-01" }, { expiresAt: null }, ["desktop, at 2026-06-01T00:00:01.000Z"]],
    ["a lost end that is past", { expiresAt: "2026-01-01" }, { expiresAt: null }, USUAL],
    ["a past end that the source does not have", {}, { expiresAt: at("2026-01-01") }, USUAL],
    ["an end that is past there alone", { expiresAt: "2026-01-01" }, { expiresAt: at("2026-06-01") }, USUAL],
    ["an end that is past here alone", { expiresAt: "2026-06-01" }, { expiresAt: at("2026-01-01") }, USUAL],
    [
      "a start that is past here alone",
      { startsAt: "2026-06-01" },
      { startsAt: at("2026-01-01") },
      ["desktop, at 2026-05-31T23:59:59.000Z"],
    ],
    [
      "a start that is past there alone",
      { startsAt: "2026-01-01" },
      { startsAt: at("2026-06-01") },
      ["desktop, at 2026-05-31T23:59:59.000Z"],
    ],
    [
      "a limit of a link that has ended there alone",
      { maxClicks: "3", expiresAt: "2026-01-01" },
      { expiresAt: null },
      USUAL,
    ],
    ["a start", { startsAt: "2026-06-01" }, { startsAt: at("2026-07-01") }, ["desktop, at 2026-06-01T00:00:01.000Z"]],
    ["a limit", { maxClicks: "3" }, { maxClicks: 5 }, ["desktop, after 3 visits", "desktop, after 4 visits"]],
  ])("%s that the link has otherwise is found", (_, item, gate, visitors) => {
    expect(summaries("csv", { ...csv, ...item }, { gate })).toEqual(expect.arrayContaining(visitors));
    expect(differencesOf("csv", { ...csv, ...item })).toEqual([]);
  });

  test("visits that are left at Shlink are left here, too", () => {
    const item = { ...shlinkLink(), meta: { maxVisits: 10 }, visitsSummary: { total: 4 } };
    expect(differencesOf("shlink", item)).toEqual([]);
    expect(summaries("shlink", item, { gate: { maxClicks: 10 } })).toEqual([
      "desktop, after 6 visits",
      "desktop, after 9 visits",
    ]);
  });

  test("rules of a link that starts later are compared from then on", () => {
    const item = {
      ...shlinkLink(shlinkRule(1, ["query-param", "1", "a"])),
      meta: { validSince: "2026-06-01T00:00:00Z" },
    };
    expect(summaries("shlink", item, { rules: [] })?.[0]).toBe("desktop, ?a=1, at 2026-06-01T00:00:01.000Z");
  });
});

test("a difference that everyone has is listed for the usual visitors alone", () => {
  const item = shlinkLink(shlinkRule(1, ["query-param", "1", "a"]));
  const found = summaries("shlink", item, { defaultUrl: "https://acme.com/new" });
  expect(found).toEqual(["iPhone", "Android phone", "desktop", "bot"]);
});

test("the visitors of a link are always the same ones, and so many at most", () => {
  const countries = Array.from({ length: 26 }, (_, index) => `${String.fromCharCode(65 + index)}E`);
  const rules = Array.from({ length: 50 }, (_, index) =>
    shlinkRule(
      index,
      ["query-param", `${index}`, "a"],
      ["language", "fr"],
      ["geolocation-country-code", countries[index % 26] ?? ""],
      ["ip-address", `203.0.${index}.0/24`],
    ),
  );
  const visitors = () => {
    const { record, checked } = checkedOf("shlink", shlinkLink(...rules));
    return visitorsFor(SOURCES.shlink, record, checked, now);
  };
  expect(visitors()).toHaveLength(VISITORS_MAX);
  expect(visitors()).toEqual(visitors());
});
