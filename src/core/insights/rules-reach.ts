/**
 * Finds routing rules that no visitor can ever reach, by looking only at the rules in the order in which
 * `rules/compile.ts` evaluates them: ascending priority, ties in list order. A rule is unreachable if it contradicts
 * itself (a range of OS versions or a period that is empty), if an earlier rule applies to everyone, or if an earlier
 * rule is at least as wide: each of its conditions holds for every visitor this rule matches. Only certain cases are
 * reported; a rule that several earlier rules cover together is not found.
 */
import { byNameCondition, type NameCondition } from "@/contract/facts";
import type { RoutingRule, RuleConditions } from "@/contract/routing";
import { foldName } from "../names/fold";
import { sentHostname } from "../names/hostname";
import { contains, parseNetwork } from "../networks";
import { compileRules } from "../rules/compile";
import { languageKey } from "../rules/conditions";
import { isHostOrSubdomain } from "../rules/request";
import { parseInstant } from "../time/instant";
import { compareVersions } from "../version";

export interface UnreachableRule {
  /** Position in the link's rules. */
  index: number;
  reason: "contradiction" | "behind_catch_all" | "shadowed";
  /** Position of the earlier rule; null for a contradiction. */
  by: number | null;
}

export function unreachableRules(rules: readonly RoutingRule[]): UnreachableRule[] {
  const ordered = compileRules(rules).map(({ index }) => ({ index, conditions: rules[index]?.conditions ?? {} }));
  const found: UnreachableRule[] = [];
  for (const [place, { index, conditions }] of ordered.entries()) {
    if (isContradiction(conditions)) {
      found.push({ index, reason: "contradiction", by: null });
      continue;
    }
    const earlier = ordered.slice(0, place).filter((other) => !isContradiction(other.conditions));
    const wider = earlier.find((other) => covers(other.conditions, conditions));
    if (!wider) continue;
    const reason = covers(wider.conditions, {}) ? "behind_catch_all" : "shadowed";
    found.push({ index, reason, by: wider.index });
  }
  return found.sort((a, b) => a.index - b.index);
}

const isGiven = (list: readonly unknown[] | undefined): list is unknown[] => list !== undefined && list.length > 0;

/**
 * True if bounds are out of order. A time window that ends before it starts wraps past midnight, which is no
 * contradiction.
 */
const isContradiction = (conditions: RuleConditions): boolean =>
  allowsNoVersion(conditions) || allowsNoTime(conditions);

/** True if the lowest OS version is above the highest. */
export const allowsNoVersion = ({ minOsVersion, maxOsVersion }: RuleConditions): boolean =>
  minOsVersion !== undefined && maxOsVersion !== undefined && (compareVersions(minOsVersion, maxOsVersion) ?? 0) > 0;

/** True if the period ends before it begins, or at that instant. */
export const allowsNoTime = ({ after, before }: RuleConditions): boolean =>
  after !== undefined && before !== undefined && instantOf(after) >= instantOf(before);

/** Returns NaN for an invalid instant, so that every comparison with it is false. */
const instantOf = (text: string): number => parseInstant(text) ?? Number.NaN;

type Covers = (wide: RuleConditions, narrow: RuleConditions) => boolean;

/** Compares names of places and things after case folding. */
const names =
  (field: NameCondition): Covers =>
  (wide, narrow) =>
    coversList(wide[field]?.map(foldName), narrow[field]?.map(foldName));

/**
 * Has an entry for every condition: a condition unknown to this check would be treated as one that holds for
 * everyone.
 */
