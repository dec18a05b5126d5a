/**
 * Determines which conversions are measured for a link, and since when. A link without an app, a form or events has
 * no conversion rate: the absence of data says nothing about its visitors.
 *
 * - Leads are measured while a form is turned on: from the start if the link was never changed, otherwise from the day
 *   after the last change or after the first lead, whichever is earlier.
 * - Installs are measured from the day after the first install of any link with the same app.
 * - Events are measured if events name the link on at least three days: from the day after the first of them.
 *
 * The day of that first conversion is left out: it was selected for having one and would make every rate too high.
 */
import type { Link } from "@/contract/links/links";
import { DAY_MS } from "../time/time-range";
import type { DayRate, RateGroup } from "./rate-claims";

export const KINDS = ["installs", "leads", "events"] as const;
export type Kind = (typeof KINDS)[number];

export interface LinkDay extends Record<Kind, number> {
  /** Start of the day, Unix milliseconds. */
  at: number;
  clicks: number;
}

export interface MeasuredLink {
  link: Pick<Link, "_id" | "appProfileId" | "leadCapture" | "createdAt" | "updatedAt">;
  /** Covers the range and some weeks before it, in order and without gaps. */
  days: readonly LinkDay[];
}

const EVENT_DAYS_MIN = 3;

/** Returns a group for each kind of conversion that is measured for the link, with the days from `from` on. */
export function measuredOf(history: MeasuredLink, all: readonly MeasuredLink[], from: number): RateGroup[] {
  return KINDS.flatMap((kind) => {
    const since = measuredSince(kind, history, all);
    if (since === undefined) return [];
    const days = history.days
      .filter(({ at }) => at >= Math.max(since, from))
      .map((day): DayRate => ({ at: day.at, clicks: day.clicks, conversions: day[kind] }));
    return days.some(({ clicks }) => clicks > 0) ? [{ key: history.link._id, kind, days }] : [];
  });
}

function measuredSince(kind: Kind, { link, days }: MeasuredLink, all: readonly MeasuredLink[]): number | undefined {
  const own = days.filter((day) => day[kind] > 0);
  switch (kind) {
    case "leads":
      return link.leadCapture?.enabled ? Math.min(dayAfter(own[0]?.at), unchangedSince(link)) : undefined;
    case "installs": {
      const ofApp = all.filter((other) => link.appProfileId && other.link.appProfileId === link.appProfileId);
      const known = [...own, ...ofApp.flatMap((other) => other.days.filter(({ installs }) => installs > 0))];
      return known.length === 0 ? undefined : dayAfter(Math.min(...known.map(({ at }) => at)));
    }
    case "events":
      return own.length < EVENT_DAYS_MIN ? undefined : dayAfter(own[0]?.at);
    default:
      return kind satisfies never;
  }
}

/** A link that was never changed has had its form for as long as it has had visitors. */
const unchangedSince = ({ createdAt, updatedAt }: MeasuredLink["link"]): number =>
  createdAt === updatedAt ? Number.NEGATIVE_INFINITY : dayAfter(Date.parse(updatedAt));

const dayAfter = (at: number | undefined): number =>
  at === undefined ? Number.POSITIVE_INFINITY : at - (at % DAY_MS) + DAY_MS;
