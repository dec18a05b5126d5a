/**
 * Counts the visits of a link by UTC day, from pages that list them with the newest first. Visits that come in
 * meanwhile move the others to later places, even to the next page: a visit is known by how many are older, which
 * stays the same.
 */
import { DAY_MS, floorTo } from "@/core/time/time-range";
import { parseOldInstant } from "../instants";
import type { ClicksByDay } from "../old-link";

export const VISITS_PER_PAGE = 1_000;
/** A link with more of them comes without its days. */
export const VISITS_MAX = 100_000;

/**
 * Why a link comes without its days: it has too many visits, there was no time to list them, or the service failed or
 * refused to.
 */
export type UncountedVisits = "many" | "late" | "failed" | "refused";

/** The visits of a link, as far as they have been counted. It is stored with the job. */
export interface CountedVisits {
  /** The page that comes next, from 1. */
  page: number;
  /** The visits that are older than those counted; null before the first page. */
  left: number | null;
  days: ClicksByDay;
}

export interface VisitsPage {
  /** When each visit was, as the service writes it; undefined if it does not say. */
  times: (string | undefined)[];
  /** All visits of the link. */
  total: number;
}

export const NO_VISITS: CountedVisits = { page: 1, left: null, days: {} };

/** Returns what is counted with one more page, and whether it was the last. Visits without a day are not counted. */
export function countVisits({ page, left, days }: CountedVisits, { times, total }: VisitsPage) {
  const before = left ?? total;
  const first = total - (page - 1) * VISITS_PER_PAGE;
  const counted: Record<string, number> = { ...days };
  for (const [index, time] of times.entries()) {
    const at = time === undefined ? undefined : parseOldInstant(time);
    if (at === undefined || first - index > before) continue;
    const day = new Date(floorTo(at, DAY_MS)).toISOString().slice(0, 10);
    counted[day] = (counted[day] ?? 0) + 1;
  }
  const next: CountedVisits = { page: page + 1, left: Math.min(before, first - times.length), days: counted };
  return { next, isOver: times.length === 0 || (next.left ?? 0) <= 0 };
}
