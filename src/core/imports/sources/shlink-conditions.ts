/**
 * For whom a condition of Shlink holds, as its server evaluates it (`RedirectCondition`), and the visitors by whom that
 * is tested.
 */
import { contains, mapAddress, parseNetwork } from "@/core/networks";
import type { SourceRecord } from "../record";
import {
  type Change,
  DEVICE_CHANGES,
  having,
  havingBrowser,
  havingDevice,
  instantChanges,
  languageChanges,
  networkChanges,
  parameterChanges,
  type Question,
} from "../visitors/question";
import { type CheckedVisitor, DESKTOPS, type DesktopSystem } from "../visitors/visitor";

/** Our names of the browsers that Shlink's parser gives one name. It has no other browsers. */
const BROWSERS: Readonly<Record<string, readonly string[]>> = {
  chrome: ["Chrome", "Chrome WebView", "Chromium"],
  firefox: ["Firefox"],
  edge: ["Edge"],
  safari: ["Safari", "Mobile Safari"],
  opera: ["Opera"],
  android_browser: ["Android Browser"],
};

interface Condition {
  value: string;
  key: string;
  /** The value as an instant. */
  instant: number | undefined;
}

interface Kind {
  /** Returns null if that is unknown. */
  holds(condition: Condition, visitor: CheckedVisitor): boolean | null;
  changes(condition: Condition, now: number): readonly Change[];
  /** As in `Question`. */
  countries?(condition: Condition): readonly string[] | undefined;
}

const KINDS: Readonly<Record<string, Kind>> = {
  device: {
    holds: ({ value }, visitor) => isDevice(value, visitor),
    changes: ({ value }) => (isSystem(value) ? Object.values(DESKTOPS).map(havingDevice) : DEVICE_CHANGES),
    countries: ({ value }) => (isSystem(value) ? undefined : []),
  },
  language: {
    holds: ({ value }, { languages }) => languages.some((tag) => isLanguage(tag, value)),
    changes: ({ value }) => languageChanges(value),
  },
  "query-param": {
    holds: ({ key, value }, visitor) => parameterHolds(visitor, key, (given) => given === value),
    changes: ({ key, value }) => parameterChanges(key, [value]),
  },
  "any-value-query-param": {
    holds: ({ key }, visitor) => parameterHolds(visitor, key, (given) => given !== undefined),
    changes: ({ key }) => parameterChanges(key, []),
  },
  "valueless-query-param": {
    holds: ({ key }, visitor) => parameterHolds(visitor, key, isEmptyInPhp),
    changes: ({ key }) => parameterChanges(key, []).toReversed(),
  },
  "ip-address": {
    holds: ({ value }, { address, isAnywhere }) => (isAnywhere ? null : isIn(value, address)),
    changes: ({ value }) => networkChanges(parseNetwork(value.replaceAll("*", "0"))),
  },
  "geolocation-country-code": {
    holds: ({ value }, { country }) => value.toUpperCase() === country,
    changes: ({ value }) => [value.toUpperCase(), null].map((country) => having({ country })),
    countries: ({ value }) => [value.toUpperCase()],
  },
  "geolocation-city-name": {
    holds: ({ value }, { city, isAnywhere }) => (isAnywhere ? null : city?.toLowerCase() === value.toLowerCase()),
    changes: ({ value }) => [value, null].map((city) => having({ city })),
  },
  "before-date": {
    holds: ({ instant }, { at }) => (instant === undefined ? null : at < instant),
    changes: ({ instant }, now) => instantChanges(instant, now),
  },
  "after-date": {
    holds: ({ instant }, { at }) => (instant === undefined ? null : at > instant),
    changes: ({ instant }, now) => instantChanges(instant, now),
  },
  browser: {
    holds: ({ value }, { browser }) => browserNames(value)?.includes(browser ?? "") ?? null,
    changes: ({ value }) => [...(browserNames(value) ?? []).map(havingBrowser), having({ browser: null })],
  },
};

/** Any other kind: for whom it holds is unknown. */
const UNKNOWN: Kind = { holds: () => null, changes: () => [] };

export function shlinkQuestion(record: SourceRecord): Question {
  const [type = "", value = "", key = ""] = [
    record.text("type"),
    record.exactText("matchValue"),
    record.exactText("matchKey"),
  ];
  const kind = (Object.hasOwn(KINDS, type) && KINDS[type]) || UNKNOWN;
  const condition = { value, key, instant: record.instant("matchValue") };
  return {
    key: JSON.stringify([type, key, value]),
    changes: (now) => kind.changes(condition, now),
    holds: (visitor) => kind.holds(condition, visitor),
    countries: kind.countries?.(condition),
  };
}

export const browserNames = (name: string): readonly string[] | undefined =>
  Object.hasOwn(BROWSERS, name) ? BROWSERS[name] : undefined;

/** Shlink's `mobile` includes tablets. */
function isDevice(name: string, { platform, system }: CheckedVisitor): boolean | null {
  if (name === "android" || name === "ios" || name === "desktop") return name === platform;
  if (name === "mobile") return platform === "ios" || platform === "android";
  if (!isSystem(name)) return null;
  return platform !== "desktop" ? false : system && system === name;
}

const isSystem = (name: string): name is DesktopSystem => Object.hasOwn(DESKTOPS, name);

/** Compares language and the subtag behind it; a condition without that one holds for all. */
function isLanguage(tag: string, wanted: string): boolean {
  const [[language, region], [wantedLanguage, wantedRegion]] = [subtagsOf(tag), subtagsOf(wanted)];
  return language === wantedLanguage && (wantedRegion === undefined || region === wantedRegion);
}

const subtagsOf = (tag: string): string[] => tag.trim().replaceAll("_", "-").toLowerCase().split("-");

/** PHP writes some characters of a name as underscores, depending on the server, so such a name is unknown. */
const CHANGED_BY_PHP = /[.\s[\]]/;

function parameterHolds(
  { query }: CheckedVisitor,
  key: string,
  test: (given: string | undefined) => boolean,
): boolean | null {
  const given = query.findLast(({ name }) => name === key)?.value;
  if (given !== undefined && CHANGED_BY_PHP.test(key)) return null;
  return test(given);
}

/** PHP takes the text `0` for empty, too. */
const isEmptyInPhp = (given: string | undefined): boolean => given === "" || given === "0";

/** The pattern is an address, a network, or an address with wildcards. */
function isIn(pattern: string, address: string | null): boolean | null {
  const candidate = address === null ? undefined : mapAddress(address);
  if (candidate === undefined) return false;
  if (pattern.includes("*")) {
    const [parts, given] = [pattern.split("."), (address ?? "").split(".")];
    return parts.length === given.length && parts.every((part, at) => part === "*" || part === given[at]);
  }
  const network = parseNetwork(pattern);
  return network ? contains(network, candidate) : null;
}
