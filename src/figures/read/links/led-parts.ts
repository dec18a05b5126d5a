/**
 * Reads the days and hours in which people clicked, each with the version of its figures, and the most clicked links
 * of each.
 */
import type { OrgId } from "@/core/ids";
import type { WholeSpans } from "@/core/time/time-range";
import { arrayLiteral } from "@/platform/db/array-literals";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { PEOPLE_BY_KEY, type Reader, type Source, sourcesOf } from "../scope";
import { ClickList } from "./click-list";

/** The number of leaders kept for each part. */
export const LEADERS_MAX = 1_000;

/** A day or hour in which people clicked. */
export interface ClickedPart {
  source: Source;
  start: number;
  version: string;
}

export interface PartLeaders {
  links: ClickList;
  /** No other link has more clicks. */
  rest: number;
}

/**
 * An aggregate over the rows of a whole organization in one day or hour, of people only. Whatever changes the figures
 * of a link changes these rows.
 */
export const LEADERS_VERSION_IN_SQL =
  "sum(clicks) || ' ' || string_agg(writer || ' ' || xmin::text || ' ' || ctid::text || coalesce(' ' || revision, ''), ',' order by writer)";

/** Returns the parts in time order. */
export async function readParts(sql: Reader, orgId: OrgId, spans: WholeSpans): Promise<ClickedPart[]> {
  const parts = await Promise.all(
    sourcesOf(spans).map(async (source) => {
      const { figures, start, span } = source;
      const rows = await sql<{ start: number; version: string }[]>`
        select extract(epoch from ${sql(start)})::float8 * 1000 as start, ${sql.unsafe(LEADERS_VERSION_IN_SQL)} as version
        from ${sql(figures)}
        where org_id = ${orgId} and link_id = ${WHOLE_ORGANIZATION} and ${sql.unsafe(PEOPLE_BY_KEY)}
          and ${sql(start)} >= ${new Date(span.from)} and ${sql(start)} < ${new Date(span.to)}
        group by 1`;
      return rows.map((row): ClickedPart => ({ source, ...row }));
    }),
  );
  return parts.flat().sort((a, b) => a.start - b.start);
}

interface LeadersRow {
  start: number;
  ids: Buffer;
  clicks: Buffer;
  rest: number;
}

/** Returns the first `max` links of each part, found among the figures of all links. */
export async function readLeaders(
  sql: Reader,
  orgId: OrgId,
  parts: readonly ClickedPart[],
  max: number,
): Promise<Map<ClickedPart, PartLeaders>> {
  const found = new Map<ClickedPart, PartLeaders>();
  for (const [level, own] of Map.groupBy(parts, ({ source }) => source.start)) {
    const [figures] = own.map(({ source }) => source.figures);
    if (!figures) continue;
    const starts = arrayLiteral(own.map(({ start }) => new Date(start).toISOString()));
    const rows = await sql<LeadersRow[]>`
      select extract(epoch from asked.start)::float8 * 1000 as start,
        coalesce(string_agg(uuid_send(link_id), '' order by link_id) filter (where place <= ${max}), '') as ids,
        coalesce(string_agg(int4send(clicks::int), '' order by link_id) filter (where place <= ${max}), '') as clicks,
        coalesce(max(clicks) filter (where place > ${max}), 0)::float8 as rest
      from unnest(${starts}::text::timestamptz[]) as asked (start) left join lateral (
        select *, row_number() over (order by clicks desc, link_id) as place from (
          select link_id, sum(clicks) as clicks from ${sql(figures)}
          where org_id = ${orgId} and ${sql(level)} = asked.start and not is_bot and link_id <> ${WHOLE_ORGANIZATION}
          group by link_id having sum(clicks) > 0 order by 2 desc, 1 limit ${max + 1}
        ) as first
      ) as leaders on true group by 1`;
    const byStart = new Map(rows.map((row) => [row.start, row]));
    for (const part of own) {
      const row = byStart.get(part.start);
      if (row) found.set(part, { links: new ClickList(row.ids, row.clicks), rest: row.rest });
    }
  }
  return found;
}

/** Sums single figures by link. */
export async function lookUp(
  sql: Reader,
  orgId: OrgId,
  asked: readonly { linkId: string; part: ClickedPart }[],
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const [level, own] of Map.groupBy(asked, ({ part }) => part.source.start)) {
    const [figures] = own.map(({ part }) => part.source.figures);
    if (!figures) continue;
    const ids = arrayLiteral(own.map(({ linkId }) => linkId));
    const starts = arrayLiteral(own.map(({ part }) => new Date(part.start).toISOString()));
    const rows = await sql<{ linkId: string; clicks: number }[]>`
      select asked.id as "linkId", sum(figures.clicks)::float8 as clicks
      from unnest(${ids}::text::uuid[], ${starts}::text::timestamptz[]) as asked (id, start) cross join lateral (
        select clicks from ${sql(figures)}
        where org_id = ${orgId} and link_id = asked.id and ${sql(level)} = asked.start and ${sql.unsafe(PEOPLE_BY_KEY)}
      ) as figures group by 1`;
    for (const { linkId, clicks } of rows) sums.set(linkId, (sums.get(linkId) ?? 0) + clicks);
  }
  return sums;
}
