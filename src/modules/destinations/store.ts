/** Links as their destinations are asked for, and what came of it. Everything but what is due asks for one organization's. */
import type { Sql } from "postgres";
import type { CtaOverlay } from "@/contract/links/link-pages";
import type { RoutingRule, SplitTarget } from "@/contract/routing";
import type { OrgId } from "@/core/ids";
import type { CheckState } from "@/core/insights/broken/destination-health";

export interface DueDestination {
  id: string;
  orgId: OrgId;
}

export interface DuePage {
  due: DueDestination[];
  /** How many links were looked at for it. */
  looked: number;
}

export interface DueQuery {
  now: Date;
  /** Links looked at since are not due. */
  before: Date;
  /** Links without a click since are not asked for. */
  clickedSince: Date;
  page: number;
}

/**
 * The next page of links of all organizations whose time has come, those never looked at first. Whoever serves nobody, or was
 * visited by nobody for so long, is put off by the way, so that it is not in the way of others again before tomorrow.
 */
export async function takeDue(sql: Sql, { now, before, clickedSince, page }: DueQuery): Promise<DuePage> {
  const rows = await sql<(DueDestination & { isUsed: boolean })[]>`
    with page as materialized (
      select id, org_id, kind = 'link' and is_active and (expires_at is null or expires_at > ${now})
        and (starts_at is null or starts_at <= ${now}) and safety ->> 'status' <> 'unsafe'
        and exists (
          select 1 from link_counters where link_counters.link_id = links.id and last_click_at >= ${clickedSince}
        ) as is_used
      from links
      where deleted_at is null and (destinations_checked_at is null or destinations_checked_at <= ${before})
      order by destinations_checked_at nulls first limit ${page}
    ), put_off as (
      update links set destinations_checked_at = ${now} from page where links.id = page.id and not page.is_used
    )
    select id, org_id as "orgId", is_used as "isUsed" from page`;
  const due = rows.filter(({ isUsed }) => isUsed).map(({ id, orgId }) => ({ id, orgId }));
  return { due, looked: rows.length };
}

export interface UnvisitedQuery {
  now: Date;
  /** Organizations behind this one have their turn. */
  after: string;
  page: number;
}

const WAITING = "destinations_ask_at is not null and deleted_at is null and kind = 'link'";

/**
 * The next page of links whose destinations are to be asked for though nobody visits them. Organizations have their turns, a
 * link each, so that one's bulk of links keeps no other waiting, and of each the newest comes first. Whoever serves nobody is
 * asked for no more until that changes.
 */
export async function takeUnvisited(sql: Sql, { now, after, page }: UnvisitedQuery): Promise<DuePage> {
  const waiting = sql`${sql.unsafe(WAITING)} and destinations_ask_at <= ${now}`;
  const rows = await sql<(DueDestination & { isServed: boolean })[]>`
    with recursive turns as (
      (select org_id from links where ${waiting} and org_id > ${after} order by org_id limit 1)
      union all
      select (select links.org_id from links where ${waiting} and links.org_id > turns.org_id order by links.org_id limit 1)
      from turns where turns.org_id is not null
    ), page as materialized (
      select newest.* from (select org_id from turns where org_id is not null limit ${page}) as turns cross join lateral (
        select id, org_id, row_number() over (order by destinations_ask_at desc, id desc) as place,
          is_active and (expires_at is null or expires_at > ${now}) and safety ->> 'status' <> 'unsafe' as is_served
        from links where links.org_id = turns.org_id and ${waiting}
        order by destinations_ask_at desc, id desc limit ${page}
      ) as newest
      order by place, org_id limit ${page}
    ), put_off as (
      update links set destinations_ask_at = null from page where links.id = page.id and not page.is_served
    )
    select id, org_id as "orgId", is_served as "isServed" from page order by org_id`;
  const due = rows.filter(({ isServed }) => isServed).map(({ id, orgId }) => ({ id, orgId }));
  return { due, looked: rows.length };
}

export interface CheckedLink {
  version: number;
  defaultUrl: string;
  rules: RoutingRule[];
  splitTargets: SplitTarget[];
  ctaOverlay: CtaOverlay | null;
}

/** Undefined once it is deleted. */
export async function findCheckedLink(sql: Sql, orgId: OrgId, id: string): Promise<CheckedLink | undefined> {
  const [link] = await sql<CheckedLink[]>`
    select version, default_url as "defaultUrl", rules, split_targets as "splitTargets", cta_overlay as "ctaOverlay"
    from links where org_id = ${orgId} and id = ${id} and deleted_at is null`;
  return link;
}

/** Those of these hosts that this service itself serves. */
export async function servedAmong(sql: Sql, hosts: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ hostname: string }[]>`
    select hostname from domains where hostname in ${sql(["", ...hosts])} and is_verified`;
  return new Set(rows.map(({ hostname }) => hostname));
}

export type KnownCheck = CheckState & { url: string };

/** By link; those without any are absent. */
export async function readChecks(
  sql: Sql,
  orgId: OrgId,
  linkIds: readonly string[],
): Promise<Map<string, KnownCheck[]>> {
  const rows = await sql<(KnownCheck & { linkId: string })[]>`
    select link_id as "linkId", url, status, http_status as "httpStatus", error, failures,
      extract(epoch from failing_since)::float8 * 1000 as "failingSince",
      extract(epoch from checked_at)::float8 * 1000 as "checkedAt"
    from unnest(${`{${linkIds.join(",")}}`}::text::uuid[]) as asked (id) join destination_checks on link_id = asked.id
    where org_id = ${orgId} order by url`;
  return Map.groupBy(rows, ({ linkId }) => linkId);
}

export interface KeptChecks {
  orgId: OrgId;
  linkId: string;
  /** As it was read. */
  version: number;
  /** From when on the link counts as looked at. */
  checkedAt: Date;
  /** From when on it is looked at again though nobody visits it. */
  askAt: Date | null;
  checks: readonly KnownCheck[];
}

/** Replaces what is known of the link's destinations, unless it has changed since it was read: then false. */
export function keepChecks(
  sql: Sql,
  { orgId, linkId, version, checkedAt, askAt, checks }: KeptChecks,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const updated = await tx`
      update links set destinations_checked_at = ${checkedAt}, destinations_ask_at = ${askAt}
      where org_id = ${orgId} and id = ${linkId} and version = ${version} and deleted_at is null returning 1`;
    if (updated.length === 0) return false;
    await tx`delete from destination_checks where link_id = ${linkId}`;
    if (checks.length > 0)
      await tx`insert into destination_checks ${tx(checks.map((check) => rowOf(orgId, linkId, check)))}`;
    return true;
  });
}

const rowOf = (orgId: OrgId, linkId: string, check: KnownCheck) => ({
  link_id: linkId,
  url_hash: new Bun.CryptoHasher("sha256").update(check.url).digest(),
  org_id: orgId,
  url: check.url,
  status: check.status,
  http_status: check.httpStatus,
  error: check.error,
  failing_since: check.failingSince === null ? null : new Date(check.failingSince),
  failures: check.failures,
  checked_at: new Date(check.checkedAt),
});
