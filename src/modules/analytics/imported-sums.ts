/**
 * Sums the clicks that imported links had before their import, in all and by day. Over millions of days this takes
 * seconds, so the sums over all links of an organization are stored (`former_click_sums`).
 *
 * Nothing but a step of an import or of its rollback changes these clicks, and it changes the import's own row in the
 * same transaction. So a stored sum is valid as long as its version is that of the organization's imports: a reader
 * compares both in one snapshot, ignores an outdated sum, and the next round stores it again. That is why storing takes
 * no lock against imports: two rounds at the same time do the same work twice. While an import has still to be done,
 * its organization is left out.
 */
import type { ISql, Sql } from "postgres";
import type { Filters } from "@/contract/analytics/analytics-filters";
import type { OrgId } from "@/core/ids";

export interface ImportedSum {
  count: number;
  links: number;
}

export interface ImportedDay {
  date: string;
  count: number;
}

/** The first and the last of some days, written like 2026-01-31. */
export interface DatesAsked {
  first: string;
  last: string;
}

export async function sumUp(sql: ISql, orgId: OrgId, filters: Filters): Promise<ImportedSum> {
  const [summed] = await sql<ImportedSum[]>`
    select least(coalesce(sum(clicks_before), 0), ${Number.MAX_SAFE_INTEGER})::float8 as count, count(*)::int as links
    from links where org_id = ${orgId} and clicks_before is not null ${matching(sql, filters)}`;
  return summed ?? { count: 0, links: 0 };
}

/**
 * Counts the days of the latest import that told some. Where a link has fewer clicks than these have, as one that a
 * later import replaced may, the latest of them are not counted.
 */
export function sumByDay(sql: ISql, orgId: OrgId, filters: Filters, { first, last }: DatesAsked) {
  return sql<ImportedDay[]>`
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
const matching = (sql: ISql, { linkId, domainId, tag }: Filters) => sql`
  ${linkId ? sql`and links.id = any(${linkId})` : sql``}
  ${domainId ? sql`and domain_id = any(${domainId}) and former_hostname is null` : sql``}
  ${tag ? sql`and deleted_at is null and tags && ${tag}` : sql``}`;

/** An aggregate over the imports of an organization. Each step of one moves its cursor and stamps the time. */
const VERSION_IN_SQL = `md5(string_agg(
  concat_ws(' ', imports.id, task, status, cursor, extract(epoch from imports.updated_at)), ',' order by imports.id))`;

/** Returns undefined unless the sums of all links are stored and none has changed since. */
export async function readStoredSums(
  sql: ISql,
  orgId: OrgId,
  { first, last }: DatesAsked,
): Promise<(ImportedSum & { byDay: ImportedDay[] }) | undefined> {
  const [stored] = await sql<(ImportedSum & { byDay: ImportedDay[] })[]>`
    select clicks::float8 as count, links, coalesce((
        select json_agg(json_build_object('date', day, 'count', each.count) order by day)
        from unnest(days, counts) as each(day, count) where day between ${first}::date and ${last}::date
      ), '[]') as "byDay"
    from former_click_sums where org_id = ${orgId}
      and version = (select ${sql.unsafe(VERSION_IN_SQL)} from imports where org_id = ${orgId})`;
  return stored;
}

/** Stores the sums of the organizations where they are missing or outdated, and returns how many these were. */
export async function storeImportedSums(sql: Sql, signal: AbortSignal): Promise<number> {
  const outdated = await sql<{ orgId: OrgId }[]>`
    select current.org_id as "orgId" from (
      select org_id, ${sql.unsafe(VERSION_IN_SQL)} as version from imports group by org_id
      having bool_and(status not in ('queued', 'running'))
    ) as current left join former_click_sums as stored on stored.org_id = current.org_id
    where stored.version is distinct from current.version`;
  let stored = 0;
  for (const { orgId } of outdated) {
    if (signal.aborted) break;
    if (await storeSums(sql, orgId)) stored++;
  }
  return stored;
}

/** The first and the last day that Postgres and a service can have in common. */
const ALL_DAYS: DatesAsked = { first: "0001-01-01", last: "9999-12-31" };

async function storeSums(sql: Sql, orgId: OrgId): Promise<boolean> {
  const { version, sum, byDay } = await sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const [imports] = await snapshot<{ version: string | null }[]>`
      select ${snapshot.unsafe(VERSION_IN_SQL)} as version from imports where org_id = ${orgId}`;
    const sum = await sumUp(snapshot, orgId, {});
    return { version: imports?.version, sum, byDay: await sumByDay(snapshot, orgId, {}, ALL_DAYS) };
  });
  if (!version) return false;
  return sql.begin(async (tx) => {
    // What is stored while the organization is being deleted would stay.
    const [organization] = await tx`select 1 from organizations where id = ${orgId} for key share`;
    if (!organization) return false;
    await tx`
      insert into former_click_sums (org_id, version, clicks, links, days, counts)
      values (${orgId}, ${version}, ${sum.count}, ${sum.links}, ${byDay.map(({ date }) => date)}::text[]::date[],
        ${byDay.map(({ count }) => String(count))}::text[]::bigint[])
      on conflict (org_id) do update set version = excluded.version, clicks = excluded.clicks, links = excluded.links,
        days = excluded.days, counts = excluded.counts`;
    return true;
  });
}
