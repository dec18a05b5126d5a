/**
 * Counts the figures of an organization's links, for people only. Their number decides how questions about all links
 * are answered.
 */
import type { Fragment } from "postgres";
import type { OrgId } from "@/core/ids";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { type FiguresScope, type Reader, type Source, sourcesOf, unionAll } from "../scope";

/** Selects the figures of all links in one part of the range, to be read by the index of ranges. */
const ofLinks = (sql: Reader, orgId: OrgId, { start, span }: Source): Fragment => sql`
  org_id = ${orgId} and not is_bot and ${sql(start)} >= ${new Date(span.from)} and ${sql(start)} < ${new Date(span.to)}
  and link_id <> ${WHOLE_ORGANIZATION}`;

/** True if the range has at most `rowsMax` figures of links, no matter how many links there are. */
export async function hasFewFigures(sql: Reader, orgId: OrgId, scope: FiguresScope, rowsMax: number): Promise<boolean> {
  const rows = await sql`
    select 1 from (
      select 1 as one where false
      ${unionAll(sql, sourcesOf(scope.whole), (source) => sql`select 1 from ${sql(source.figures)} where ${ofLinks(sql, orgId, source)}`)}
    ) as figures offset ${rowsMax} limit 1`;
  return rows.length === 0;
}

/** Returns the number of figures of links in the range. */
export async function countFigures(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<number> {
  const [row] = await sql<{ figures: number }[]>`
    select coalesce(sum(figures), 0)::float8 as figures from (
      select 0::int8 as figures where false
      ${unionAll(sql, sourcesOf(scope.whole), (source) => sql`select count(*) from ${sql(source.figures)} where ${ofLinks(sql, orgId, source)}`)}
    ) as parts`;
  return row?.figures ?? 0;
}
