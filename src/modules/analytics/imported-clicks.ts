/**
 * Clicks that imported links had at the services they come from. They are summed from the links themselves, apart from all that
 * is counted here: neither rollups nor raw clicks know of them.
 */
import type { Sql } from "postgres";
import type { Filters } from "@/contract/analytics/analytics-filters";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { OrgId } from "@/core/ids";

type ImportedClicks = Pick<OverviewAnswer, "clicksBefore">;

/** Nothing where they are left out, there are none, or a filter asks what nobody knows of them. */
export async function readImportedClicks(sql: Sql, orgId: OrgId, filters: Filters | null): Promise<ImportedClicks> {
  if (filters === null) return {};
  const { linkId, domainId, tag, ...others } = filters;
  if (Object.values(others).some((values) => values !== undefined)) return {};
  const [summed] = await sql<{ count: number; links: number }[]>`
    select least(coalesce(sum(clicks_before), 0), ${Number.MAX_SAFE_INTEGER})::float8 as count, count(*)::int as links
    from links where org_id = ${orgId} and clicks_before is not null
      ${linkId ? sql`and id = any(${linkId})` : sql``}
      ${domainId ? sql`and domain_id = any(${domainId})` : sql``}
      ${tag ? sql`and deleted_at is null and tags && ${tag}` : sql``}`;
  return summed && summed.links > 0 ? { clicksBefore: { ...summed, writer: "imported" } } : {};
}
