/** Which destination is recommended and when, and what is reported if none is. */
import { describe, expect, test } from "bun:test";
import { drawArms } from "@test/support/statistics/arms";
import { seeded } from "@test/support/statistics/random";
import { bestDestination } from "@/core/insights/best-destination";
import {
  type ComparedLink,
  type DestinationFigures,
  destinationsOfLink,
  type RoutedClicks,
} from "@/core/insights/destination-figures";
import { testSplit } from "@/core/insights/split-test";

const figures = (id: string, visitors: number, converted: number, linkId = "link"): DestinationFigures => ({
  ...{ id, linkId, linkTitle: "Spring", slug: "spring", shortUrl: "https://wm.test/spring" },
  ...{ destinationUrl: `https://example.com/${id}`, splitTarget: id, sources: [`split:${id}`] },
  ...{ clicks: visitors, converted, installs: 0, leads: converted, events: 0, hasEarlier: false, warnings: [] },
  randomizedDays: visitors === 0 ? [] : [{ day: 0, visitors, converted }],
});
const ofRule = (each: DestinationFigures): DestinationFigures => ({ ...each, sources: ["rule:0"], randomizedDays: [] });

describe("no destination is recommended", () => {
  test.each<[string, DestinationFigures[], string | RegExp, string]>([
    ["without destinations", [], "No click led to any of the current destinations", "none"],
    [
      "without clicks",
      [figures("a", 0, 0), figures("b", 0, 0)],
      "No click led to any of the current destinations",
      "none",
    ],
    [
      "with one",
      [figures("a", 500, 50)],
      "All clicks led to one destination: there is nothing to compare it with",
      "thin",
    ],
    [
      "to whoever a rule chose, however well they convert",
      [ofRule(figures("a", 500, 400)), figures("b", 500, 5)],
      /^No link has split targets with randomly assigned visitors/,
      "thin",
    ],
    [
      "of targets of different links",
      [figures("a", 500, 400), figures("b", 500, 5, "other")],
      /^No link has split targets with randomly assigned visitors/,
      "thin",
    ],
    [
      "below 30 visitors",
      [figures("a", 500, 50), figures("b", 29, 20)],
      "Fewer than two targets of a link had the 30 visitors needed to compare them",
      "thin",
    ],
    [
      "when nobody converted",
      [figures("a", 500, 0), figures("b", 500, 0)],
      "No visitor of the split targets is known to have left a lead or caused an event",
      "thin",
    ],
    [
      "when few did",
      [figures("a", 500, 1), figures("b", 500, 8)],
      "Only 9 visitors converted; comparing a link's targets takes 10",
      "thin",
    ],
    [
      "when two are alike, of which little is known",
      [figures("a", 500, 50), figures("b", 500, 50)],
      /^No best destination is proven yet: of `a` and `b` of `Spring`, the first converts 1 times \(0\.\d+ to 1\.\d+\) as often/,
      "enough",
    ],
    [
      "when two are alike, of which much is known: that is a tie",
      [figures("a", 500_000, 50_000), figures("b", 500_000, 50_000)],
      /^`a` and `b` of `Spring` convert alike: 1 times \(0\.9\d to 1\.0\d\) as often, so it hardly matters which one you keep$/,
      "enough",
    ],
  ])("%s", (_, given, reason, data) => {
    const found = bestDestination(given);
    expect([found.best, found.data]).toEqual([null, data as "thin"]);
    expect(found.reason).toMatch(reason);
    expect(found.candidates).toHaveLength(given.length);
    expect(found.candidates.every(({ confidence }) => confidence === "low")).toBe(true);
  });
});

test("a target that another has beaten does not lead because a new one has only been there for a day", () => {
  const daily = (id: string, days: readonly [visitors: number, converted: number][]): DestinationFigures => ({
    ...figures(id, 0, 0),
    clicks: 3_000,
    randomizedDays: days.map(([visitors, converted], day) => ({ day, visitors, converted })),
  });
  const month = (converted: number) => Array.from({ length: 30 }, (): [number, number] => [100, converted]);
  const [a, b] = [daily("a", [...month(20), [40, 4]]), daily("b", [...month(10), [40, 8]])];
  expect(bestDestination([a, b]).best?.id).toBe("a");
  const { best, candidates, reason } = bestDestination([a, b, daily("c", [...month(0).fill([0, 0]), [40, 5]])]);
  expect(best).toBeNull();
  expect(reason).toMatch(/^No best destination is proven yet: of `c` and `a` of `Spring`/);
  expect(candidates.map(({ id }) => id)).toEqual(["c", "a", "b"]);
  expect(candidates.at(-1)?.score).toBe(0);
});

