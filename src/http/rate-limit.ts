/**
 * Limits API requests: per minute for each API key and each user, and per month for the whole organization, both as
 * its plan allows. All of a user's sessions share one counter, and so do all organizations of the same plan that they
 * belong to: neither signing in again nor creating another organization raises the limit. Sessions from single
 * sign-on have a separate counter, because otherwise whoever runs the identity provider could use up the user's own.
 * The limits apply once the caller is known, so that nobody uses up those of another, and before the body is read.
 * Every later response states the remaining limit in `X-RateLimit-*`. A rejected request does not count.
 *
 * Reads of figures (`GET …/analytics/…`, and questions to the assistant, which reads several) have their own counter
 * and do not affect the other one. So do account routes, which belong to no organization: there, a user has the same
 * limit whatever the plan. Reads of figures do not take all connections either (`request-queue`).
 */
import type { Plan } from "@/contract/accounts/plans";
import { ENTITLEMENTS, figuresPerMinute } from "@/core/entitlements";
import type { OrgId } from "@/core/ids";
import { MINUTE_MS } from "@/core/time/time-range";
import { readsFiguresOf } from "@/platform/db/connection/request-queue";
import { addressLimiter } from "@/platform/limits/address";
import type { Limits, LimitVerdict } from "@/platform/limits/limits";
import type { UsageMeter } from "@/platform/usage";
import type { CallerOf } from "./caller";
import { type HttpError, tooMany } from "./errors";

const ACCOUNT_PER_MINUTE = 600;
const FIGURES_ROUTE = "/organizations/:orgId/analytics/";
const ASSISTANT_ROUTE = "/organizations/:orgId/ai/marketing-assistant";

/** The request that is counted, and the headers of its response. */
export interface Counted {
  request: Request;
  /** The route's pattern. */
  route: string;
  set: { headers: Record<string, string | number> };
}

export interface RateLimit {
  /**
   * Counts a request for an organization. `caller` names the user or API key. Throws 429, and 503 if the month's
   * count cannot be read.
   */
  ofOrganization(counted: Counted, caller: string, tenant: { orgId: OrgId; plan: Plan }): Promise<void>;
  /** Counts a request that concerns no organization. Throws 429. */
  ofAccount(counted: Counted, caller: string): Promise<void>;
}

/** Returns the name of a user's counter. */
export const limitedUser = ({ userId, ssoOrgId }: { userId: string; ssoOrgId: string | null }): string =>
  ssoOrgId === null ? `user:${userId}` : `user:${userId}:${ssoOrgId}`;

export function createRateLimit({ limits, usage }: { limits: Limits; usage: UsageMeter }): RateLimit {
  const perMinute = (name: string) => limits.limiter({ name, windowMs: MINUTE_MS });
  const requests = perMinute("requests");
  const figures = perMinute("figures");
  const accounts = perMinute("accounts");

  return {
    async ofOrganization(counted, caller, { orgId, plan }) {
      const entitlements = ENTITLEMENTS[plan];
      const { requestsPerMonth } = entitlements;
      if (requestsPerMonth !== null) await refuseBeyond(requestsPerMonth, counted, orgId, plan);
      // A user can belong to organizations with different plans, which must not use up each other's limits.
      const key = `${caller}:${plan}`;
      const verdict = readsFigures(counted)
        ? await figures.take(key, figuresPerMinute(entitlements))
        : await requests.take(key, entitlements.requestsPerMinute);
      setLimitHeaders(counted, verdict);
      if (!verdict.ok) {
        const what = readsFigures(counted) ? "analytics requests" : "requests";
        throw tooOften(verdict, `at most ${inWords(verdict.limit)} ${what} on the plan ${plan}`);
      }
      usage.add(orgId);
      if (isFiguresRoute(counted)) readsFiguresOf(orgId);
    },

    async ofAccount(counted, caller) {
      const verdict = await accounts.take(caller, ACCOUNT_PER_MINUTE);
      setLimitHeaders(counted, verdict);
      if (!verdict.ok) throw tooOften(verdict, `at most ${inWords(verdict.limit)} per user`);
    },
  };

  async function refuseBeyond(limit: number, counted: Counted, orgId: OrgId, plan: Plan): Promise<void> {
    const { requests: used, endsAt, leftMs } = await usage.ofMonth(orgId);
    if (used < limit) return;
    setLimitHeaders(counted, { limit, remaining: 0, resetAt: endsAt });
    throw tooMany("This month's requests are used up; choose another plan or wait for next month", leftMs / 1000, [
      `requestsPerMonth: at most ${inWords(limit)} on the plan ${plan}`,
    ]);
  }
}

/**
 * Limits how often one address may call a route that needs no credentials. The returned function throws 429. `name`
 * names the counter.
 */
export function limitByAddress(limits: Limits, name: string, callerOf: CallerOf): (request: Request) => Promise<void> {
  const take = addressLimiter(limits, name);
  return async (request) => {
    const verdict = await take(callerOf(request).ip ?? "");
    if (!verdict.ok)
      throw tooMany("Too many requests from your network; try again in a minute", verdict.retryAfterSeconds);
  };
}

const isFiguresRoute = ({ request: { method }, route }: Counted): boolean =>
  (method === "GET" || method === "HEAD") && route.includes(FIGURES_ROUTE);

const readsFigures = (counted: Counted): boolean => isFiguresRoute(counted) || counted.route.endsWith(ASSISTANT_ROUTE);

function setLimitHeaders(
  { set }: Counted,
  { limit, remaining, resetAt }: Pick<LimitVerdict, "limit" | "remaining" | "resetAt">,
): void {
  set.headers["x-ratelimit-limit"] = limit;
  set.headers["x-ratelimit-remaining"] = remaining;
  set.headers["x-ratelimit-reset"] = Math.ceil(resetAt / 1000);
}

const tooOften = ({ retryAfterSeconds }: LimitVerdict, detail: string): HttpError =>
  tooMany("Too many requests; try again in a moment", retryAfterSeconds, [`requestsPerMinute: ${detail}`]);

const inWords = (count: number): string => count.toLocaleString("en");
