/** Ranks the most clicked links of a range, returning only their ids and clicks. */
import type { Sql } from "postgres";
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import type { OrgId } from "@/core/ids";
import { type LeaderOptions, readTopLinks, type TopLinkRow } from "@/figures/read/links/top-links";
import { partsOf } from "@/figures/read/scope";
import { parseRange } from "./figures-query";

/** Counts human clicks only and omits links without any. Throws 400 for an invalid range. */
export async function rankLinks(
  { sql, ...leading }: LeaderOptions & { sql: Sql },
  orgId: OrgId,
  query: Pick<AnalyticsQuery, "from" | "to">,
  limit: number,
  now: number,
): Promise<TopLinkRow[]> {
  const scope = { includeBots: false, ...partsOf(parseRange(query, now), now) };
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    await snapshot`set local plan_cache_mode = force_custom_plan`;
    return readTopLinks(snapshot, leading, orgId, scope, limit);
  });
}
