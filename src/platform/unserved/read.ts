/** Reads the counts of visits that were turned away, over all writers. */
import type { Fragment, ISql } from "postgres";
import type { UnservedReason } from "@/contract/analytics/unserved";
import { HOUR_MS, type Span } from "@/core/time/time-range";

/** At most one of `linkId` and `address` is given; neither for visits that are counted only by their reason. */
export interface UnservedCount {
  linkId: string | null;
  /** The requested path, if no link was found. */
  address: string | null;
  domainId: string;
  reason: UnservedReason;
  count: number;
}

export interface UnservedScope extends Span {
  domainId?: string;
  linkId?: string;
  reason?: UnservedReason;
  /** Bots are left out unless this is true. */
  includeBots?: boolean;
}

/**
 * Returns the most frequent counts first; those of people, unless `includeBots`. Hours that the span touches count in
 * full.
 */
export async function readUnserved(sql: ISql, orgId: string, scope: UnservedScope): Promise<UnservedCount[]> {
  return sql<UnservedCount[]>`
    select link_id as "linkId", address, domain_id as "domainId", reason, sum(count)::float8 as count
    from ${unservedOf(sql, orgId, scope)}
    group by link_id, address, domain_id, reason
    order by count desc, reason, domain_id, link_id, address`;
}

/** Returns a subquery to stand after `from`, with one row for each count in each writer's hour. */
export function unservedOf(sql: ISql, orgId: string, scope: UnservedScope): Fragment {
  const { from, to, domainId, linkId, reason, includeBots = false } = scope;
  const start = new Date(from - (from % HOUR_MS));
  return sql`(
    select hour, domain_id, counted.reason, counted."linkId" as link_id, counted.address, counted.count
    from unserved_visits, jsonb_to_recordset(counts) as counted (reason text, "linkId" uuid, address text, count bigint)
    where org_id = ${orgId} and hour >= ${start} and hour < ${new Date(to)}
      ${includeBots ? sql`` : sql`and not is_bot`}
      ${domainId === undefined ? sql`` : sql`and domain_id = ${domainId}`}
      ${linkId === undefined ? sql`` : sql`and counted."linkId" = ${linkId}`}
      ${reason === undefined ? sql`` : sql`and counted.reason = ${reason}`}
  ) as unserved`;
}
