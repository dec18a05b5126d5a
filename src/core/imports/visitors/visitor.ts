/** The visitors for whom a check compares another service with ours. */
import type { DesktopSystem } from "@/contract/links/imports";
import type { Platform } from "@/contract/platforms";
import { encodeValue } from "@/core/query";
import { DIRECT } from "@/core/referrer";
import { localTime, type VisitorFacts } from "@/core/routing/facts";
import { networksOf, queryForRules, type RequestChecks } from "@/core/rules/request-checks";

export type { DesktopSystem };

export interface Device {
  /** As people call it. */
  device: string;
  platform: Platform;
  /** Empty if unknown. */
  deviceType: string;
  /** Only told of desktops; null if unknown. */
  system: DesktopSystem | null;
  isBot: boolean;
}

/** What a fact leaves null or empty, the visitor does not say, so that no rule which asks for it holds. */
export interface CheckedVisitor extends Device {
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  region: string | null;
  city: string | null;
  address: string | null;
  /** True if nothing is known of the address, so that it may be in any city and network. */
  isAnywhere: boolean;
  languages: readonly string[];
  browser: string | null;
  deviceVendor: string | null;
  deviceModel: string | null;
  osVersion: string | null;
  query: readonly Parameter[];
  /** Host of the referring page. */
  referrer: string | null;
  /** Unix milliseconds. */
  at: number;
  /** How many visits came before, since the link was exported. */
  visits: number;
}

export interface Parameter {
  name: string;
  value: string;
}

const device = (name: string, platform: Platform, deviceType: string, more: Partial<Device> = {}): Device => ({
  ...{ device: name, platform, deviceType, system: null, isBot: false },
  ...more,
});

export const IPHONE = device("iPhone", "ios", "mobile");
export const IPAD = device("iPad", "ios", "tablet");
export const ANDROID_PHONE = device("Android phone", "android", "mobile");
export const ANDROID_TABLET = device("Android tablet", "android", "tablet");
export const DESKTOP = device("desktop", "desktop", "desktop");
export const BOT = device("bot", "desktop", "desktop", { isBot: true });
export const OTHER_DEVICE = device("other device", "other", "");
export const DESKTOPS: Readonly<Record<DesktopSystem, Device>> = {
  windows: device("Windows desktop", "desktop", "desktop", { system: "windows" }),
  macos: device("Mac", "desktop", "desktop", { system: "macos" }),
  linux: device("Linux desktop", "desktop", "desktop", { system: "linux" }),
  chromeos: device("Chromebook", "desktop", "desktop", { system: "chromeos" }),
};

/** A visitor with this device who says nothing else. */
export const visitorWith = (device: Device, at: number, country: string | null = null): CheckedVisitor => ({
  ...device,
  country,
  region: null,
  city: null,
  address: null,
  isAnywhere: false,
  languages: [],
  browser: null,
  deviceVendor: null,
  deviceModel: null,
  osVersion: null,
  query: [],
  referrer: null,
  at,
  visits: 0,
});

/** Returns the same key for the same visitors, and for few others. */
export const looseKeyOf = ({
  device,
  country,
  browser,
  address,
  at,
  visits,
  query,
  languages,
}: CheckedVisitor): string =>
  `${device} ${country} ${browser} ${address} ${at} ${visits} ${query.length} ${query.at(-1)?.value} ${languages.at(-1)}`;

export const areSame = (one: CheckedVisitor, other: CheckedVisitor): boolean =>
  one === other || NAMES.every((name) => areEqual(one[name], other[name]));

const A_VISITOR = visitorWith(DESKTOP, 0);
const NAMES = Object.keys(A_VISITOR).filter((name): name is keyof CheckedVisitor => name in A_VISITOR);

/** The only values that are not compared by themselves are lists, most of which are empty. */
function areEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.length === 0 || JSON.stringify(one) === JSON.stringify(other);
}

const UTC = { offsetMinutes: 0 };

/** Returns what our rules can check. The wall clock is that of UTC. */
export function factsOf(visitor: CheckedVisitor, checks: RequestChecks | null): VisitorFacts {
  const { at, address } = visitor;
  const { minuteOfDay, dayOfWeek } = localTime(at, UTC);
  return {
    platform: visitor.platform,
    deviceType: visitor.deviceType,
    browser: visitor.browser ?? undefined,
    deviceVendor: visitor.deviceVendor ?? undefined,
    deviceModel: visitor.deviceModel ?? undefined,
    osVersion: visitor.osVersion ?? undefined,
    languages: visitor.languages,
    country: visitor.country ?? undefined,
    region: visitor.region ?? undefined,
    city: visitor.city ?? undefined,
    minuteOfDay,
    dayOfWeek,
    at,
    query: checks ? queryForRules(checks, queryText(visitor.query)) : "",
    referrer: visitor.referrer ?? DIRECT,
    networks: checks && address !== null ? networksOf(checks, address) : undefined,
  };
}

const queryText = (query: readonly Parameter[]): string =>
  query.map(({ name, value }) => `${encodeValue(name)}${value === "" ? "" : `=${encodeValue(value)}`}`).join("&");

/** A visitor for people, and for a preview: fields are absent where the visitor says nothing. */
export interface ToldVisitor {
  summary: string;
  platform?: Platform;
  deviceType?: string;
  isBot?: boolean;
  system?: DesktopSystem;
  country?: string;
  region?: string;
  city?: string;
  browser?: string;
  deviceVendor?: string;
  deviceModel?: string;
  osVersion?: string;
  language?: string;
  query?: string;
  referrer?: string;
  address?: string;
  now?: string;
  visitsBefore?: number;
}

/** `now` is left out of the words, like everything else that goes without saying. */
export function toldVisitor(visitor: CheckedVisitor, now: number): ToldVisitor {
  const facts = {
    ...{ country: visitor.country, region: visitor.region, city: visitor.city, browser: visitor.browser },
    ...{ deviceVendor: visitor.deviceVendor, deviceModel: visitor.deviceModel, osVersion: visitor.osVersion },
    ...{ language: visitor.languages.join(", "), query: queryText(visitor.query), referrer: visitor.referrer },
    ...{ address: visitor.address, now: visitor.at === now ? null : new Date(visitor.at).toISOString() },
    visitsBefore: visitor.visits || null,
  };
  const { platform, deviceType, isBot, system } = visitor;
  const said = Object.entries(facts).filter(([, value]) => value !== null && value !== "");
  return {
    summary: [visitor.device, ...said.map(([name, value]) => inWords(name, value))].join(", "),
    ...{ platform, ...(deviceType && { deviceType }), ...(isBot && { isBot }), ...(system && { system }) },
    ...Object.fromEntries(said),
  };
}

const WORDS: Readonly<Record<string, (value: unknown) => string>> = {
  osVersion: (version) => `version ${version}`,
  language: (language) => `language ${language}`,
  query: (query) => `?${query}`,
  referrer: (host) => `from ${host}`,
  address: (address) => `address ${address}`,
  now: (instant) => `at ${instant}`,
  visitsBefore: (visits) => `after ${visits} ${visits === 1 ? "visit" : "visits"}`,
};

const inWords = (name: string, value: unknown): string => WORDS[name]?.(value) ?? String(value);
