/** Ranks the most clicked links of a range, returning only their ids and clicks. */
import type { Sql } from "postgres";
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import type { OrgId } from "@/core/ids";
import { type LeaderOptions, readClicksOf, readTopLinks, type TopLinkRow } from "@/figures/read/links/top-links";
import { partsOf } from "@/figures/read/scope";
import { parseRange } from "./figures-query";

export type RankedQuery = Pick<AnalyticsQuery, "from" | "to" | "includeBots">;

/**
 * Ranks by human clicks and omits links without any. With `includeBots`, counts the clicks of bots on these links as
 * well, and sorts by both. Throws 400 for an invalid range.
 */
export async function rankLinks(
  { sql, ...leading }: LeaderOptions & { sql: Sql },
  orgId: OrgId,
  { includeBots = false, ...query }: RankedQuery,
  limit: number,
  now: number,
): Promise<TopLinkRow[]> {
  const parts = partsOf(parseRange(query, now), now);
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    await snapshot`set local plan_cache_mode = force_custom_plan`;
    const ranked = await readTopLinks(snapshot, leading, orgId, { includeBots: false, ...parts }, limit);
    if (!includeBots) return ranked;
    const ids = ranked.map(({ linkId }) => linkId);
    const all = await readClicksOf(snapshot, orgId, { includeBots, ...parts }, ids);
    return all.sort((a, b) => b.clicks - a.clicks || (a.linkId < b.linkId ? 1 : -1));
  });
}
