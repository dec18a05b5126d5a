/** What faults of links are found by, and how they are told. */
import type { BrokenCampaign, Level } from "@/contract/analytics/insights";
import type { Link } from "@/contract/links/links";
import { DAY_MS } from "@/core/time/time-range";
import { mean } from "../statistics/robust";
import type { CheckState } from "./destination-health";

export interface DayCount {
  /** Its start, Unix milliseconds. */
  at: number;
  count: number;
}

/** Visits that were turned away, of people. */
export interface RefusedVisits {
  /** The value is an `UnservedReason`. */
  reason: string;
  /** Counts within the range. */
  count: number;
  /** Start of the hour of the last one, Unix milliseconds. */
  lastAt: number;
}

export interface LookedAt {
  link: Link & { isDeleted: boolean };
  /** Counts within the range. */
  clicks: number;
  /** Of the range and the weeks before it, in order and without gaps; the last one may not be over. */
  days: readonly DayCount[];
  /** Of its destinations, as the periodic check last found them. */
  checks: readonly (CheckState & { url: string })[];
  refused: readonly RefusedVisits[];
}

/** An address at which there is no link, with its host: `go.example.com/sprnig`. */
export interface RefusedAddress extends Pick<RefusedVisits, "count" | "lastAt"> {
  address: string;
}

export interface BrokenQuestion {
  from: number;
  to: number;
  now: number;
}

export interface BrokenFinding extends Omit<BrokenCampaign, "id" | "linkId"> {
  /** Visits that it costs. */
  lostADay: number;
}

export type Check = (looked: LookedAt, question: BrokenQuestion) => BrokenFinding[];

const RECENT_DAYS = 7;

/** Averages over the last whole days. */
export function clicksADay({ days }: Pick<LookedAt, "days">, { to }: Pick<BrokenQuestion, "to">): number {
  const recent = days.filter(({ at }) => at + DAY_MS <= to).slice(-RECENT_DAYS);
  return mean(recent.map(({ count }) => count)) || 0;
}

export const levelOfLoss = (visitsADay: number): Level =>
  visitsADay >= 10 ? "high" : visitsADay >= 1 ? "medium" : "low";