const COVERS: Record<keyof RuleConditions, Covers> = {
  platform: (wide, narrow) => coversList(wide.platform, narrow.platform),
  ...byNameCondition(names),
  languages: (wide, narrow) => coversLanguages(wide.languages, narrow.languages),
  minOsVersion: (wide, narrow) => isWithin(narrow.minOsVersion, wide.minOsVersion, (order) => order >= 0),
  maxOsVersion: (wide, narrow) => isWithin(narrow.maxOsVersion, wide.maxOsVersion, (order) => order <= 0),
  startTime: coversTime,
  endTime: coversTime,
  daysOfWeek: coversTime,
  after: ({ after: wide }, { after: narrow }) =>
    wide === undefined || (narrow !== undefined && instantOf(narrow) >= instantOf(wide)),
  before: ({ before: wide }, { before: narrow }) =>
    wide === undefined || (narrow !== undefined && instantOf(narrow) <= instantOf(wide)),
  query: coversQuery,
  referrers: ({ referrers: wide }, { referrers: narrow }) =>
    !isGiven(wide) || (isGiven(narrow) && narrow.every((host) => wide.some((domain) => isWithinHost(host, domain)))),
  addresses: ({ addresses: wide }, { addresses: narrow }) =>
    !isGiven(wide) || (isGiven(narrow) && narrow.every((inner) => wide.some((outer) => isWithinNetwork(inner, outer)))),
};

/** True if `wide` holds for every visitor for whom `narrow` holds. */
const covers: Covers = (wide, narrow) => Object.values(COVERS).every((coversOne) => coversOne(wide, narrow));

function coversList(wide: readonly string[] | undefined, narrow: readonly string[] | undefined): boolean {
  if (!isGiven(wide)) return true;
  return isGiven(narrow) && narrow.every((value) => wide.includes(value));
}

/** True if `narrow` also requires each required parameter, and allows no other values for it. */
function coversQuery({ query: wide }: RuleConditions, { query: narrow }: RuleConditions): boolean {
  if (!isGiven(wide)) return true;
  return wide.every(({ name, values }) =>
    (narrow ?? []).some((other) => other.name === name && coversList(values, other.values)),
  );
}

const isWithinHost = (host: string, domain: string): boolean =>
  isHostOrSubdomain(sentHostname(host), sentHostname(domain));

function isWithinNetwork(inner: string, outer: string): boolean {
  const [narrow, wide] = [parseNetwork(inner), parseNetwork(outer)];
  return narrow !== undefined && wide !== undefined && wide.length <= narrow.length && contains(wide, narrow.start);
}

/** `en` also holds for `en-GB`. */
function coversLanguages(wide: readonly string[] | undefined, narrow: readonly string[] | undefined): boolean {
  if (!isGiven(wide)) return true;
  const tags = wide.map(languageKey);
  const isCovered = (tag: string) => tags.includes(tag) || tags.includes(tag.split("-")[0] ?? tag);
  return isGiven(narrow) && narrow.map(languageKey).every(isCovered);
}

/** Compares one end of two ranges; an absent end accepts everything. */
function isWithin(narrow: string | undefined, wide: string | undefined, accepts: (order: number) => boolean): boolean {
  if (wide === undefined) return true;
  const order = narrow === undefined ? null : compareVersions(narrow, wide);
  return order !== null && accepts(order);
}

/**
 * Compares windows and weekdays together, because a window that wraps belongs to the day on which it begins. Unless
 * `wide` has no window, only equal windows are covered.
 */
function coversTime(wide: RuleConditions, narrow: RuleConditions): boolean {
  const isAlways = hasNoWindow(wide) && (!isGiven(wide.daysOfWeek) || new Set(wide.daysOfWeek).size === 7);
  if (isAlways) return true;
  const hasSameWindow = wide.startTime === narrow.startTime && wide.endTime === narrow.endTime;
  if (!hasSameWindow && !hasNoWindow(wide)) return false;
  if (!isGiven(wide.daysOfWeek)) return true;
  // A window that wraps counts its early hours to the previous day; a rule without a window counts them to their own.
  if (!hasSameWindow && wraps(narrow)) return false;
  const days = wide.daysOfWeek;
  return isGiven(narrow.daysOfWeek) && narrow.daysOfWeek.every((day) => days.includes(day));
}

const hasNoWindow = ({ startTime = "00:00", endTime }: RuleConditions): boolean =>
  endTime === undefined ? startTime === "00:00" : startTime === endTime;

const wraps = ({ startTime = "00:00", endTime = "24:00" }: RuleConditions): boolean => startTime > endTime;
