/** The visitor of the simulator: facts as they are typed, presets, and what a real click tells. */
import type { Schemas } from "@/dashboard/api/client";
import { words } from "@/dashboard/words";
import { CONDITIONS, type ConditionName } from "./conditions";
import type { DraftRule } from "./draft";

type Context = NonNullable<Schemas["LinkPreviewInput"]["contexts"]>[number];
type Platform = NonNullable<Context["platform"]>;

type TextFact = Exclude<keyof Context, "platform" | "now" | "timezoneOffsetMinutes" | "randomizeVisitor">;

/** The condition whose known values it suggests. One entry for each fact that a preview can be told: one that is missing does not compile. */
const TEXT_FACTS: Record<TextFact, ConditionName | undefined> = {
  osVersion: undefined,
  deviceType: "deviceTypes",
  browser: "browsers",
  deviceVendor: "deviceVendors",
  deviceModel: "deviceModels",
  country: "countries",
  region: "regions",
  city: "cities",
  language: "languages",
  referrer: "referrers",
  query: undefined,
  address: undefined,
  visitorId: undefined,
};
const isTextFact = (name: string): name is TextFact => Object.hasOwn(TEXT_FACTS, name);
export const TEXT_FACT_NAMES: readonly TextFact[] = Object.keys(TEXT_FACTS).filter(isTextFact);

/** Values to choose from: those that are known, and those that the rules ask about. */
export function suggestionsFor(fact: TextFact, rules: readonly DraftRule[]): string[] | undefined {
  const name = TEXT_FACTS[fact];
  if (name === undefined) return undefined;
  const entry = CONDITIONS[name];
  const asked = rules.flatMap(({ conditions }) =>
    [conditions[name]].flat().filter((value) => typeof value === "string"),
  );
  return [...new Set([...asked, ...("known" in entry ? (entry.known ?? []) : [])])];
}

export interface Visitor extends Partial<Record<TextFact, string>> {
  platform: Platform | "";
  /** The visitor's own clock, like `2026-01-30T23:10`. */
  local: string;
  /** Of that clock, like `Date.getTimezoneOffset()`. */
  offsetMinutes: number;
}

export function contextOf({ platform, local, offsetMinutes, ...facts }: Visitor): Context {
  const at = Date.parse(`${local}Z`) + offsetMinutes * 60_000;
  const known = Object.fromEntries(Object.entries(facts).filter(([, text]) => text.trim() !== ""));
  return {
    ...known,
    ...(platform && { platform }),
    ...(!Number.isNaN(at) && { now: new Date(at).toISOString() }),
    timezoneOffsetMinutes: offsetMinutes,
  };
}

interface Preset {
  name: "iphoneBerlin" | "androidSaoPaulo" | "desktopNewYork" | "ipadTokyo";
  timeZone: string;
  /** 0 is Sunday. */
  day: number;
  time: string;
  platform: Platform;
  facts: Partial<Record<TextFact, string>>;
}

const PRESETS: readonly Preset[] = [
  {
    ...{ name: "iphoneBerlin", timeZone: "Europe/Berlin", day: 5, time: "23:10", platform: "ios" },
    facts: {
      ...{
        osVersion: "18.4",
        deviceType: "mobile",
        browser: "Mobile Safari",
        deviceVendor: "Apple",
        deviceModel: "iPhone",
      },
      ...{ country: "DE", region: "Berlin", city: "Berlin", language: "de-DE" },
    },
  },
  {
    ...{ name: "androidSaoPaulo", timeZone: "America/Sao_Paulo", day: 6, time: "14:00", platform: "android" },
    facts: {
      ...{ osVersion: "15", deviceType: "mobile", browser: "Mobile Chrome", deviceVendor: "Samsung" },
      ...{ country: "BR", region: "São Paulo", city: "São Paulo", language: "pt-BR" },
    },
  },
  {
    ...{ name: "desktopNewYork", timeZone: "America/New_York", day: 1, time: "09:00", platform: "desktop" },
    facts: {
      ...{ osVersion: "10", deviceType: "desktop", browser: "Chrome" },
      ...{ country: "US", region: "New York", city: "New York", language: "en-US" },
    },
  },
  {
    ...{ name: "ipadTokyo", timeZone: "Asia/Tokyo", day: 0, time: "07:30", platform: "ios" },
    facts: {
      ...{
        osVersion: "18.4",
        deviceType: "tablet",
        browser: "Mobile Safari",
        deviceVendor: "Apple",
        deviceModel: "iPad",
      },
      ...{ country: "JP", region: "Tokyo", city: "Tokyo", language: "ja-JP" },
    },
  },
];

export const presetVisitors = (now: number) =>
  PRESETS.map(({ name, timeZone, day, time, platform, facts }) => ({
    name,
    label: words.route.presets[name],
    visitor: { ...facts, platform, ...nextOf(day, time, timeZone, now) } satisfies Visitor,
  }));

const DAY_MS = 86_400_000;

/** The next such moment on the clocks of a place. */
function nextOf(day: number, time: string, timeZone: string, now: number): Pick<Visitor, "local" | "offsetMinutes"> {
  const offsetMinutes = offsetOf(timeZone, now);
  const here = now - offsetMinutes * 60_000;
  const ahead = (day - new Date(here).getUTCDay() + 7) % 7;
  return { local: `${new Date(here + ahead * DAY_MS).toISOString().slice(0, 10)}T${time}`, offsetMinutes };
}

function offsetOf(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en-CA", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit" },
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  const local = Date.parse(`${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}Z`);
  return Math.round((at - local) / 60_000);
}

type Seen = Schemas["ClickDetail"];

/** What a click kept. Its query and its address are not among that. */
export function visitorOf({ platform, occurredAt, localTime, languages, ...click }: Seen): Visitor {
  const at = Date.parse(occurredAt);
  const local = localTime ?? occurredAt.slice(0, 16);
  const facts = TEXT_FACT_NAMES.flatMap((name) => {
    const value = Object.entries(click).find(([each]) => each === name)?.[1];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return {
    ...Object.fromEntries(facts),
    language: languages.join(", "),
    ...{
      platform,
      local,
      offsetMinutes: Math.round((Math.floor(at / 60_000) * 60_000 - Date.parse(`${local}Z`)) / 60_000),
    },
  };
}
