import { describe, expect, test } from "bun:test";
import { definitionOf, factsOf, pickOf, type RoutingCase, routingCases } from "@test/support/routing-cases";
import fc from "fast-check";
import { NAME_FACT_NAMES, nameFact } from "@/contract/facts";
import { PLATFORMS } from "@/contract/platforms";
import type { RuleConditions } from "@/contract/routing";
import { compileLink } from "@/core/routing/compiled-link";
import { overrideFacts, UNKNOWN_VISITOR_FACTS, type VisitorFacts } from "@/core/routing/facts";
import { compileRules, matchesRule } from "@/core/rules/compile";
import { agentMarks, languageMarks, markRules, nextCandidate, placeMarks, statedMarks } from "@/core/rules/marks";

const marksOf = (facts: VisitorFacts) => ({
  agent: agentMarks(facts),
  place: placeMarks(facts),
  languages: languageMarks(facts.languages),
});

const table = routingCases.map((routing): [string, RoutingCase] => [routing.name, routing]);

describe("marks do not change the route", () => {
  test.each(table)("%s", (_, routing) => {
    const link = compileLink(definitionOf(routing));
    const facts = factsOf(routing);
    expect(link.route(facts, pickOf(routing), marksOf(facts))).toBe(link.route(facts, pickOf(routing)));
  });
});

const name = fc.constantFrom(
  "DE",
  "de",
  "NZ",
  "Straße",
  "STRASSE",
  "Σίγμας",
  "σίγμασ",
  "Quest 3",
  "東京",
  "É",
  "E\u0301",
);
const language = fc.constantFrom("en", "en-GB", "EN_gb", "de-CH", "zh-Hant-TW", "zh", "pt-br");
const platform = fc.constantFrom(...PLATFORMS);
const several = <Value>(value: fc.Arbitrary<Value>) => fc.option(fc.array(value, { maxLength: 3 }), { nil: undefined });

const conditions = fc.record<RuleConditions>({
  ...Object.fromEntries(NAME_FACT_NAMES.map((fact) => [nameFact(fact).condition, several(name)])),
  platform: several(platform),
  languages: several(language),
});
const facts = fc
  .record({
    ...Object.fromEntries(
      NAME_FACT_NAMES.map((fact) => [fact, fc.option(fc.oneof(name, fc.constant("")), { nil: undefined })]),
    ),
    platform: fc.option(platform, { nil: undefined }),
    languages: fc.array(language, { maxLength: 3 }),
  })
  .map((known): VisitorFacts => ({ ...UNKNOWN_VISITOR_FACTS, ...known }));

const compiled = (each: RuleConditions) => compileRules([{ destinationUrl: "https://example.com/", conditions: each }]);

test("a matching rule is never skipped", () => {
  fc.assert(
    fc.property(fc.array(conditions, { minLength: 1, maxLength: 4 }), facts, (rules, visitor) => {
      const marked = markRules(rules);
      for (const [place, each] of rules.entries()) {
        const isHeld = compiled(each).every((rule) => matchesRule(rule, visitor));
        if (isHeld) expect(nextCandidate(marked, place, marksOf(visitor))).toBe(place);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("marks of stated facts replace those of known facts", () => {
  fc.assert(
    fc.property(facts, facts, (visitor, stated) => {
      expect(statedMarks(marksOf(visitor), stated)).toEqual(marksOf(overrideFacts(visitor, stated)));
    }),
  );
});

describe("a visit skips", () => {
  const visitor: VisitorFacts = {
    ...UNKNOWN_VISITOR_FACTS,
    platform: "android",
    deviceType: "mobile",
    country: "DE",
    languages: ["de-DE"],
  };
  test.each<[string, RuleConditions]>([
    ["another platform", { platform: ["ios"] }],
    ["another country", { countries: ["NZ"] }],
    ["another kind of device", { deviceTypes: ["desktop"] }],
    ["another language", { languages: ["fr"] }],
  ])("a rule for %s", (_, rule) => {
    expect(nextCandidate(markRules([rule, {}]), 0, marksOf(visitor))).toBe(1);
    expect(nextCandidate(markRules([rule]), 0, marksOf(visitor))).toBe(-1);
  });
});
