/** Reads the counts of visits that were turned away, of all writers. */
import type { Fragment, ISql } from "postgres";
import type { UnservedReason } from "@/contract/analytics/unserved";
import { HOUR_MS, type Span } from "@/core/time/time-range";

export interface UnservedScope extends Span {
  domainId?: string;
  linkId?: string;
  reason?: UnservedReason;
  /** Bots are left out unless this is true. */
  includeBots?: boolean;
}

/**
 * Returns a subquery for the `from` clause, named `unserved`, with one row for each count in each writer's hour: by
 * link, by path (`address`) if no link was found, or by the reason alone. Hours that the span touches count in full.
 */
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
