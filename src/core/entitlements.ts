/** Defines what each plan entitles an organization to. Null means no limit. */
import type { Plan } from "@/contract/accounts/plans";

export interface Entitlements {
  /** Limits one API key, or one user in all organizations of the plan, within a minute. */
  requestsPerMinute: number;
  /** Limits the whole organization within a calendar month in UTC. */
  requestsPerMonth: number | null;
  /** Live ones; deleting one makes room. */
  links: number | null;
  /** Counts domains whether verified or not. */
  domains: number | null;
  /** Counts open invitations too. */
  members: number | null;
  /** Counts keys that are neither revoked nor expired. */
  apiKeys: number | null;
  /** Limits the links in one bulk creation. */
  bulkLinks: number;
  /** For how many days raw clicks and opens are kept. Figures made of them stay in any case. */
  retentionDays: number | null;
  /** For how many days audit entries are kept, which tell of persons. */
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
    // Bounded by the requests there are to make them.
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

/** What is counted when more of it is made. */
export type Resource = "links" | "domains" | "members" | "apiKeys";

/** Reading figures costs more than the rest, so that it is counted by itself, and allowed a tenth as often. */
export const figuresPerMinute = ({ requestsPerMinute }: Entitlements): number => Math.max(1, requestsPerMinute / 10);

/** Whether the plan, where it is known, sets no bound to the resource. */
export const isUnbounded = (plan: Plan | undefined, resource: Resource): boolean =>
  plan !== undefined && ENTITLEMENTS[plan][resource] === null;
