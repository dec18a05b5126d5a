/**
 * Sums the clicks that imported links had at the services they come from, in all and, as far as these tell it, by day.
 * They are stored with the links and kept separate from the clicks counted here: neither rollups nor raw clicks include
 * them.
 *
 * To sum them, Postgres reads every imported link, which takes a tenth of a second per million. So the sum over a whole
 * organization is cached for `REMEMBERED_MS` if it covers at least `REMEMBERED_FROM_LINKS` links. For the days, it also
 * reads all days of the links that had any since the range began, which takes a second for several million; those of
 * so many links are cached for any filter. Bounds: `SUMS_MAX` sums, and the days of `RANGES_MAX` ranges. A crash loses
 * nothing.
 */
import type { Sql } from "postgres";
import type { Filters } from "@/contract/analytics/analytics-filters";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { OrgId } from "@/core/ids";
import { DAY_MS, floorTo, type Span } from "@/core/time/time-range";
import { createBoundedMap } from "@/platform/bounded-map";
import { type Clock, steadyClock } from "@/platform/clock";

type ImportedClicks = Pick<OverviewAnswer, "clicksBefore">;

interface Sum {
  count: number;
  links: number;
}

interface DaySum {
  date: string;
  count: number;
}

/** The first and the last of some days, written like 2026-01-31. */
interface Days {
  first: string;
  last: string;
}

const REMEMBERED_FROM_LINKS = 20_000;
const REMEMBERED_MS = 60_000;
const SUMS_MAX = 1_000;
const RANGES_MAX = 200;

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
  const sums = createBoundedMap<OrgId, { value: Sum; until: number }>(SUMS_MAX);
  const ranges = createBoundedMap<string, { value: DaySum[]; until: number }>(RANGES_MAX);

  /** Returns nothing if imported clicks are excluded, there are none, or a filter concerns a property they lack. */
  return async (orgId: OrgId, filters: Filters | null, range: Span): Promise<ImportedClicks> => {
    if (filters === null) return {};
    const { linkId, domainId, tag, ...others } = filters;
    if (Object.values(others).some((values) => values !== undefined)) return {};
    const isUnfiltered = linkId === undefined && domainId === undefined && tag === undefined;
    const sum = isUnfiltered ? await sumOfAll(orgId) : await sumUp(sql, orgId, filters);
    if (sum.links === 0) return {};
    const byDay = await daysOf(orgId, filters, daysIn(range), sum);
    const inRange = byDay.reduce((all, { count }) => all + count, 0);
    return { clicksBefore: { ...sum, ...(byDay.length > 0 && { inRange, byDay }), writer: "imported" } };
  };

  async function sumOfAll(orgId: OrgId): Promise<Sum> {
    const known = sums.get(orgId);
    if (known && steady() < known.until) return known.value;
    const value = await sumUp(sql, orgId, {});
    if (value.links >= rememberedFromLinks) sums.set(orgId, { value, until: steady() + REMEMBERED_MS });
    return value;
  }

  async function daysOf(orgId: OrgId, filters: Filters, days: Days, { links }: Sum): Promise<DaySum[]> {
    if (links < rememberedFromLinks) return sumByDay(sql, orgId, filters, days);
    const key = `${orgId} ${Bun.hash(JSON.stringify([days, filters]))}`;
    const known = ranges.get(key);
    if (known && steady() < known.until) return known.value;
    const value = await sumByDay(sql, orgId, filters, days);
    ranges.set(key, { value, until: steady() + REMEMBERED_MS });
    return value;
  }
}

/** Returns the days that the range is in, the first and the last as a whole. */
const daysIn = ({ from, to }: Span): Days => ({ first: dayOf(from), last: dayOf(to - 1) });

const dayOf = (at: number): string => new Date(floorTo(at, DAY_MS)).toISOString().slice(0, 10);

async function sumUp(sql: Sql, orgId: OrgId, filters: Filters): Promise<Sum> {
  const [summed] = await sql<Sum[]>`
    select least(coalesce(sum(clicks_before), 0), ${Number.MAX_SAFE_INTEGER})::float8 as count, count(*)::int as links
    from links where org_id = ${orgId} and clicks_before is not null ${matching(sql, filters)}`;
  return summed ?? { count: 0, links: 0 };
}

/**
 * Counts the days of the latest import that told some. Where a link has fewer clicks than these have, as one that a
 * later import replaced may, the latest of them are not counted.
 */
function sumByDay(sql: Sql, orgId: OrgId, filters: Filters, { first, last }: Days): Promise<DaySum[]> {
  return sql<DaySum[]>`
    select day::text as date, least(sum(counted.count), ${Number.MAX_SAFE_INTEGER})::float8 as count
    from former_click_days as former
    join links on links.id = former.link_id
    cross join lateral (
      select day, count from unnest(days, counts) as each(day, count) where total <= clicks_before
      union all
      select day, least(count, clicks_before - before) from (
        select day, count, sum(count) over (order by day) - count as before from unnest(days, counts) as each(day, count)
        where total > clicks_before
      ) as summed where before < clicks_before
    ) as counted
    where former.org_id = ${orgId} and links.org_id = ${orgId} and clicks_before is not null
      and last_day >= ${first}::date and day between ${first}::date and ${last}::date
      and not exists (select from former_click_days as later
        where later.org_id = ${orgId} and later.link_id = former.link_id and later.import_id > former.import_id)
      ${matching(sql, filters)}
    group by day order by day`;
}

/** Conditions on links. */
const matching = (sql: Sql, { linkId, domainId, tag }: Filters) => sql`
  ${linkId ? sql`and links.id = any(${linkId})` : sql``}
  ${domainId ? sql`and domain_id = any(${domainId}) and former_hostname is null` : sql``}
  ${tag ? sql`and deleted_at is null and tags && ${tag}` : sql``}`;
