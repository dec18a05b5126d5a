import type { Platform } from "@/contract/routing";

export { parseAcceptLanguage } from "./languages";
export { localTime } from "./local-time";

/** Longer headers are cut before anything is read out of them, so that a click can be routed again by what is kept of it. */
export const ROUTED_LENGTH_MAX = { userAgent: 512, acceptLanguage: 256 } as const;

/** What routing may ask of a visit. Absent or empty is unknown, and fails whatever condition asks for it. */
export interface VisitorFacts {
  platform?: Platform;
  deviceType?: string;
  browser?: string;
  deviceVendor?: string;
  deviceModel?: string;
  osVersion?: string;
  /** The most preferred first. */
  languages: readonly string[];
  country?: string;
  region?: string;
  city?: string;
  /** Local to the visitor, from 0 to 1439. */
  minuteOfDay: number;
  /** Local to the visitor, 0 is Sunday. */
  dayOfWeek: number;
}

/**
 * What has to be found out before a link can be routed, as bits. A condition on time needs geography too: the visitor's
 * time zone comes from there.
 */
export const NEEDS = { userAgent: 1, geography: 2, languages: 4, time: 8 } as const;
