/** A link's safety on request: all sources are asked now, Web Risk within bounds. */
import type { Safety } from "@/contract/safety";
import { isUuid, type Tenant } from "@/core/ids";
import { notFound, tooMany } from "@/http/errors";
import type { Limits } from "@/platform/limits/limits";
import type { SafetyChecker } from "./checker";

export type { SafetyChecker } from "./checker";

const WINDOW_MS = 60_000;
const RESCANS_MAX = 60;
/** For all destinations together; those not answered for by then keep what was known. */
const RESCAN_MS_MAX = 10_000;

export type SafetyService = ReturnType<typeof createSafetyService>;

export function createSafetyService({ checker, limits }: { checker: Pick<SafetyChecker, "look">; limits: Limits }) {
  const rescans = limits.limiter({ name: "safety-rescans", windowMs: WINDOW_MS });

  return {
    /** Throws 404, and 429 past so many a minute of an organization. */
    async rescan({ orgId }: Tenant, id: string): Promise<Safety> {
      if (!isUuid(id)) throw notFound("link");
      const { ok, retryAfterSeconds } = await rescans.take(orgId, RESCANS_MAX);
      if (!ok)
        throw tooMany("Too many links of this organization were rescanned; try again shortly", retryAfterSeconds);
      const looked = await checker.look(orgId, id, { isFresh: true, patience: AbortSignal.timeout(RESCAN_MS_MAX) });
      if (!looked) throw notFound("link");
      return looked.safety;
    },
  };
}
