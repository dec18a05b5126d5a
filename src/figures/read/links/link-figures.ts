/** Figures of an organization's links, of people: how many there are decides how questions about all links are answered. */
import type { Fragment } from "postgres";
import type { OrgId } from "@/core/ids";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { type FiguresScope, type Reader, type Source, sourcesOf, unionAll } from "../scope";

/** Of all links in one part of the range: read by the index of ranges. */
const ofLinks = (sql: Reader, orgId: OrgId, { start, span }: Source): Fragment => sql`
  org_id = ${orgId} and not is_bot and ${sql(start)} >= ${new Date(span.from)} and ${sql(start)} < ${new Date(span.to)}
  and link_id <> ${WHOLE_ORGANIZATION}`;

/** Whether there are so many figures of links in the range at most, however many links there are. */
export async function hasFewFigures(sql: Reader, orgId: OrgId, scope: FiguresScope, rowsMax: number): Promise<boolean> {
  const rows = await sql`
    select 1 from (
      select 1 as one where false
      ${unionAll(sql, sourcesOf(scope.whole), (source) => sql`select 1 from ${sql(source.figures)} where ${ofLinks(sql, orgId, source)}`)}
    ) as figures offset ${rowsMax} limit 1`;
  return rows.length === 0;
}

/** How many there are. */
export async function countFigures(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<number> {
  const [row] = await sql<{ figures: number }[]>`
    select coalesce(sum(figures), 0)::float8 as figures from (
      select 0::int8 as figures where false
      ${unionAll(sql, sourcesOf(scope.whole), (source) => sql`select count(*) from ${sql(source.figures)} where ${ofLinks(sql, orgId, source)}`)}
    ) as parts`;
  return row?.figures ?? 0;
}
