/**
 * What the figures advise: each insight from figures that just suffice for it, and none from figures that just do
 * not.
 */
import { describe, expect, test } from "bun:test";
import { FORM, linkNamed } from "@test/support/statistics/histories";
import type { BrokenCampaign } from "@/contract/analytics/insights";
import type { Link } from "@/contract/links/links";
import { findInsights, type InsightFacts } from "@/core/insights/campaign-insights";
import type { Kind } from "@/core/insights/measured";
import { DAY_MS } from "@/core/time/time-range";

const MONDAY = Date.UTC(2026, 0, 5);
const days = (count: number, clicksOn: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => ({
    at: MONDAY + index * DAY_MS,
    clicks: clicksOn(index),
    conversions: 0,
  }));

/** Spreads that many clicks and conversions as evenly as possible over four weeks. */
function figures(slug: string, clicks: number, leads: number, fields: Partial<Link> = {}, kind: Kind = "leads") {
  const share = (total: number, index: number) =>
    Math.floor((total * (index + 1)) / 28) - Math.floor((total * index) / 28);
  return {
    link: linkNamed(slug, fields),
    clicks,
    days: Array.from({ length: 28 }, (_, index) => ({
      ...{ at: MONDAY + index * DAY_MS, clicks: share(clicks, index), installs: 0, leads: 0, events: 0 },
      [kind]: share(leads, index),
    })),
  };
}
const comparing = (...links: InsightFacts["links"]) => ({ links, compared: links });

const even: InsightFacts = {
  totals: { clicks: 1_000, installs: 0, leads: 50, events: 0 },
  ...{
    botClicks: 0,
    days: days(28, () => 36),
    linksTotal: 2,
    countries: [],
    direct: 500,
    isOfLink: false,
    isAhead: false,
    isDeleted: false,
  },
  ...{ from: MONDAY, faults: [], best: null, ...comparing(figures("a", 500, 25), figures("b", 500, 25)) },
};
const [first, second] = even.links;
const idsOf = (facts: Partial<InsightFacts>) =>
  findInsights({ ...even, ...facts }).insights.map(({ id, priority }) => `${id} ${priority}`);

describe("insights say", () => {
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
      "nothing of the kind about bio pages, which have no place for them",
      { links: even.links.map((each) => ({ ...each, link: { ...each.link, utm: {}, isBioPage: true } })) },
      [],
    ],
    [
      "that one link has nearly all",
      {
        ...comparing(figures("a", 900, 45), figures("b", 100, 5)),
      },
      ["risk:concentration high"],
    ],
    ["nothing of the kind where there is but one", { linksTotal: 1, ...comparing(figures("a", 1_000, 50)) }, []],
    ["nor where one was asked for", { isOfLink: true, ...comparing(figures("a", 1_000, 50)) }, []],
    ["that bots are many", { botClicks: 500 }, ["risk:bots medium"]],
    ["that they are most", { botClicks: 4_000 }, ["risk:bots high"]],
    ["that clicks rise", { days: days(28, (index) => 10 + 3 * index) }, ["opportunity:rising_clicks high"]],
    ["that clicks fall", { days: days(28, (index) => 100 - 3 * index) }, ["risk:falling_clicks high"]],
    [
      "nothing of the direction of five days after weeks without clicks",
      { days: days(30, (index) => (index < 25 ? 0 : 200)) },
      [],
    ],
    [
      "nothing of the direction or the best day of even clicks that began within the range",
      { days: days(30, (index) => (index < 12 ? 0 : 60)) },
      [],
    ],
    ["nothing of a week's direction", { days: days(7, (index) => 100 - 3 * index) }, []],
    [
      "that a link converts better, once",
      comparing(figures("a", 500, 60), figures("b", 500, 15)),
      ["opportunity:converts_well:a high"],
    ],
    [
      "that a link converts worse than several",
      comparing(figures("a", 500, 45), figures("b", 500, 45), figures("c", 500, 8)),
      ["risk:converts_badly:c high"],
    ],
    [
      "of one that was asked for, how it compares",
      { isOfLink: true, links: [figures("c", 500, 8)], compared: [figures("c", 500, 8), figures("a", 900, 90)] },
      ["risk:converts_badly:c high"],
    ],
    [
      "nothing of a rate where none is measured, but that it is not",
      comparing(
        figures("a", 500, 50),
        figures("b", 400, 0, { leadCapture: undefined }),
        figures("c", 300, 0, { leadCapture: { ...FORM, enabled: false } }),
        figures("d", 300, 0, { leadCapture: undefined, appProfileId: "app" }),
        figures("e", 300, 2, { leadCapture: undefined }, "events"),
      ),
      ["setup:unmeasured medium"],
    ],
    [
      "nothing of a form that was switched on today",
      comparing(
        figures("a", 500, 50),
        figures("b", 400, 0, { updatedAt: new Date(MONDAY + 28 * DAY_MS).toISOString() }),
      ),
      ["setup:unmeasured low"],
    ],
    [
      "what a channel of several links does",
      comparing(
        ...["a", "b"].map((slug) => figures(slug, 500, 60, { utm: { source: "newsletter" } })),
        ...["c", "d", "e"].map((slug) => figures(slug, 500, 20, { utm: { source: "facebook" } })),
      ),
      [
        "opportunity:converts_well:a high",
        "opportunity:converts_well:b high",
        "opportunity:converts_well:channel:Email high",
      ],
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
                  link: linkNamed("a", {
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
      ["Fewer than 100 clicks: only faults and the set-up were checked"],
    ],
    ["enough of a hundred", { totals: { clicks: 100, installs: 0, leads: 9, events: 0 } }, "enough", []],
    [
      "that there are too few days for a direction",
      { days: days(3, () => 300) },
      "enough",
      ["Fewer than 21 whole days: too short to tell whether clicks rise or fall"],
    ],
    [
      "that there are too few days for a direction since the first click",
      { days: days(60, (index) => (index < 40 ? 0 : 300)) },
      "enough",
      ["Fewer than 21 whole days since the first click: too short to tell whether clicks rise or fall"],
    ],
  ])("%s", (_, facts, data, notes) => {
    const found = findInsights({ ...even, ...facts });
    expect([found.data, found.notes]).toEqual([data as "thin", notes]);
  });
});

