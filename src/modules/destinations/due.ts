/**
 * Finds the links and bio pages of all organizations whose destinations are to be checked next. Each query reads many
 * rows, along one index.
 */
import type { Fragment, Sql } from "postgres";
import type { OrgId } from "@/core/ids";

export interface DueDestination {
  id: string;
  orgId: OrgId;
}

export interface DuePage {
  due: DueDestination[];
  /** Number of links read. */
  looked: number;
}

export interface DueQuery {
  now: Date;
  /** Links checked after this instant are not due. */
  before: Date;
  /** But those checked after this one are: a clock was wrong. */
  ahead: Date;
  /** Links that nobody visited since then are not checked. */
  visitedSince: Date;
  page: number;
}

/** True for a link that has not ended, or sends its visitors on since it has. */
const leadsOn = (sql: Sql, now: Date) => sql`(expires_at is null or expires_at > ${now} or expired_url is not null)`;

/**
 * Takes the next page of due links of all organizations, those never checked first. Links that serve nobody, or that
 * nobody has visited since `visitedSince`, are put off in the same statement, so that they are not read again before
 * tomorrow. A link that has ended has no more clicks: visitors whom it sends on are among the unserved ones.
 *
 * The last click is looked up link by link: with `exists`, Postgres would aggregate the counters of all links for a
 * page.
 */
export async function takeDue(sql: Sql, { now, before, ahead, visitedSince, page }: DueQuery): Promise<DuePage> {
  const checked = (when: Fragment) => sql`
    select * from links where deleted_at is null and (${when}) order by destinations_checked_at nulls first limit ${page}`;
  const rows = await sql<(DueDestination & { isUsed: boolean })[]>`
    with page as materialized (
      select id, org_id, expired_url is not null as sends_on, is_active and ${leadsOn(sql, now)}
        and (starts_at is null or starts_at <= ${now}) and safety ->> 'status' <> 'unsafe' as is_serving,
        coalesce((
          select max(last_click_at) from link_counters where link_counters.link_id = links.id
        ) >= ${visitedSince}, false) as is_clicked
      from (
        (${checked(sql`destinations_checked_at is null or destinations_checked_at <= ${before}`)})
        union all (${checked(sql`destinations_checked_at > ${ahead}`)})
      ) as links
      limit ${page}
    ), sent_on as materialized (
      select counted."linkId" as id
      from unserved_visits, jsonb_to_recordset(counts) as counted (reason text, "linkId" uuid)
      where org_id in (select org_id from page where is_serving and sends_on and not is_clicked)
        and hour >= ${visitedSince} and not is_bot and counted.reason in ('expired', 'max_clicks_reached')
    ), judged as materialized (
      select id, org_id, is_serving and (is_clicked or sends_on and id in (select id from sent_on)) as is_used from page
    ), put_off as (
      update links set destinations_checked_at = ${now} from judged where links.id = judged.id and not judged.is_used
    )
    select id, org_id as "orgId", is_used as "isUsed" from judged`;
  const due = rows.filter(({ isUsed }) => isUsed).map(({ id, orgId }) => ({ id, orgId }));
  return { due, looked: rows.length };
}

export interface UnvisitedQuery {
  now: Date;
  /** Starts with the organizations after this one. */
  after: string;
  page: number;
}

const WAITING = "destinations_ask_at is not null and deleted_at is null";

/**
 * Takes the next page of links and bio pages whose destinations are to be checked although nobody visits them.
 * Organizations take turns, one link each and the newest first, so that a bulk of one organization's links does not
 * delay others. Links that serve nobody are no longer checked until that changes.
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
          is_active and ${leadsOn(sql, now)} and safety ->> 'status' <> 'unsafe' as is_served
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
