import { byNameFact, NAME_FACT_NAMES, type NameFact } from "@/contract/facts";
import type { Platform } from "@/contract/platforms";

export { parseAcceptLanguage } from "../languages";
export { localTime } from "../time/local-time";

/** Longer headers are cut before anything is read out of them, so that a click can be routed again by what is kept of it. */
export const ROUTED_LENGTH_MAX = { userAgent: 512, acceptLanguage: 256, referrer: 1024 } as const;

type KnownNames = Record<NameFact, string | undefined>;

/**
 * What routing may ask of a visit. Undefined or empty is unknown, and fails whatever condition asks for it. No fact may be
 * left out where these are made: one that was forgotten would fail its conditions for everyone.
 */
export interface VisitorFacts extends KnownNames {
  platform: Platform | undefined;
  osVersion: string | undefined;
  /** The most preferred comes first. */
  languages: readonly string[];
  /** The visitor's local minute of the day, from 0 to 1439. */
  minuteOfDay: number;
  /** Local to the visitor, 0 is Sunday. */
  dayOfWeek: number;
  /** When the visit is, in Unix milliseconds. */
  at: number | undefined;
  /** The visit's query as far as the rules ask for it; without `?`. */
  query: string;
  /** Host of the referring page, or `direct`. */
  referrer: string | undefined;
  /** Which of the rules' networks the visitor's address is in, as the rules write them. */
  networks: ReadonlySet<string> | undefined;
}

/** The facts with what is stated of some of them in place of what they were. */
export function withStated(told: VisitorFacts, stated: StatedFacts): VisitorFacts {
  const facts = {
    ...told,
    platform: stated.platform ?? told.platform,
    osVersion: stated.osVersion ?? told.osVersion,
  };
  for (const name of NAME_FACT_NAMES) if (stated[name] != null) facts[name] = stated[name];
  return facts;
}

/** Whether anything of what `withStated` takes is stated. */
export const statesFacts = (stated: StatedFacts): boolean =>
  stated.platform != null || stated.osVersion != null || NAME_FACT_NAMES.some((name) => stated[name] != null);

type StatedFacts = { [Fact in NameFact | "platform" | "osVersion"]?: VisitorFacts[Fact] | null };

/** Of whom nothing is known. */
export const NOTHING_KNOWN: VisitorFacts = {
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
 * What has to be found out before a link can be routed, as bits. A condition on time needs geography too: the visitor's
 * time zone comes from there.
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
