/** The visitor of the simulator: facts from input or from a real click. */
import type { Schemas } from "@/dashboard/api/client";
import { CONDITIONS, type ConditionName } from "./conditions";
import type { DraftRule } from "./draft";

type Context = NonNullable<Schemas["LinkPreviewInput"]["contexts"]>[number];
export type Platform = NonNullable<Context["platform"]>;

export type TextFact = Exclude<keyof Context, "platform" | "now" | "timezoneOffsetMinutes" | "randomizeVisitor">;

/**
 * Condition whose known values each fact suggests. Has an entry for every fact of a preview; a missing one is a type
 * error.
 */
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

/** Suggests known values, and values that the rules require. */
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
  /** The visitor's local time, such as `2026-01-30T23:10`. */
  local: string;
  /** Offset of the local time, as in `Date.getTimezoneOffset()`. */
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

type Seen = Schemas["ClickDetail"];

/** Returns the facts of a click. Clicks store neither the query nor the address. */
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
