/** Types that the checks for broken links share, and the cost of a fault. */
import type { BrokenCampaign, Level } from "@/contract/analytics/insights";
import { DAY_MS } from "@/core/time/time-range";
import type { DescribedLink } from "../described-link";
import type { LinkStop } from "../link-stops";
import { mean } from "../statistics/robust";
import type { CheckState } from "./destination-health";

export interface DayCount {
  /** Start of the day, Unix milliseconds. */
  at: number;
  count: number;
}

/** Visits by people that were turned away. */
export interface RefusedVisits {
  /** An `UnservedReason`. */
  reason: string;
  /** Visits within the range. */
  count: number;
  /** Start of the hour of the last visit, Unix milliseconds. */
  lastAt: number;
}

export interface ExaminedLink {
  link: DescribedLink;
  /** Clicks within the range. */
  clicks: number;
  /** Covers the range and the weeks before it, in order and without gaps; the last day may be incomplete. */
  days: readonly DayCount[];
  /** State of its destinations after the last periodic check. */
  checks: readonly (CheckState & { url: string })[];
  refused: readonly RefusedVisits[];
  /** Visits that have taken a place of `maxClicks`, whether or not they still count as clicks. */
  admitted: number;
  /** The host of its domain if that is not verified. */
  unverifiedHost?: string;
  /** When it was out of use; only known of links that may have lost their visitors, or turned some away. */
  stops?: readonly LinkStop[];
  /**
   * Visits by people that it turned away while it was out of use, by the start of the day; only known of links that may
   * have lost their visitors.
   */
  turnedAway?: ReadonlyMap<number, number>;
}

/** Host and path without a link: `go.example.com/sprnig`. */
export interface RefusedAddress extends Pick<RefusedVisits, "count" | "lastAt"> {
  address: string;
}

export interface BrokenQuestion {
  from: number;
  to: number;
  now: number;
}

export interface BrokenFinding extends Omit<BrokenCampaign, "id" | "linkId"> {
  /** Visits per day that the fault costs. */
  lostADay: number;
}

export type Check = (looked: ExaminedLink, question: BrokenQuestion) => BrokenFinding[];

const RECENT_DAYS = 7;

/** Returns the mean of the last seven whole days. */
export function clicksADay({ days }: Pick<ExaminedLink, "days">, { to }: Pick<BrokenQuestion, "to">): number {
  const recent = days.filter(({ at }) => at + DAY_MS <= to).slice(-RECENT_DAYS);
  return mean(recent.map(({ count }) => count)) || 0;
}

export const severityForLoss = (visitsADay: number): Level =>
  visitsADay >= 10 ? "high" : visitsADay >= 1 ? "medium" : "low";
