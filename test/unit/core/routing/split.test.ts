import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { SplitTarget } from "@/contract/routing";
import { candidate, choose } from "@/core/routing/split";

const target = (key: string, weight?: number): SplitTarget => ({ key, destinationUrl: "https://example.com/", weight });
const candidatesOf = (linkId: string, targets: SplitTarget[]) =>
  targets.map((each) => candidate(linkId, each, each.key));
const chosen = (linkId: string, targets: SplitTarget[], visitor: string) =>
  choose(candidatesOf(linkId, targets), { visitorKey: () => visitor });

const targetList = fc.uniqueArray(
  fc.record({ key: fc.string({ minLength: 1 }), weight: fc.integer({ min: 1, max: 1_000 }) }),
  { selector: ({ key }) => key, minLength: 2, maxLength: 8 },
);
const targetsArbitrary = targetList.map((list) => list.map(({ key, weight }) => target(key, weight)));

describe("a visitor", () => {
  test("always gets the same target, in any order of the targets", () => {
    fc.assert(
      fc.property(fc.uuid(), targetsArbitrary, fc.string(), (linkId, targets, visitor) => {
        const first = chosen(linkId, targets, visitor);
        expect(chosen(linkId, targets, visitor)).toBe(first);
        expect(chosen(linkId, targets.toReversed(), visitor)).toBe(first);
      }),
    );
  });

  test("moves only when its own target is removed", () => {
    fc.assert(
      fc.property(fc.uuid(), targetsArbitrary, fc.string(), fc.nat(), (linkId, targets, visitor, at) => {
        const removed = targets[at % targets.length];
        const first = chosen(linkId, targets, visitor);
        const then = chosen(
          linkId,
          targets.filter((each) => each !== removed),
          visitor,
        );
        if (first === removed?.key) expect(then).not.toBe(first);
        else expect(then).toBe(first);
      }),
    );
  });

  test("moves only to an added target", () => {
    fc.assert(
      fc.property(fc.uuid(), targetsArbitrary, fc.string(), (linkId, targets, visitor) => {
        const added = target("the new one", 500);
        expect([chosen(linkId, targets, visitor), added.key]).toContain(chosen(linkId, [...targets, added], visitor));
      }),
    );
  });

  test("moves only to a target whose weight grows", () => {
    fc.assert(
      fc.property(fc.uuid(), targetsArbitrary, fc.string(), (linkId, targets, visitor) => {
        const grown = targets.map((each, at) => (at === 0 ? target(each.key, (each.weight ?? 1) * 2) : each));
        expect([chosen(linkId, targets, visitor), targets[0]?.key]).toContain(chosen(linkId, grown, visitor));
      }),
    );
  });

  test("is not identified if there is nothing to choose", () => {
    const visitorKey = () => {
      throw new Error("asked");
    };
    expect(choose(candidatesOf("link", [target("a")]), { visitorKey })).toBe("a");
    expect(choose(candidatesOf("link", []), { visitorKey })).toBeUndefined();
  });
});

describe("shares follow weights", () => {
  /** Limit of Pearson's statistic: with four degrees of freedom, chance exceeds 20 once in 2,000 runs. */
  const LIMIT = 20;
  const VISITORS = 20_000;
  const weights = [5, 3, 1, 1, 10];
  const targets = weights.map((weight, at) => target(`target ${at}`, weight));

  const deviation = (count: (key: string) => number) =>
    weights.reduce((sum, weight, at) => {
      const expected = (VISITORS * weight) / 20;
      return sum + (count(`target ${at}`) - expected) ** 2 / expected;
    }, 0);

  test.each([
    ["numbers", String],
    ["names", (at: number) => `visitor-${at}`],
    ["keys", (at: number) => at.toString(16).padStart(16, "0")],
  ])("for visitors that are %s", (_, visitorOf) => {
    const got = Array.from({ length: VISITORS }, (_, at) => chosen("link", targets, visitorOf(at)));
    expect(deviation((key) => got.filter((each) => each === key).length)).toBeLessThan(LIMIT);
  });

  test("for draws", () => {
    const candidates = candidatesOf("link", targets);
    const got = Array.from({ length: VISITORS }, (_, at) => choose(candidates, { draw: () => at / VISITORS }));
    expect(deviation((key) => got.filter((each) => each === key).length)).toBeLessThan(1);
  });

  test("on two links, independently for each visitor", () => {
    const halves = [target("a"), target("b")];
    const visitors = Array.from({ length: VISITORS }, (_, at) => `visitor-${at}`);
    const same = visitors.filter((each) => chosen("one", halves, each) === chosen("two", halves, each)).length;
    expect(same / VISITORS).toBeWithin(0.48, 0.52);
  });

  test("down to one in a million", () => {
    const rare = [target("a", 1), target("b", 999_999)];
    const got = Array.from({ length: VISITORS }, (_, at) => chosen("link", rare, `visitor-${at}`));
    expect(got.filter((key) => key === "a").length).toBeLessThan(3);
  });
});

describe("a draw", () => {
  const halves = candidatesOf("link", [target("a"), target("b", 3)]);

  test.each([
    [0, "a"],
    [0.2499, "a"],
    [0.25, "b"],
    [0.9999999999999999, "b"],
  ])("of %d selects %s", (draw, key) => {
    expect(choose(halves, { draw: () => draw })).toBe(key);
  });
});
