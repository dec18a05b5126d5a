/** What the figures say to do: each insight from figures that just give it, and none from those that just do not. */
import { describe, expect, test } from "bun:test";
import type { Link } from "@/contract/links";
import { findInsights, type InsightFacts } from "@/core/insights/campaign-insights";
import { DAY_MS } from "@/core/time-range";

const MONDAY = Date.UTC(2026, 0, 5);
const link = (slug: string, fields: Partial<Link> = {}): Link => ({
  ...{
    _id: slug,
    orgId: "o",
    domainId: "d",
    slug,
    shortUrl: `https://wm.test/${slug}`,
    defaultUrl: "https://example.com/",
  },
  ...{ rules: [], splitTargets: [], utm: { source: "newsletter" }, retargetingPixels: [], tags: [], clickCount: 0 },
  ...{ passwordProtected: false, isActive: true, safety: { status: "safe", reasons: [] } },
  ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
  ...fields,
});
const days = (count: number, clicksOn: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => ({
    at: MONDAY + index * DAY_MS,
    clicks: clicksOn(index),
    conversions: 0,
  }));

const even: InsightFacts = {
  totals: { clicks: 1_000, installs: 0, leads: 50, events: 0 },
  ...{ botClicks: 0, days: days(28, () => 36), linksTotal: 2, countries: [], direct: 500, isOfLink: false },
  links: [
    { link: link("a"), clicks: 500, conversions: 25 },
    { link: link("b"), clicks: 500, conversions: 25 },
  ],
};
const [first, second] = even.links;
const idsOf = (facts: Partial<InsightFacts>) =>
  findInsights({ ...even, ...facts }).insights.map(({ id, priority }) => `${id} ${priority}`);

describe("told is", () => {
  test.each<[string, Partial<InsightFacts>, string[]]>([
    ["nothing of even traffic", {}, []],
    [
      "that there is no link",
      { totals: { clicks: 0, installs: 0, leads: 0, events: 0 }, links: [], linksTotal: 0 },
      ["setup:no_links high"],
    ],
    [
      "that nobody came",
      { totals: { clicks: 0, installs: 0, leads: 0, events: 0 }, links: [] },
      ["setup:no_clicks high"],
    ],
    [
      "that nothing is known of the visitors",
      { totals: { clicks: 1_000, installs: 0, leads: 0, events: 0 } },
      ["setup:no_conversions medium"],
    ],
    [
      "that campaigns are not named",
      { links: even.links.map((each) => ({ ...each, link: { ...each.link, utm: {} } })) },
      ["setup:utm low"],
    ],
    [
      "that one link has nearly all",
      {
        links: [
          { link: link("a"), clicks: 900, conversions: 45 },
          { link: link("b"), clicks: 100, conversions: 5 },
        ],
      },
      ["risk:concentration high"],
    ],
    [
      "nothing of the kind where there is but one",
      { linksTotal: 1, links: [{ link: link("a"), clicks: 1_000, conversions: 50 }] },
      [],
    ],
    [
      "nor where one was asked for",
      { isOfLink: true, links: [{ link: link("a"), clicks: 1_000, conversions: 50 }] },
      [],
    ],
    ["that bots are many", { botClicks: 500 }, ["risk:bots medium"]],
    ["that they are most", { botClicks: 4_000 }, ["risk:bots high"]],
    ["that clicks rise", { days: days(28, (index) => 10 + 3 * index) }, ["opportunity:rising_clicks high"]],
    ["that clicks fall", { days: days(28, (index) => 100 - 3 * index) }, ["risk:falling_clicks high"]],
    ["nothing of a week's direction", { days: days(7, (index) => 100 - 3 * index) }, []],
    [
      "that a link converts better, and the other worse",
      {
        links: [
          { link: link("a"), clicks: 500, conversions: 100 },
          { link: link("b"), clicks: 500, conversions: 5 },
        ],
      },
      ["opportunity:converts_well:a high", "risk:converts_badly:b high"],
    ],
    [
      "that a country has no page of its own",
      { countries: [{ name: "DE", count: 600 }] },
      ["opportunity:country:DE low"],
    ],
    [
      "not where a rule leads there",
      {
        countries: [{ name: "DE", count: 600 }],
        links: [
          ...(first
            ? [
                {
                  ...first,
                  link: link("a", {
                    rules: [{ destinationUrl: "https://example.com/de", conditions: { countries: ["DE"] } }],
                  }),
                },
              ]
            : []),
          ...(second ? [second] : []),
        ],
      },
      [],
    ],
    [
      "which weekday is best",
      { days: days(28, (index) => (index % 7 === 3 ? 90 : 30)) },
      ["opportunity:weekday:thursdays low"],
    ],
  ])("%s", (_, facts, expected) => expect(idsOf(facts)).toEqual(expected));
});

describe("the summary says", () => {
  test.each<[string, Partial<InsightFacts>, string, string[]]>([
    ["none of nothing", { totals: { clicks: 0, installs: 0, leads: 0, events: 0 } }, "none", []],
    [
      "thin of 99 clicks",
      { totals: { clicks: 99, installs: 0, leads: 0, events: 0 }, botClicks: 5_000 },
      "thin",
      ["Fewer than 100 clicks: only the set-up was looked at"],
    ],
    ["enough of a hundred", { totals: { clicks: 100, installs: 0, leads: 9, events: 0 } }, "enough", []],
    [
      "that there are too few days for a direction",
      { days: days(3, () => 300) },
      "enough",
      ["Fewer than 14 whole days: no direction is told"],
    ],
  ])("%s", (_, facts, data, notes) => {
    const found = findInsights({ ...even, ...facts });
    expect([found.data, found.notes]).toEqual([data as "thin", notes]);
  });
});
