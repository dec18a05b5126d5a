/** Which destination is recommended, from when on, and what is said where none is. */
import { describe, expect, test } from "bun:test";
import { bestDestination, type DestinationFigures } from "@/core/insights/best-destination";
import { destinationsOfLink, type LeadingLink, type RoutedClicks } from "@/core/insights/destination-figures";

const figures = (id: string, clicks: number, converted: number): DestinationFigures => ({
  ...{ id, linkId: "link", linkTitle: "Spring", slug: "spring", shortUrl: "https://wm.test/spring" },
  ...{ destinationUrl: `https://example.com/${id}`, splitTarget: id, sources: [`split:${id}`] },
  ...{ clicks, converted, installs: 0, leads: converted, events: 0, warnings: [] },
});

describe("none is recommended", () => {
  test.each<[string, DestinationFigures[], string, string]>([
    ["without destinations", [], "No click led to any of the destinations that there are now", "none"],
    [
      "without clicks",
      [figures("a", 0, 0), figures("b", 0, 0)],
      "No click led to any of the destinations that there are now",
      "none",
    ],
    [
      "with one",
      [figures("a", 500, 50)],
      "All clicks led to one destination: there is nothing to compare it with",
      "thin",
    ],
    [
      "below 30 clicks",
      [figures("a", 500, 50), figures("b", 29, 20)],
      "Fewer than two destinations had the 30 clicks it takes to compare them",
      "thin",
    ],
    [
      "when nobody converted",
      [figures("a", 500, 0), figures("b", 500, 0)],
      "None of 1,000 clicks can be said to have led to an install, a lead or an event",
      "thin",
    ],
    [
      "when few did",
      [figures("a", 500, 1), figures("b", 500, 8)],
      "Only 9 clicks converted; it takes 10 to compare destinations",
      "thin",
    ],
    [
      "when two are alike",
      [figures("a", 500, 50), figures("b", 500, 50)],
      "None is ahead for certain: the first is the best with a probability of 50 %, short of 80 %",
      "enough",
    ],
  ])("%s", (_, given, reason, data) => {
    const found = bestDestination(given);
    expect([found.best, found.reason, found.data]).toEqual([null, reason, data as "thin"]);
    expect(found.candidates).toHaveLength(given.length);
  });
});

describe("one is recommended", () => {
  test("that converts better, however few clicks it has beside another", () => {
    const { best, candidates, reason, data } = bestDestination([figures("a", 5_000, 100), figures("b", 300, 30)]);
    expect(best).toMatchObject({
      id: "b",
      score: 100,
      confidence: "high",
      reasons: [expect.stringContaining("30 of 300 clicks converted"), expect.any(String)],
    });
    expect(best?.metrics).toMatchObject({ converted: 30, conversionRate: 0.1, probabilityBest: 1 });
    expect(candidates.map(({ id, score }) => [id, score])).toEqual([
      ["b", 100],
      ["a", 0],
    ]);
    expect([reason, data]).toEqual(["https://example.com/b converts best with a probability of 100 %", "enough"]);
  });

  test("and one with too few clicks is told of, not compared", () => {
    const { best, candidates } = bestDestination([
      figures("a", 1_000, 10),
      figures("b", 1_000, 60),
      figures("c", 5, 5),
    ]);
    expect(best?.id).toBe("b");
    expect(candidates.find(({ id }) => id === "c")).toMatchObject({
      score: 0,
      confidence: "low",
      warnings: ["Not compared: fewer than 30 clicks"],
    });
  });
});

const link: LeadingLink = {
  ...{ _id: "l", slug: "spring", shortUrl: "https://wm.test/spring", defaultUrl: "https://example.com/" },
  rules: [{ destinationUrl: "https://example.com/ios" }],
  splitTargets: [
    { key: "a", destinationUrl: "https://example.com/a" },
    { key: "b", destinationUrl: "https://example.com/" },
  ],
};
const STORE = "https://play.google.com/store/apps/details?id=com.acme";
const row = (destinationUrl: string, clicks: number, fields: Partial<RoutedClicks> = {}): RoutedClicks => ({
  ...{
    routeKind: "default",
    ruleIndex: null,
    splitKey: null,
    destinationUrl,
    clicks,
    converted: 0,
    leads: 0,
    events: 0,
  },
  ...fields,
});
const of = (rows: RoutedClicks[], totals = { installs: 0, events: 0 }) => destinationsOfLink(link, rows, totals);

describe("the destinations of a link", () => {
  test("are one for each URL, by where it stands", () => {
    const { figures } = of([
      row("https://example.com/", 5),
      row("https://example.com/", 7, { routeKind: "split", splitKey: "b" }),
      row("https://example.com/ios", 2, { routeKind: "rule", ruleIndex: 0 }),
      row(STORE, 3, { routeKind: "store" }),
    ]);
    expect(figures.map(({ id, clicks, sources, splitTarget }) => [id, clicks, sources, splitTarget])).toEqual([
      ["l:split:b", 12, ["split:b", "default"], "b"],
      ["l:rule:0", 2, ["rule:0"], null],
      ["l:store:play", 3, ["store"], null],
    ]);
  });

  test("have ids of their own, pages of several apps in one store as well", () => {
    const former = "https://play.google.com/store/apps/details?id=com.former";
    const { figures } = of([row(STORE, 3, { routeKind: "store" }), row(former, 9, { routeKind: "store" })]);
    expect(figures.map(({ id }) => id)).toEqual([`l:store:play:${STORE}`, `l:store:play:${former}`]);
  });

  test("leave out where the link no longer leads", () => {
    const { figures, former } = of([row("https://example.com/", 5), row("https://example.com/former", 8)]);
    expect([figures.length, former]).toEqual([1, 8]);
  });

  test("an only one has what names no click, each for a click, as far as there are clicks", () => {
    const { figures } = of([row("https://example.com/", 10, { converted: 2, leads: 2, events: 1 })], {
      installs: 3,
      events: 4,
    });
    expect(figures[0]).toMatchObject({ converted: 8, leads: 2, events: 4, installs: 3, warnings: [] });
    expect(of([row("https://example.com/", 2)], { installs: 0, events: 9 }).figures[0]).toMatchObject({
      converted: 2,
      events: 9,
    });
  });

  test("of several, an install belongs to the only store, an event to none unless it names its click", () => {
    const { figures } = of(
      [row("https://example.com/", 10), row(STORE, 10, { routeKind: "store", events: 1, converted: 1 })],
      { installs: 3, events: 4 },
    );
    expect(figures.map(({ installs, events, converted }) => [installs, events, converted])).toEqual([
      [0, 0, 0],
      [3, 1, 4],
    ]);
    for (const { warnings } of figures)
      expect(warnings).toEqual([expect.stringMatching(/^3 events of the link name no click/)]);
  });
});
