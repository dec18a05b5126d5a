/**
 * Counts of how visits were handled since the start. Plain numbers: a visit costs one addition, and only the
 * service's metrics read them.
 */
import type { Route } from "@/core/routing/compiled-link";
import type { RefusalReason } from "./refusals";

export interface VisitCounts {
  /** Redirects, by what decided the destination; an item of a bio page is its split target. */
  redirects: Record<Route["kind"], number>;
  /** Pages shown before or instead of the destination. */
  pages: number;
  refusals: Record<RefusalReason, number>;
}

export const createVisitCounts = (): VisitCounts => ({
  redirects: { rule: 0, split: 0, store: 0, default: 0 },
  pages: 0,
  refusals: {
    ...{ unknown: 0, domain_unverified: 0, inactive: 0, not_started: 0, unsafe: 0, expired: 0, max_clicks_reached: 0 },
    ...{ password_required: 0, password_incorrect: 0, lead_required: 0, form_too_large: 0, malformed: 0, method: 0 },
    ...{ busy: 0, probing: 0, attempts: 0, unavailable: 0 },
  },
});
