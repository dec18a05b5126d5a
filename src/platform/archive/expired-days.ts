/**
 * The clicks of people, by link and day, that are counted in figures but no longer kept one by one. An archive has no
 * figures, but these, since nothing else in it tells of them: where it is restored, they are former clicks of the links.
 */
import type { Sql, TransactionSql } from "postgres";
import { rowOf } from "./records";

/** Before all links. */
const FIRST = "00000000-0000-0000-0000-000000000000";

/** Returns the lines of up to `limit` links after this one, and more only if these have none. */
export async function readExpiredDays(sql: Sql, orgId: string, after: string[] | null, limit: number) {
  const [kept] = await sql<{ instant: string }[]>`
    select kept_from::text as instant from raw_retention where org_id = ${orgId}`;
  if (!kept) return { lines: [], next: undefined };
  for (let from = after?.[0] ?? FIRST; ; ) {
    const rows = await sql<{ id: string; days: number; line: string }[]>`
      select links.id, days, line from (
        select id from links where org_id = ${orgId} and id > ${from} order by id limit ${limit}
      ) as links cross join lateral (
        select count(*)::int as days,
          jsonb_build_object('link_id', links.id, 'days', json_object_agg(day, clicks order by day))::text as line
        from (
          select timezone('UTC', figures_daily.day)::date as day, sum(clicks) as clicks from figures_daily
          where org_id = ${orgId} and link_id = links.id and figures_daily.day < ${kept.instant}::text::timestamptz
            and is_bot is not true
          group by figures_daily.day having sum(clicks) > 0
        ) as days
      ) as counted order by links.id`;
    const lines = rows.flatMap(({ line, days }) => (days > 0 ? line : []));
    const last = rows.at(-1)?.id;
    if (last === undefined || rows.length < limit) return { lines, next: undefined };
    if (lines.length > 0) return { lines, next: [last] };
    from = last;
  }
}

/**
 * Adds the days to the former clicks that restored links have. Returns how many clicks these are; none of links that
 * were not restored.
 */
export async function restoreExpiredDays(tx: TransactionSql, orgId: string, lines: readonly string[]): Promise<number> {
  for (const line of lines) rowOf(line);
  const [restored] = await tx<{ clicks: number }[]>`
    with expired as (
      select links.id, each.day::date as day, each.count::bigint as count
      from jsonb_to_recordset(${`[${lines.join(",")}]`}::text::jsonb) as given (link_id uuid, days jsonb)
      join links on links.id = given.link_id and links.org_id = ${orgId}
      cross join lateral jsonb_each_text(given.days) as each (day, count)
    ), added as (
      update links set clicks_before = coalesce(clicks_before, 0) + more.clicks
      from (select id, sum(count) as clicks from expired group by id) as more
      where links.id = more.id and links.org_id = ${orgId} returning more.clicks
    ), former as (
      select distinct on (link_id) link_id, days, counts from former_click_days
      where org_id = ${orgId} and link_id in (select id from expired) order by link_id, import_id desc
    ), days as (
      select id, day, sum(count)::bigint as count from (
        select id, day, count from expired
        union all select link_id, day, count from former cross join lateral unnest(days, counts) as each (day, count)
      ) as every group by id, day
    ), told as (
      insert into former_click_days (org_id, link_id, import_id, days, counts, total, last_day)
      select ${orgId}, id, ${Bun.randomUUIDv7()}, array_agg(day order by day), array_agg(count order by day), sum(count),
        max(day)
      from days group by id
    )
    select coalesce(sum(clicks), 0)::float8 as clicks from added`;
  return restored?.clicks ?? 0;
}
