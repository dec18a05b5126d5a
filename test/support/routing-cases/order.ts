/** The order in which rules are evaluated, and what follows the rules. */
import type { RoutingRule } from "@/contract/routing";
import type { CaseDraft } from "./shape";

const rule = (name: string, rest: Partial<RoutingRule> = {}): RoutingRule => ({
  destinationUrl: `https://${name}.example.com/`,
  ...rest,
});
const toRule = (ruleIndex: number, name: string) =>
  ({ kind: "rule", ruleIndex, destinationUrl: `https://${name}.example.com/` }) as const;

const ios = { conditions: { platform: ["ios" as const] } };
const german = { conditions: { countries: ["DE"] } };

export const orderCases: CaseDraft[] = [
  { name: "without rules the default is left", link: {}, expect: {} },
  {
    name: "no rule that holds leaves the default",
    link: { rules: [rule("a", ios), rule("b", german)] },
    visitor: { platform: "desktop", country: "FR" },
    expect: {},
  },
  { name: "the first rule that holds wins", link: { rules: [rule("a"), rule("b")] }, expect: toRule(0, "a") },
  {
    name: "the first rule is passed over when it fails",
    link: { rules: [rule("a", ios), rule("b")] },
    visitor: { agent: "pixel8" },
    expect: toRule(1, "b"),
  },
  {
    name: "a lower priority goes first",
    link: { rules: [rule("a", { priority: 20 }), rule("b", { priority: 10 })] },
    expect: toRule(1, "b"),
  },
  {
    name: "a negative priority goes before none",
    link: { rules: [rule("a"), rule("b", { priority: -1 })] },
    expect: toRule(1, "b"),
  },
  {
    name: "an absent priority is 0 and goes before 1",
    link: { rules: [rule("a", { priority: 1 }), rule("b")] },
    expect: toRule(1, "b"),
  },
  {
    name: "an absent priority ties with 0",
    link: { rules: [rule("a"), rule("b", { priority: 0 })] },
    expect: toRule(0, "a"),
  },
  {
    name: "ties keep the order of the list",
    link: { rules: [rule("a", { priority: 5 }), rule("b", { priority: 5 }), rule("c", { priority: 5 })] },
    expect: toRule(0, "a"),
  },
  {
    name: "ties keep the order of the list behind a lower priority that fails",
    link: { rules: [rule("a", { priority: 5 }), rule("b", { priority: 5 }), rule("c", { priority: 1, ...ios })] },
    visitor: { agent: "windowsChrome" },
    expect: toRule(0, "a"),
  },
  {
    name: "the rule's index is its place in the list, not in the order",
    link: {
      rules: [
        rule("a", { priority: 3, ...ios }),
        rule("b", { priority: 2, ...ios }),
        rule("c", { priority: 1, ...ios }),
      ],
    },
    visitor: { agent: "iphoneSafari" },
    expect: toRule(2, "c"),
  },
  {
    name: "numbers order by value, not by text",
    link: { rules: [rule("a", { priority: 10 }), rule("b", { priority: 9 })] },
    expect: toRule(1, "b"),
  },
  {
    name: "a narrow rule before a wide one wins where it holds",
    link: {
      rules: [
        rule("wide", { priority: 2, ...ios }),
        rule("narrow", { priority: 1, conditions: { platform: ["ios"], minOsVersion: "17" } }),
      ],
    },
    visitor: { agent: "iphoneSafari" },
    expect: toRule(1, "narrow"),
  },
  {
    name: "a narrow rule before a wide one leaves it the rest",
    link: {
      rules: [
        rule("wide", { priority: 2, ...ios }),
        rule("narrow", { priority: 1, conditions: { platform: ["ios"], minOsVersion: "17" } }),
      ],
    },
    visitor: { agent: "iphone16" },
    expect: toRule(0, "wide"),
  },
  {
    name: "a rule goes before the split",
    link: { rules: [rule("a", ios)], splitTargets: [{ key: "s", destinationUrl: "https://s.example.com/" }] },
    visitor: { agent: "iphoneSafari" },
    expect: toRule(0, "a"),
  },
  {
    name: "the split goes before the default",
    link: { rules: [rule("a", ios)], splitTargets: [{ key: "s", destinationUrl: "https://s.example.com/" }] },
    visitor: { agent: "macSafari" },
    expect: { kind: "split", splitKey: "s", destinationUrl: "https://s.example.com/" },
  },
  {
    name: "a rule by country behind one by language",
    link: { rules: [rule("a", { conditions: { languages: ["fr"] } }), rule("b", german)] },
    visitor: { country: "DE", acceptLanguage: "de" },
    expect: toRule(1, "b"),
  },
  {
    name: "fifty rules are asked to the last",
    link: {
      rules: Array.from({ length: 50 }, (_, index) =>
        rule(`r${index}`, { priority: index, conditions: { cities: [`City ${index}`] } }),
      ),
    },
    visitor: { city: "City 49" },
    expect: toRule(49, "r49"),
  },
];