describe("faults from broken campaigns", () => {
  const fault: BrokenCampaign = {
    ...{ id: "dead_destination:a", type: "dead_destination", severity: "high", linkId: "a" },
    ...{ title: "`a` leads to a dead page", summary: "…", recommendation: "…", evidence: ["HTTP 404"] },
  };

  test("come first, without missing UTM parameters of single links", () => {
    const facts = {
      faults: [fault, { ...fault, id: "missing_utm:a", type: "missing_utm" as const }],
      botClicks: 4_000,
    };
    expect(idsOf(facts)).toEqual(["risk:dead_destination:a high", "risk:bots high"]);
  });

  test("are listed even without clicks, but at most five of them", () => {
    const faults = Array.from({ length: 7 }, (_, index) => ({ ...fault, id: `dead_destination:${index}` }));
    const found = findInsights({ ...even, faults, totals: { clicks: 0, installs: 0, leads: 0, events: 0 } });
    expect(found.insights.map(({ id }) => id).slice(4)).toEqual(["risk:dead_destination:4", "setup:no_clicks"]);
    expect(found.notes).toEqual(["2 more faults in broken campaigns"]);
  });
});

describe("an insight's text claims no more than is known", () => {
  const summaryOf = (id: string, facts: Partial<InsightFacts>) =>
    findInsights({ ...even, ...facts }).insights.find((insight) => insight.id === id)?.summary;

  test("for a country: it says whose rules were checked", () => {
    const countries = [{ name: "DE", count: 600 }];
    const rest = "names this country, so its visitors get the same page as everyone else.";
    expect([false, true].map((isOfLink) => summaryOf("opportunity:country:DE", { countries, isOfLink }))).toEqual([
      `No rule of your busiest links ${rest}`,
      `No rule of this link ${rest}`,
    ]);
  });

  test("for a bio page: nothing asks for the rules and UTM parameters that it cannot have", () => {
    const own = figures("a", 1_000, 50, { utm: undefined });
    const page = { ...own, link: { ...own.link, isBioPage: true as const } };
    const facts = { countries: [{ name: "DE", count: 600 }], isOfLink: true };
    const idsOf = (of: typeof own) =>
      findInsights({ ...even, ...facts, ...comparing(of) }).insights.map(({ id }) => id);
    expect([idsOf(own), idsOf(page)]).toEqual([["opportunity:country:DE", "setup:utm"], []]);
  });

  test("for a workspace with a bio page: the rules that its links could have are still asked for", () => {
    const link = figures("a", 500, 25);
    const page = { ...link, link: { ...link.link, _id: "b", isBioPage: true as const } };
    const facts = { countries: [{ name: "DE", count: 600 }], links: [link, page], compared: [link, page] };
    const { insights } = findInsights({ ...even, ...facts });
    expect(insights.map(({ id }) => id)).toContain("opportunity:country:DE");
  });

  test("for unmeasured links: it says whether there is one or several", () => {
    const plain = (slug: string) => figures(slug, 300, 0, { leadCapture: undefined });
    const worth = "may be worth a lot or nothing: no app, form or event tells.";
    const summaries = [[plain("b")], [plain("b"), plain("c")]].map((others) =>
      summaryOf("setup:unmeasured", comparing(figures("a", 500, 50), ...others)),
    );
    expect(summaries).toEqual([`Its 300 clicks ${worth}`, `Their 600 clicks ${worth}`]);
  });
});
