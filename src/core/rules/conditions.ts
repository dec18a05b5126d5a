/**
 * Each condition is one predicate. A preview's trace uses the same objects as a redirect, so the two cannot disagree.
 * All work that depends on the rule alone is done when the condition is created.
 */
import { NAME_FACT_NAMES, NAME_FACTS, type NameCondition, type NameFact } from "@/contract/facts";
import type { RuleConditions } from "@/contract/routing";
import { foldName } from "../names/fold";
import { NEEDS, type VisitorFacts } from "../routing/facts";
import { compareVersions, OR_LATER } from "../version";
import { REQUEST_CONDITIONS } from "./request";
import { TIME_CONDITIONS } from "./time";

export interface Condition {
  field: keyof RuleConditions;
  expected: unknown;
  /** Bits of `NEEDS`. */
  needs: number;
  test(facts: VisitorFacts): boolean;
  /** Returns the fact that the test checks; undefined if it is unknown. */
  actual(facts: VisitorFacts): unknown;
}

type MakeCondition = (rule: RuleConditions) => Condition | null;

/** Conditions on names whose facts come from `needs`. */
const namesBy = (needs: "userAgent" | "geography"): MakeCondition[] =>
  NAME_FACT_NAMES.filter((fact) => NAME_FACTS[fact].needs === needs).map(
    (fact) => (rule) => nameCondition(NAME_FACTS[fact].condition, rule, fact, NEEDS[needs]),
  );

/** All conditions that are not on names. A missing one is a compile error. */
const OTHERS: Record<Exclude<keyof RuleConditions, NameCondition>, MakeCondition> = {
  platform: ({ platform }) => platformCondition(platform),
  ...REQUEST_CONDITIONS,
  ...TIME_CONDITIONS,
  minOsVersion: ({ minOsVersion }) => versionCondition("minOsVersion", minOsVersion, isAtLeast),
  maxOsVersion: ({ maxOsVersion }) => versionCondition("maxOsVersion", maxOsVersion, isAtMost),
  languages: ({ languages }) => languageCondition(languages),
};

/** Cheap conditions come first. An empty list constrains nothing and makes no condition. */
const MAKERS = [...Object.values(OTHERS), ...namesBy("userAgent"), ...namesBy("geography")];

export function conditionsOf(rule: RuleConditions): Condition[] {
  return MAKERS.map((make) => make(rule)).filter((condition) => condition !== null);
}

function platformCondition(expected: RuleConditions["platform"]): Condition | null {
  if (!expected?.length) return null;
  return {
    field: "platform",
    expected,
    needs: NEEDS.userAgent,
    test: ({ platform }) => platform !== undefined && expected.includes(platform),
    actual: ({ platform }) => platform,
  };
}

function nameCondition(field: NameCondition, rule: RuleConditions, fact: NameFact, needs: number): Condition | null {
  const expected = rule[field];
  if (!expected?.length) return null;
  const names = new Set(expected.map(foldName));
  return {
    field,
    expected,
    needs,
    test: (facts) => {
      const name = facts[fact];
      return name !== undefined && name !== "" && names.has(foldName(name));
    },
    actual: (facts) => facts[fact] || undefined,
  };
}

function versionCondition(
  field: "minOsVersion" | "maxOsVersion",
  bound: string | undefined,
  accepts: (version: string, bound: string) => boolean,
): Condition | null {
  if (bound === undefined) return null;
  return {
    field,
    expected: bound,
    needs: NEEDS.userAgent,
    test: ({ osVersion }) => osVersion !== undefined && accepts(osVersion, bound),
    actual: ({ osVersion }) => osVersion || undefined,
  };
}

const isAtLeast = (version: string, bound: string): boolean => (compareVersions(version, bound) ?? -1) >= 0;

/** What is only known to be some version or a later one (`10+`) may be later than any. */
const isAtMost = (version: string, bound: string): boolean =>
  (compareVersions(version, bound) ?? 1) <= 0 && !version.endsWith(OR_LATER);

/** `en` matches every English; a tag with a region or script matches only itself. */
function languageCondition(expected: string[] | undefined): Condition | null {
  if (!expected?.length) return null;
  const tags = new Set(expected.map(languageKey));
  return {
    field: "languages",
    expected,
    needs: NEEDS.languages,
    test: ({ languages }) =>
      languages.some((language) => {
        const tag = languageKey(language);
        return tags.has(tag) || tags.has(primaryLanguage(tag));
      }),
    actual: ({ languages }) => (languages.length > 0 ? languages : undefined),
  };
}

export const languageKey = (tag: string) => tag.replaceAll("_", "-").toLowerCase();

export function primaryLanguage(tag: string): string {
  const end = tag.indexOf("-");
  return end === -1 ? tag : tag.slice(0, end);
}
