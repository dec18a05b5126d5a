/** What each plan entitles an organization to. Null means no limit. */
import type { Plan } from "@/contract/accounts/plans";

export interface Entitlements {
  /** Requests per minute of one API key, or of one user across all organizations of the plan. */
  requestsPerMinute: number;
  /** Requests per calendar month (UTC) of the whole organization. */
  requestsPerMonth: number | null;
  /** Live links; deleting one makes room. */
  links: number | null;
  /** Domains, verified or not. */
  domains: number | null;
  /** Members and open invitations. */
  members: number | null;
  /** API keys that are neither revoked nor expired. */
  apiKeys: number | null;
  /** Links in one bulk request. */
  bulkLinks: number;
  /** Days that raw clicks and opens are kept. Figures computed from them are kept in any case. */
  retentionDays: number | null;
  /** Days that audit entries are kept; they contain personal data. */
  auditDays: number;
}

export const ENTITLEMENTS: Record<Plan, Entitlements> = {
  free: {
    requestsPerMinute: 60,
    requestsPerMonth: 50_000,
    links: 1_000,
    domains: 3,
    members: 3,
    apiKeys: 5,
    bulkLinks: 25,
    retentionDays: 90,
    auditDays: 90,
  },
  pro: {
    requestsPerMinute: 600,
    requestsPerMonth: 2_000_000,
    links: 50_000,
    domains: 25,
    members: 25,
    apiKeys: 25,
    bulkLinks: 100,
    retentionDays: 400,
    auditDays: 400,
  },
  scale: {
    requestsPerMinute: 3_000,
    requestsPerMonth: 50_000_000,
    // Limited only by the number of requests that can create them.
    links: null,
    domains: 250,
    members: 250,
    apiKeys: 100,
    bulkLinks: 100,
    retentionDays: 750,
    auditDays: 750,
  },
  unlimited: {
    requestsPerMinute: 6_000,
    requestsPerMonth: null,
    links: null,
    domains: null,
    members: null,
    apiKeys: null,
    bulkLinks: 100,
    retentionDays: null,
    auditDays: 1_095,
  },
};

/** Resources whose number is checked when one more is created. */
export type Resource = "links" | "domains" | "members" | "apiKeys";

/**
 * Requests per minute that read figures. They cost more than other requests, so they have a counter and a limit of
 * their own, a tenth of the general one.
 */
export const figuresPerMinute = ({ requestsPerMinute }: Entitlements): number => Math.max(1, requestsPerMinute / 10);

/** True if the plan is known and does not limit the resource. */
export const isUnbounded = (plan: Plan | undefined, resource: Resource): boolean =>
  plan !== undefined && ENTITLEMENTS[plan][resource] === null;
