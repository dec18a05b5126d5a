/**
 * Reads figures that overviews lack, for several links at once: installs and events. Every query starts from the
 * organization and reads short index ranges.
 */
import { and, count, eq, inArray, isNull } from "drizzle-orm";
import type { ISql, Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import type { LinkTotals } from "@/core/insights/destination-figures";
import { COUNTED, WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { linkAdmissions, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/** Ids as a table to join with. An array in a comparison would be evaluated again for each row. */
export const idTable = (sql: ISql, ids: readonly (string | null)[]) =>
  sql`unnest(${idsOf(ids)}::text::uuid[]) as asked (id)`;
const idsOf = (ids: readonly (string | null)[]) => `{${ids.map((id) => id ?? WHOLE_ORGANIZATION).join(",")}}`;

/** Counts the links that are not deleted, up to `most`. */
export async function countLinks(db: Db, orgId: OrgId, most: number): Promise<number> {
  const live = and(eq(links.orgId, orgId), eq(links.kind, "link"), isNull(links.deletedAt));
  const counted = db.select({ id: links.id }).from(links).where(live).limit(most).as("counted");
  const [row] = await db.select({ count: count() }).from(counted);
  return row?.count ?? 0;
}

/** Reads how many places of their `maxClicks` the links have given away; links that never had a limit are absent. */
export async function readAdmitted(db: Db, orgId: OrgId, ids: readonly string[]): Promise<Map<string, number>> {
  const { linkId, admitted } = linkAdmissions;
  const ofLinks = and(eq(linkAdmissions.orgId, orgId), inArray(linkId, [...ids]));
  const rows = ids.length === 0 ? [] : await db.select({ linkId, admitted }).from(linkAdmissions).where(ofLinks);
  return new Map(rows.map((row) => [row.linkId, row.admitted]));
}

export interface TotalsQuery {
  /** Each link with the start of its period in Unix milliseconds. */
  links: readonly { linkId: string; since: number }[];
  to: number;
  includeBots: boolean;
  /** Maximum count of each kind per link. */
  most: number;
}

/** Reads the installs and custom events of each link. */
export async function readInsightTotals(sql: Sql, orgId: OrgId, query: TotalsQuery): Promise<Map<string, LinkTotals>> {
  const { links, to, includeBots, most } = query;
  const ofHumans = includeBots ? sql`` : sql`and not is_bot`;
  const sinces = `{${links.map(({ since }) => new Date(since).toISOString()).join(",")}}`;
  const within = (table: "opens" | "events") => sql`
    ${sql(table)} where org_id = ${orgId} and link_id = asked.id
      and occurred_at >= asked.since and occurred_at < ${new Date(to)}`;
  const rows = await sql<({ linkId: string } & LinkTotals)[]>`
    select asked.id as "linkId",
      (select count(*) from (select 1 from ${within("opens")} and source = 'deferred' and ${sql.unsafe(COUNTED)} ${ofHumans} limit ${most}) as o)::float8 as installs,
      (select count(*) from (select 1 from ${within("events")} limit ${most}) as e)::float8 as events
    from unnest(${idsOf(links.map(({ linkId }) => linkId))}::text::uuid[], ${sinces}::text::timestamptz[]) as asked (id, since)`;
  return new Map(rows.map(({ linkId, ...totals }) => [linkId, totals]));
}
