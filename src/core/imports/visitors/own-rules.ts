/** What our own rules ask. */
import { byNameCondition, type NameFact } from "@/contract/facts";
import type { Platform } from "@/contract/platforms";
import type { RoutingRule, RuleConditions } from "@/contract/routing";
import { parseNetwork } from "@/core/networks";
import { DIRECT } from "@/core/referrer";
import type { CompiledLink } from "@/core/routing/compiled-link";
import { conditionsOf } from "@/core/rules/conditions";
import type { RequestChecks } from "@/core/rules/request-checks";
import { inEvaluationOrder } from "@/core/rules/rule-order";
import { parseInstant } from "@/core/time/instant";
import { DAY_MS, MINUTE_MS } from "@/core/time/time-range";
import {
  type AskedRule,
  type Change,
  having,
  havingBrowser,
  havingDevice,
  instantChanges,
  languageChanges,
  networkChanges,
  parameterChanges,
  type Question,
} from "./question";
import { ANDROID_PHONE, ANDROID_TABLET, DESKTOP, type Device, factsOf, IPAD, IPHONE, OTHER_DEVICE } from "./visitor";

/** Returns what each rule asks, in the order of evaluation. */
export const ownRules = ({ definition, requestChecks }: CompiledLink): AskedRule[] =>
  inEvaluationOrder(definition.rules).map(({ rule: { conditions = {} } }) =>
    partsOf(conditions).map((part) => questionOf(part, conditions, requestChecks)),
  );

function questionOf(part: RuleConditions, whole: RuleConditions, checks: RequestChecks | null): Question {
  const conditions = conditionsOf(part);
  const makers = [...new Set(conditions.map(({ field }) => CHANGES[field]))];
  return {
    key: JSON.stringify(part),
    changes: (now) => makers.flatMap((make) => make(part, whole, now)),
    holds: (visitor) => conditions.every(({ test }) => test(factsOf(visitor, checks))),
    countries: usualCountries(part),
  };
}

/** As `Question.countries`. No usual device is of another platform. */
function usualCountries(part: RuleConditions): readonly string[] | undefined {
  if (part.countries) return part.countries;
  return part.platform?.some((platform) => platform !== "other") ? [] : undefined;
}

/** True if the rules ask only for devices and countries, which the usual visitors from these countries answer. */
export const areUsual = (rules: readonly RoutingRule[], countries: readonly string[]): boolean =>
  rules.every(({ conditions = {} }) =>
    partsOf(conditions).every((part) => usualCountries(part)?.every((country) => countries.includes(country))),
  );

/** Conditions that one fact answers together. The others are answered alone. */
const TOGETHER: readonly (readonly (keyof RuleConditions)[])[] = [
  ["minOsVersion", "maxOsVersion"],
  ["after", "before"],
  ["startTime", "endTime", "daysOfWeek"],
];

/** Returns what each fact answers of a rule's conditions. Each parameter of the query is a fact of its own. */
function partsOf(conditions: RuleConditions): RuleConditions[] {
  const parts: RuleConditions[] = (conditions.query ?? []).map((parameter) => ({ query: [parameter] }));
  for (const group of GROUPS) {
    const given = group.filter((field) => isAsked(conditions[field]));
    if (given.length > 0) parts.push(Object.fromEntries(given.map((field) => [field, conditions[field]])));
  }
  return parts;
}

const isAsked = (condition: unknown): boolean =>
  condition !== undefined && !(Array.isArray(condition) && condition.length === 0);

type MakeChanges = (part: RuleConditions, whole: RuleConditions, now: number) => Change[];

const DEVICES: Readonly<Record<Platform, Device>> = {
  ...{ ios: IPHONE, android: ANDROID_PHONE, desktop: DESKTOP, other: OTHER_DEVICE },
};

/** Each listed name, and none. */
const namesOf =
  (fact: NameFact) =>
  (names: readonly string[] = []): Change[] =>
    [...names, null].map((name) => having({ [fact]: name }));

const versions: MakeChanges = ({ minOsVersion, maxOsVersion }) =>
  [minOsVersion, maxOsVersion, "0", "999999"].flatMap((osVersion) => (osVersion ? [having({ osVersion })] : []));

const instants: MakeChanges = ({ after, before }, _, now) =>
  [after, before].flatMap((text) => (text === undefined ? [] : instantChanges(parseInstant(text), now)));

const WEEK = 8;

/** The rule's hours, and half a day later, on each day of the week from when the rule applies. */
const windows: MakeChanges = ({ startTime = "00:00", endTime = "00:00" }, { after }, now) => {
  const from = Math.max(now, (after === undefined ? undefined : parseInstant(after)) ?? now);
  const day = Math.floor(from / DAY_MS) * DAY_MS;
  const minutes = [startTime, endTime].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return Array.from({ length: WEEK }, (_, days) =>
    minutes.flatMap((minute) => [minute, (minute + 720) % 1440].map((at) => day + days * DAY_MS + at * MINUTE_MS)),
  )
    .flat()
    .filter((at) => at >= from)
    .map((at) => having({ at }));
};

/** Has an entry for every condition: one that is missing here would never be verified. */
const CHANGES: Record<keyof RuleConditions, MakeChanges> = {
  platform: ({ platform = [] }) =>
    [...platform, ...(["desktop", "ios", "android"] as const)].map((name) => havingDevice(DEVICES[name])),
  ...byNameCondition(
    (condition, fact): MakeChanges =>
      (part) =>
        namesOf(fact)(part[condition]),
  ),
  deviceTypes: ({ deviceTypes = [] }) => [...deviceTypes, "desktop", "mobile"].map(havingDeviceType),
  browsers: ({ browsers = [] }) => [...browsers.map(havingBrowser), having({ browser: null })],
  languages: ({ languages = [] }) => languages.flatMap(languageChanges),
  minOsVersion: versions,
  maxOsVersion: versions,
  after: instants,
  before: instants,
  startTime: windows,
  endTime: windows,
  daysOfWeek: windows,
  query: ({ query = [] }) => query.flatMap(({ name, values = [] }) => parameterChanges(name, values)),
  referrers: ({ referrers = [] }) =>
    [...referrers.map((host) => (host === DIRECT ? null : host)), "elsewhere.example", null].map((referrer) =>
      having({ referrer }),
    ),
  addresses: ({ addresses = [] }) => addresses.flatMap((text) => networkChanges(parseNetwork(text))),
};

const isCondition = (name: string): name is keyof RuleConditions => name in CHANGES;
const FIELDS = Object.keys(CHANGES).filter(isCondition);
const GROUPS: readonly (readonly (keyof RuleConditions)[])[] = [
  ...FIELDS.filter((field) => field !== "query" && !TOGETHER.flat().includes(field)).map((field) => [field]),
  ...TOGETHER,
];

function havingDeviceType(deviceType: string): Change {
  const type = deviceType.toLowerCase();
  return (visitor) => {
    if (type === "desktop") return { ...visitor, ...DESKTOP };
    const isAndroid = visitor.platform === "android";
    if (type === "mobile") return { ...visitor, ...(isAndroid ? ANDROID_PHONE : IPHONE) };
    if (type === "tablet") return { ...visitor, ...(isAndroid ? ANDROID_TABLET : IPAD) };
    return { ...visitor, ...OTHER_DEVICE, device: deviceType, deviceType: type };
  };
}
