/**
 * Checks a link's safety on request, with all sources and within a rate limit. Requests for a link that is already
 * being checked share the running check.
 */
import type { Safety } from "@/contract/links/safety";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { notFound, tooMany } from "@/http/errors";
import type { Limits } from "@/platform/limits/limits";
import type { SafetyChecker } from "./checker";

export type { SafetyChecker } from "./checker";

const WINDOW_MS = 60_000;
const RESCANS_MAX = 60;
/** For all destinations together; those without a result by then keep their previous one. */
const RESCAN_MS_MAX = 10_000;

export type SafetyService = ReturnType<typeof createSafetyService>;

export function createSafetyService({ checker, limits }: { checker: Pick<SafetyChecker, "check">; limits: Limits }) {
  const rescans = limits.limiter({ name: "safety-rescans", windowMs: WINDOW_MS });
  const underWay = new Map<string, ReturnType<SafetyChecker["check"]>>();

  function rescanOnce(orgId: OrgId, id: string) {
    const key = `${orgId} ${id.toLowerCase()}`;
    const known = underWay.get(key);
    if (known) return known;
    const timeout = AbortSignal.timeout(RESCAN_MS_MAX);
    const checked = checker
      .check(orgId, id, { isFresh: true, isOfLink: true, timeout })
      .finally(() => underWay.delete(key));
    underWay.set(key, checked);
    return checked;
  }

  return {
    /** Throws 404, and 429 beyond `RESCANS_MAX` per minute and organization. */
    async rescan({ orgId }: Tenant, id: string): Promise<Safety> {
      if (!isUuid(id)) throw notFound("link");
      const { ok, retryAfterSeconds } = await rescans.take(orgId, RESCANS_MAX);
      if (!ok) throw tooMany("Too many rescans in this organization; try again shortly", retryAfterSeconds);
      const checked = await rescanOnce(orgId, id);
      if (!checked) throw notFound("link");
      return checked.safety;
    },
  };
}