describe("a destination is recommended", () => {
  test("that converts better, even with far fewer visitors, but never with full certainty", () => {
    const { best, candidates, reason, data } = bestDestination([figures("a", 5_000, 100), figures("b", 300, 30)]);
    expect(best).toMatchObject({
      id: "b",
      score: 99,
      confidence: "high",
      reasons: [
        expect.stringContaining("30 of 300 clicks converted"),
        "Of 300 visitors assigned at random, 30 converted (10%); the best of its link with a probability of over 99.9%",
        expect.stringMatching(/^Converts 5 times \(1\.79 to 11\.91\) as often as `a`, .* 20 to 1 proves it/),
      ],
    });
    expect(best?.metrics).toMatchObject({ converted: 30, conversionRate: 0.1, probabilityBest: 0.9999, needed: 20 });
    expect(candidates.map(({ id, score }) => [id, score])).toEqual([
      ["b", 99],
      ["a", 0],
    ]);
    expect(reason).toStartWith("`b` of `Spring` converts best: 10% of its visitors, and 5 times (");
    expect(data).toBe("enough");
  });

  test("while others with too few visitors or selected by a rule are listed but not compared", () => {
    const { best, candidates } = bestDestination([
      figures("a", 1_000, 10),
      figures("b", 1_000, 60),
      figures("c", 5, 5),
      ofRule(figures("d", 900, 800)),
    ]);
    expect(best?.id).toBe("b");
    expect(candidates.find(({ id }) => id === "c")).toMatchObject({
      ...{ score: 0, confidence: "low" },
      warnings: ["Not compared: this takes two targets of a link with 30 visitors each, 10 of whom converted"],
    });
    expect(candidates.find(({ id }) => id === "d")).toMatchObject({
      metrics: { compared: false, probabilityBest: null },
      warnings: ["Not compared: a rule selected its visitors, so its visitors differ by more than chance"],
    });
  });
});

describe("the test of a split", () => {
  test("agrees with an integral calculated by hand for one day", () => {
    // 6 of 100 against 2 of 100, at the ratios of the grid.
    const { evidence, ratio } = testSplit(
      [{ day: 0, visitors: 100, converted: 6 }],
      [{ day: 0, visitors: 100, converted: 2 }],
      0.05,
    );
    const grid = Array.from({ length: 81 }, (_, index) => (index - 40) / 20);
    const weight = (x: number) => Math.exp((-x * x) / 0.32);
    const likelihood = (x: number) => (Math.exp(x) / (1 + Math.exp(x))) ** 6 * (1 / (1 + Math.exp(x))) ** 2 * 2 ** 8;
    const sum = (of: (x: number) => number) => grid.reduce((total, x) => total + of(x), 0);
    expect(evidence).toBeCloseTo(sum((x) => weight(x) * likelihood(x)) / sum(weight), 6);
    expect(ratio).toBeCloseTo(3, 3);
  });

  test("uses only days on which both targets had visitors", () => {
    const first = [0, 1, 2].map((day) => ({ day, visitors: 50, converted: day === 2 ? 5 : 40 }));
    const second = [{ day: 2, visitors: 50, converted: 5 }];
    expect(testSplit(first, second, 0.05)).toEqual(testSplit(first.slice(2), second, 0.05));
  });

  test("rarely finds a winner among equals that are tested daily, and always finds a clearly better target", () => {
    const winners = (count: number, better: number) => {
      const random = seeded(11);
      return Array.from({ length: count }, () =>
        drawArms(random, { arms: 2, visitors: 200, rate: 0.05, better }),
      ).filter((days) => days.some((arms) => bestDestination(arms).best !== null)).length;
    };
    expect(winners(60, 1)).toBeLessThanOrEqual(3);
    expect(winners(15, 2)).toBe(15);
  });

  test("rarely finds one either, for four months, in a range that moves along, and still finds a better target", () => {
    const winners = (count: number, better: number) => {
      const random = seeded(7);
      const shape = { arms: 2, visitors: 200, rate: 0.3, better, days: 120, rangeDays: 2 };
      return Array.from({ length: count }, () => drawArms(random, shape)).filter((days) =>
        days.some((arms) => bestDestination(arms).best !== null),
      ).length;
    };
    expect(winners(12, 1)).toBeLessThanOrEqual(1);
    expect(winners(3, 1.5)).toBe(3);
  });
});

