/**
 * Translates Shlink's redirect rules into ours. A rule holds if all its conditions do. A rule that we cannot express
 * is left out and reported.
 */
import { LINK_LIMITS } from "@/contract/links/links";
import type { RoutingRule, RuleConditions } from "@/contract/routing";
import { countryFault } from "@/core/codes/countries";
import { languageFault } from "@/core/codes/languages";
import { parseNetwork } from "@/core/networks";
import { isOwnParameter } from "@/core/query";
import { isoOf, isUsableUrl, TOO_MANY_RULES } from "../fitting";
import type { DroppedField } from "../old-link";
import type { SourceRecord } from "../record";
import type { AskedRule } from "../visitors/question";
import type { CheckedVisitor } from "../visitors/visitor";
import { browserNames, shlinkQuestion } from "./shlink-conditions";

const NAME_MAX = 100;
const VALUE_MAX = 255;

/** Returns undefined for a condition without a counterpart. */
type Translate = (condition: SourceRecord) => RuleConditions | undefined;

/** Shlink's `mobile` includes tablets. */
const DEVICES: Readonly<Record<string, RuleConditions>> = {
  android: { platform: ["android"] },
  ios: { platform: ["ios"] },
  desktop: { platform: ["desktop"] },
  mobile: { platform: ["ios", "android"] },
};

const CONDITIONS: Readonly<Record<string, Translate>> = {
  device: (condition) => DEVICES[condition.text("matchValue") ?? ""],
  language(condition) {
    const language = condition.text("matchValue");
    return language && !languageFault(language) ? { languages: [language] } : undefined;
  },
  "geolocation-country-code"(condition) {
    const country = condition.text("matchValue")?.toUpperCase();
    return country && !countryFault(country) ? { countries: [country] } : undefined;
  },
  "geolocation-city-name": (condition) => namesOf(condition, (cities) => ({ cities })),
  browser(condition) {
    const browsers = browserNames(condition.text("matchValue") ?? "");
    return browsers && { browsers: [...browsers] };
  },
  "ip-address"(condition) {
    const network = networkOf(condition.text("matchValue") ?? "");
    return parseNetwork(network) ? { addresses: [network] } : undefined;
  },
  "query-param"(condition) {
    const [name, value] = [parameterOf(condition), condition.exactText("matchValue")];
    return name && value && value.length <= VALUE_MAX ? { query: [{ name, values: [value] }] } : undefined;
  },
  "any-value-query-param"(condition) {
    const name = parameterOf(condition);
    return name ? { query: [{ name }] } : undefined;
  },
  "before-date": (condition) => instantOf(condition, (before) => ({ before })),
  "after-date": (condition) => instantOf(condition, (after) => ({ after })),
};

export function shlinkRules(record: SourceRecord, dropped: DroppedField[]): RoutingRule[] {
  const rules = record.records("redirectRules").flatMap((rule, index) => {
    const destinationUrl = rule.text("longUrl");
    const conditions = conditionsOf(rule);
    if (destinationUrl && typeof conditions === "object") {
      if (!isUsableUrl(`redirectRules[${index}]`, destinationUrl, dropped)) return [];
      return [{ priority: rule.count("priority") ?? index + 1, destinationUrl, conditions }];
    }
    const why = typeof conditions === "string" ? conditions : "it has no destination";
    dropped.push({ field: `redirectRules[${index}]`, why: `left out: ${why}` });
    return [];
  });
  if (rules.length <= LINK_LIMITS.rulesMax) return rules;
  dropped.push({ field: "redirectRules", why: TOO_MANY_RULES });
  return rules.toSorted((one, other) => one.priority - other.priority).slice(0, LINK_LIMITS.rulesMax);
}

/** Combines all conditions of a rule into one object, or returns why that is not possible. */
function conditionsOf(rule: SourceRecord): RuleConditions | string {
  const all: RuleConditions = {};
  const conditions = rule.records("conditions");
  if (conditions.length === 0) return "it has no conditions";
  for (const condition of conditions) {
    const type = condition.text("type") ?? "";
    const own = Object.hasOwn(CONDITIONS, type) ? CONDITIONS[type]?.(condition) : undefined;
    if (!own) return `there is no condition like ${type} ${condition.text("matchValue") ?? ""}`.trim();
    const { query, ...others } = own;
    if (Object.keys(others).some((name) => name in all)) return `it has two conditions of the kind ${type}`;
    Object.assign(all, others, query && { query: [...(all.query ?? []), ...query] });
  }
  return all;
}

function namesOf(
  condition: SourceRecord,
  make: (names: string[]) => RuleConditions | undefined,
): RuleConditions | undefined {
  const name = condition.text("matchValue");
  return name && name.length <= NAME_MAX ? make([name]) : undefined;
}

/** Shlink also takes addresses with wildcards. Those that end with them are networks: `203.0.113.*` is `203.0.113.0/24`. */
function networkOf(text: string): string {
  const parts = text.split(".");
  const given = parts.slice(0, parts.indexOf("*"));
  const isNetwork =
    parts.length === 4 && parts.includes("*") && parts.slice(given.length).every((part) => part === "*");
  return isNetwork ? `${parts.map((part) => (part === "*" ? 0 : part)).join(".")}/${8 * given.length}` : text;
}

/** Returns undefined for a parameter that no condition may name. */
function parameterOf(condition: SourceRecord): string | undefined {
  const name = condition.exactText("matchKey");
  return name && name.length <= NAME_MAX && !isOwnParameter(name) ? name : undefined;
}

function instantOf(condition: SourceRecord, make: (instant: string) => RuleConditions): RuleConditions | undefined {
  const instant = isoOf(condition.instant("matchValue"));
  return instant ? make(instant) : undefined;
}

/** Returns what each rule asks, and where it leads, in the order of evaluation. A rule without conditions never holds. */
export const askedShlinkRules = (record: SourceRecord): { rule: AskedRule; url: string | undefined }[] =>
  record
    .records("redirectRules")
    .toSorted((one, other) => orderOf(one) - orderOf(other))
    .flatMap((rule) => {
      const conditions = rule.records("conditions").map(shlinkQuestion);
      return conditions.length === 0 ? [] : [{ rule: conditions, url: rule.text("longUrl") }];
    });

const orderOf = (rule: SourceRecord): number => rule.count("priority") ?? 0;

/** Returns null if the rule depends on something that is not known of the visitor. */
export function shlinkRuleHolds(rule: AskedRule, visitor: CheckedVisitor): boolean | null {
  let isKnown = true;
  for (const { holds } of rule) {
    const answer = holds(visitor);
    if (answer === false) return false;
    if (answer === null) isKnown = false;
  }
  return isKnown ? true : null;
}
