/**
 * Every condition of the contract: how it is edited, what it suggests and how it reads. A missing one is a type
 * error.
 */
import type { RuleConditions } from "@/contract/routing";
import type { Schemas } from "@/dashboard/api/client";
import { momentText } from "@/dashboard/ui/format";
import { BROWSERS, COUNTRIES, DEVICE_TYPES, LANGUAGES, VENDORS } from "./known-names";
import { linkRouteWords as words } from "./words";

export type ConditionName = keyof RuleConditions;

/** Dimension of the clicks that has values for a condition. */
export type SeenBy = Schemas["AnalyticsBreakdown"]["by"];

export type ListName = {
  [Name in ConditionName]: NonNullable<RuleConditions[Name]> extends string[] ? Exclude<Name, "platform"> : never;
}[ConditionName];
export type TextName = {
  [Name in ConditionName]: NonNullable<RuleConditions[Name]> extends string ? Name : never;
}[ConditionName];

/** Accepts any values, and suggests known ones. */
interface ListCondition {
  kind: "list";
  seenBy?: SeenBy;
  known?: readonly string[];
}

type Entry<Name extends ConditionName> = Name extends "platform"
  ? { kind: "platforms" }
  : Name extends ListName
    ? ListCondition
    : Name extends "daysOfWeek"
      ? { kind: "days" }
      : Name extends "query"
        ? { kind: "query" }
        : { kind: "version" | "time" | "instant" };

export const CONDITIONS: { readonly [Name in ConditionName]-?: Entry<Name> } = {
  platform: { kind: "platforms" },
  deviceTypes: { kind: "list", seenBy: "device", known: DEVICE_TYPES },
  browsers: { kind: "list", seenBy: "browser", known: BROWSERS },
  deviceVendors: { kind: "list", known: VENDORS },
  deviceModels: { kind: "list", known: ["iPhone", "iPad", "Pixel 9"] },
  minOsVersion: { kind: "version" },
  maxOsVersion: { kind: "version" },
  countries: { kind: "list", seenBy: "country", known: COUNTRIES },
  regions: { kind: "list", seenBy: "region" },
  cities: { kind: "list", seenBy: "city" },
  languages: { kind: "list", seenBy: "language", known: LANGUAGES },
  daysOfWeek: { kind: "days" },
  startTime: { kind: "time" },
  endTime: { kind: "time" },
  after: { kind: "instant" },
  before: { kind: "instant" },
  query: { kind: "query" },
  referrers: { kind: "list", seenBy: "referrer", known: ["direct"] },
  addresses: { kind: "list" },
};

export const PLATFORM_NAMES = ["ios", "android", "desktop", "other"] as const;
/** Monday first. */
export const DAYS = [1, 2, 3, 4, 5, 6, 0] as const;

const isCondition = (name: string): name is ConditionName => Object.hasOwn(CONDITIONS, name);
export const CONDITION_NAMES: readonly ConditionName[] = Object.keys(CONDITIONS).filter(isCondition);

export const isListName = (name: ConditionName): name is ListName => CONDITIONS[name].kind === "list";

export const namesIn = (conditions: RuleConditions): ConditionName[] =>
  CONDITION_NAMES.filter((name) => isGiven(conditions[name]));

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== "";

/** Returns the conditions with a new value, or without the condition if the value is empty. */
export function withCondition<Name extends ConditionName>(
  conditions: RuleConditions,
  name: Name,
  value: RuleConditions[Name],
): RuleConditions {
  const { [name]: _, ...others } = conditions;
  return isGiven(value) ? { ...others, [name]: value } : others;
}

/** Formats a value that a rule requires or that a visitor has. */
export function valueText(name: string, value: unknown): string {
  const { route } = words;
  if (value === null || value === undefined || value === "") return route.unknown;
  if (Array.isArray(value)) return value.map((each) => valueText(name, each)).join(", ") || route.unknown;
  if (typeof value === "object") return parameterText(value);
  if (name === "daysOfWeek")
    return Object.entries(route.days).find(([day]) => day === String(value))?.[1] ?? String(value);
  if (name === "platform")
    return Object.entries(route.platforms).find(([each]) => each === value)?.[1] ?? String(value);
  if ((name === "after" || name === "before") && !Number.isNaN(Date.parse(String(value))))
    return momentText(String(value));
  return String(value);
}

/** Formats a parameter that a rule requires (`values`) or that a visit has (`value`). */
function parameterText(parameter: object): string {
  const parts = Object.entries(parameter).flatMap(([, part]) => (Array.isArray(part) ? part.join("|") : String(part)));
  return parts.filter(Boolean).join("=");
}
