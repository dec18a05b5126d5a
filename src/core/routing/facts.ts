import { byNameFact, NAME_FACT_NAMES, type NameFact } from "@/contract/facts";
import type { Platform } from "@/contract/platforms";

export { parseAcceptLanguage } from "../headers/accept-language";
export { localTime } from "../time/local-time";

/**
 * Longer headers are cut before anything is read from them, so that a click can be routed again from what is stored.
 */
export const ROUTED_LENGTH_MAX = { userAgent: 512, acceptLanguage: 256, referrer: 1024 } as const;

type KnownNames = Record<NameFact, string | undefined>;

/**
 * The facts of a visit that routing can check. Undefined or empty means unknown, and fails every condition on that
 * fact. All facts are required where a visit's facts are built: a forgotten one would fail its conditions for every
 * visitor.
 */
export interface VisitorFacts extends KnownNames {
  platform: Platform | undefined;
  osVersion: string | undefined;
  /** Most preferred first. */
  languages: readonly string[];
  /** The visitor's local minute of the day, from 0 to 1439. */
  minuteOfDay: number;
  /** The visitor's local day; 0 is Sunday. */
  dayOfWeek: number;
  /** Time of the visit in Unix milliseconds. */
  at: number | undefined;
  /** The parameters of the visit's query that the rules check, without `?`. */
  query: string;
  /** Host of the referring page, or `direct`. */
  referrer: string | undefined;
  /** Those of the rules' networks that contain the visitor's address, as the rules write them. */
  networks: ReadonlySet<string> | undefined;
}

/** Returns the facts, overridden by those that are stated. */
export function overrideFacts(told: VisitorFacts, stated: StatedFacts): VisitorFacts {
  const facts = {
    ...told,
    platform: stated.platform ?? told.platform,
    osVersion: stated.osVersion ?? told.osVersion,
  };
  for (const name of NAME_FACT_NAMES) if (stated[name] != null) facts[name] = stated[name];
  return facts;
}

/** True if any fact is stated that `overrideFacts` replaces. */
export const statesFacts = (stated: StatedFacts): boolean =>
  stated.platform != null || stated.osVersion != null || NAME_FACT_NAMES.some((name) => stated[name] != null);

type StatedFacts = { [Fact in NameFact | "platform" | "osVersion"]?: VisitorFacts[Fact] | null };

/** Facts of a visitor about whom nothing is known. */
export const UNKNOWN_VISITOR_FACTS: VisitorFacts = {
  platform: undefined,
  ...byNameFact(() => undefined),
  osVersion: undefined,
  languages: [],
  minuteOfDay: 0,
  dayOfWeek: 0,
  at: undefined,
  query: "",
  referrer: undefined,
  networks: undefined,
};

/**
 * Bits for what has to be determined before a link can be routed. Conditions on time need geography, too: the
 * visitor's time zone comes from there.
 */
export const NEEDS = {
  userAgent: 1,
  geography: 2,
  languages: 4,
  time: 8,
  instant: 16,
  query: 32,
  referrer: 64,
  networks: 128,
} as const;
