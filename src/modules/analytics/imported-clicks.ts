/**
 * Sums the clicks that imported links had at the services they come from. These are stored with the links and kept
 * separate from the clicks counted here: neither rollups nor raw clicks include them.
 *
 * To sum them, Postgres reads every imported link, which takes a tenth of a second per million. So the sum over a
 * whole organization is cached for `REMEMBERED_MS` if it covers at least `REMEMBERED_FROM_LINKS` links. Bounds:
 * `SUMS_MAX` sums. A crash loses nothing.
 */
import type { Sql } from "postgres";
import type { Filters } from "@/contract/analytics/analytics-filters";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { OrgId } from "@/core/ids";
import { createBoundedMap } from "@/platform/bounded-map";
import { type Clock, steadyClock } from "@/platform/clock";

type ImportedClicks = Pick<OverviewAnswer, "clicksBefore">;

interface Sum {
  count: number;
  links: number;
}

const REMEMBERED_FROM_LINKS = 20_000;
const REMEMBERED_MS = 60_000;
const SUMS_MAX = 1_000;

export interface ImportedClicksOptions {
  sql: Sql;
  clock: Clock;
  /** Lowered by tests. */
  rememberedFromLinks?: number;
}

export function importedClicksReader({
  sql,
  clock,
  rememberedFromLinks = REMEMBERED_FROM_LINKS,
}: ImportedClicksOptions) {
  const steady = steadyClock(clock);
  const remembered = createBoundedMap<OrgId, { sum: Sum; until: number }>(SUMS_MAX);

  /** Returns nothing if imported clicks are excluded, there are none, or a filter concerns a property they lack. */
  return async (orgId: OrgId, filters: Filters | null): Promise<ImportedClicks> => {
    if (filters === null) return {};
    const { linkId, domainId, tag, ...others } = filters;
    if (Object.values(others).some((values) => values !== undefined)) return {};
    const isUnfiltered = linkId === undefined && domainId === undefined && tag === undefined;
    const sum = isUnfiltered ? await sumOfAll(orgId) : await sumUp(sql, orgId, filters);
    return sum.links > 0 ? { clicksBefore: { ...sum, writer: "imported" } } : {};
  };

  async function sumOfAll(orgId: OrgId): Promise<Sum> {
    const known = remembered.get(orgId);
    if (known && steady() < known.until) return known.sum;
    const sum = await sumUp(sql, orgId, {});
    if (sum.links >= rememberedFromLinks) remembered.set(orgId, { sum, until: steady() + REMEMBERED_MS });
    return sum;
  }
}

async function sumUp(sql: Sql, orgId: OrgId, { linkId, domainId, tag }: Filters): Promise<Sum> {
  const [summed] = await sql<Sum[]>`
    select least(coalesce(sum(clicks_before), 0), ${Number.MAX_SAFE_INTEGER})::float8 as count, count(*)::int as links
    from links where org_id = ${orgId} and clicks_before is not null
      ${linkId ? sql`and id = any(${linkId})` : sql``}
      ${domainId ? sql`and domain_id = any(${domainId}) and former_hostname is null` : sql``}
      ${tag ? sql`and deleted_at is null and tags && ${tag}` : sql``}`;
  return summed ?? { count: 0, links: 0 };
}
