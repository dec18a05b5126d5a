import { expect, test } from "bun:test";
import fc from "fast-check";
import type { RoutingRule } from "@/contract/routing";
import { keepNumbers, numberAt, positionOf, withNumbers } from "@/core/rules/rule-numbers";

const rule = (destination: string, country?: string): RoutingRule => ({
  destinationUrl: `https://example.com/${destination}`,
  ...(country !== undefined && { conditions: { countries: [country] } }),
});

test("a rule without a number has its position as its number", () => {
  const rules = [rule("a"), { ...rule("b"), number: 7 }, rule("c")];
  expect(withNumbers(rules).map(({ number }) => number)).toEqual([0, 7, 2]);
  expect([0, 7, 2, 1].map((number) => positionOf(rules, number))).toEqual([0, 1, 2, -1]);
});

test.each<[why: string, sent: RoutingRule[], standing: RoutingRule[], expected: number[]]>([
  ["equal rules, in another order", [rule("b"), rule("a")], [rule("a"), rule("b")], [1, 0]],
  ["the order of fields", [{ conditions: {}, ...rule("a") }], [rule("x"), rule("a")], [1]],
  ["equal conditions", [rule("x", "DE")], [rule("a", "FR"), rule("b", "DE")], [1]],
  ["an equal destination", [rule("b", "AT")], [rule("a", "FR"), rule("b", "DE")], [1]],
  [
    "the whole rule before its conditions",
    [rule("x", "DE"), rule("a", "DE")],
    [rule("a", "DE"), rule("b", "DE")],
    [1, 0],
  ],
  ["conditions before the destination", [rule("a", "DE")], [rule("a", "FR"), rule("b", "DE")], [1]],
  ["what it is sent with before all of that", [{ ...rule("a"), number: 1 }], [rule("a"), rule("b")], [1]],
  ["nothing, and is new", [rule("x", "US")], [rule("a", "FR"), rule("b", "DE")], [9]],
  ["nothing twice", [rule("a"), rule("a"), rule("a")], [rule("a"), rule("a")], [0, 1, 9]],
  ["a number that it had before it was deleted", [{ ...rule("z", "US"), number: 5 }], [rule("a", "FR")], [5]],
  ["not a number that the link never had", [{ ...rule("z", "US"), number: 9 }], [rule("a", "FR")], [9]],
])("a rule is recognized by %s", (_, sent, standing, expected) => {
  const { rules } = keepNumbers(sent, standing, 9);
  expect(rules.map((_, index) => numberAt(rules, index))).toEqual(expected);
});

const rules = fc.array(
  fc.record({
    destinationUrl: fc.constantFrom("a", "b", "c"),
    conditions: fc.option(fc.record({ countries: fc.subarray(["DE", "FR"]) }), { nil: undefined }),
    number: fc.option(fc.nat(12), { nil: undefined }),
  }),
  { maxLength: 6 },
);

test("after any changes, numbers are distinct, and no new one was used before", () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 8 }), (changes) => {
      let [standing, next]: [RoutingRule[], number] = [[], 0];
      for (const sent of changes) {
        const kept = keepNumbers(sent, standing, next);
        const numbers = kept.rules.map((_, index) => numberAt(kept.rules, index));
        expect(new Set(numbers).size).toBe(sent.length);
        expect(Math.max(-1, ...numbers)).toBeLessThan(kept.nextRuleNumber);
        const again = keepNumbers(kept.rules, kept.rules, kept.nextRuleNumber);
        expect(again).toEqual(kept);
        const shown = keepNumbers(withNumbers(kept.rules), kept.rules, kept.nextRuleNumber);
        expect(shown).toEqual(kept);
        [standing, next] = [kept.rules, kept.nextRuleNumber];
      }
    }),
  );
});