test("with earlier visitors outside the range, a winner needs more evidence, and what the interval holds for is said", () => {
  const targets = [figures("a", 1_000, 100), figures("b", 1_000, 150)];
  const [inside] = bestDestination(targets).candidates;
  const [outside] = bestDestination(targets.map((each) => ({ ...each, hasEarlier: true }))).candidates;
  expect(inside).toMatchObject({ confidence: "high", metrics: { needed: 20 } });
  expect(inside?.reasons.at(-1)).toMatch(/valid however often you look\. .* 20 to 1 proves it/);
  expect(outside).toMatchObject({ confidence: "medium", metrics: { needed: 100 } });
  expect(outside?.reasons.at(-1)).toMatch(/valid for 120 daily looks although earlier visitors .* 100 to 1 proves it/);
});

const link: ComparedLink = {
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
    ...{ day: 0, visitors: clicks, visitorsConverted: 0 },
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
  test("are called by the labels of their targets, with the keys, as two may have the same label", () => {
    const splitTargets = ["a", "b"].map((key) => ({
      key,
      label: "Form",
      destinationUrl: `https://example.com/${key}`,
    }));
    const rows = splitTargets.map(({ key, destinationUrl }) =>
      row(destinationUrl, 300, { ...{ routeKind: "split", splitKey: key }, visitorsConverted: key === "a" ? 60 : 6 }),
    );
    const { best, reason } = bestDestination(
      destinationsOfLink({ ...link, splitTargets }, rows, { installs: 0, events: 0 }).figures,
    );
    expect(best).toMatchObject({ splitTarget: "a", splitLabel: "Form" });
    expect(reason).toMatch(/^`Form \(a\)` of `spring` converts best: .* as often as the next, `Form \(b\)`$/);
  });

  test("are one per URL, identified by where the link has it", () => {
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

  test("have different ids, even for pages of several apps in one store", () => {
    const former = "https://play.google.com/store/apps/details?id=com.former";
    const { figures } = of([row(STORE, 3, { routeKind: "store" }), row(former, 9, { routeKind: "store" })]);
    expect(figures.map(({ id }) => id)).toEqual([`l:store:play:${STORE}`, `l:store:play:${former}`]);
  });

  test("count visitors as assigned at random only for targets that a visitor may still get", () => {
    const weights = [undefined, 3, 0].map((weight, place) => ({
      key: `${place}`,
      destinationUrl: `https://${place}.test/`,
      weight,
    }));
    const splitTargets = [...weights, { key: "off", destinationUrl: "https://off.test/", weight: 3, isActive: false }];
    const rows = splitTargets.map(({ key, destinationUrl }) =>
      row(destinationUrl, 40, { routeKind: "split", splitKey: key }),
    );
    const { figures } = destinationsOfLink({ ...link, splitTargets }, rows, { installs: 0, events: 0 });
    expect(
      figures.map(({ splitTarget, clicks, randomizedDays }) => [splitTarget, clicks, randomizedDays.length]),
    ).toEqual([
      ["0", 40, 1],
      ["1", 40, 1],
      ["2", 40, 0],
      ["off", 40, 0],
    ]);
  });

  test("leave out URLs the link no longer leads to", () => {
    const { figures, former } = of([row("https://example.com/", 5), row("https://example.com/former", 8)]);
    expect([figures.length, former]).toEqual([1, 8]);
  });

  test("if there is only one: conversions without a click count for it, up to its clicks", () => {
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

  test("if there are several: installs count for the only store, and events only where they name their click", () => {
    const { figures } = of(
      [row("https://example.com/", 10), row(STORE, 10, { routeKind: "store", events: 1, converted: 1 })],
      { installs: 3, events: 4 },
    );
    expect(figures.map(({ installs, events, converted }) => [installs, events, converted])).toEqual([
      [0, 0, 0],
      [3, 1, 4],
    ]);
    for (const { warnings } of figures)
      expect(warnings).toEqual([expect.stringMatching(/^3 events of the link name none of these clicks/)]);
  });
});
