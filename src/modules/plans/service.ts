/** Plans: checks whether there is room for more of a resource, and reports how much of the plan's limits is used. */
import type { Plan } from "@/contract/accounts/plans";
import type { Usage } from "@/contract/accounts/usage";
import { ENTITLEMENTS, type Entitlements, type Resource } from "@/core/entitlements";
import type { OrgId, Tenant } from "@/core/ids";
import { type HttpError, tooMany } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import type { UsageMeter } from "@/platform/usage";
import * as store from "./store";

/**
 * Seconds for `Retry-After`. Waiting makes no room; this only keeps clients that retry automatically from retrying
 * immediately.
 */
const TRY_AGAIN_S = 3600;

const NAMES: Record<Resource, string> = {
  links: "links",
  domains: "domains",
  members: "members",
  apiKeys: "API keys",
};

export type Plans = ReturnType<typeof createPlans>;

/** How many more fit, and the error for a caller who wants more than are left. */
export interface Room {
  left: number;
  refusal(left: number): HttpError;
}

export function createPlans({ db, clock, requests }: { db: Db; clock: Clock; requests: UsageMeter }) {
  /** Does what `requireRoom` does, for many at once: the caller adds at most `left`. */
  async function room(tx: Db, orgId: OrgId, resource: Resource): Promise<Room> {
    const plan = await store.findPlan(tx, orgId);
    const limit = ENTITLEMENTS[plan][resource] ?? Number.POSITIVE_INFINITY;
    const refusal = (left: number) => noRoom(plan, resource, limit - left, limit);
    if (limit === Number.POSITIVE_INFINITY) return { left: limit, refusal };
    await takeLock(tx, orgId, resource);
    return { left: limit - (await store.countLive(tx, orgId, resource, new Date(clock()))), refusal };
  }

  return {
    /**
     * Call this in the transaction that adds, before it adds: others who add the same resource wait until the
     * transaction ends, unless the plan has no limit. Throws 429.
     */
    async requireRoom(tx: Db, orgId: OrgId, resource: Resource, adding = 1): Promise<void> {
      const { left, refusal } = await room(tx, orgId, resource);
      if (adding > left) throw refusal(left);
    },

    room,

    async entitlements({ orgId }: Tenant): Promise<Entitlements> {
      return ENTITLEMENTS[await store.findPlan(db, orgId)];
    },

    async usage({ orgId }: Tenant): Promise<Usage> {
      const now = new Date(clock());
      const plan = await store.findPlan(db, orgId);
      const limits = ENTITLEMENTS[plan];
      const usedOf = async (resource: Resource) => ({
        used: await store.countLive(db, orgId, resource, now),
        limit: limits[resource],
      });
      const { month, requests: made } = await requests.ofMonth(orgId);
      return {
        plan,
        month: month.slice(0, "2026-06".length),
        requests: { used: made, limit: limits.requestsPerMonth },
        links: await usedOf("links"),
        domains: await usedOf("domains"),
        members: await usedOf("members"),
        apiKeys: await usedOf("apiKeys"),
      };
    },
  };
}

function noRoom(plan: Plan, resource: Resource, used: number, limit: number) {
  const [has, allowed] = [used.toLocaleString("en"), limit.toLocaleString("en")];
  const name = NAMES[resource];
  return tooMany(`The plan ${plan} allows ${allowed} ${name}; remove some or choose another plan`, TRY_AGAIN_S, [
    `${resource}: ${has} of ${allowed} used`,
  ]);
}
