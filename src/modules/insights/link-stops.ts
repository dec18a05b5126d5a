/**
 * Reads when links were out of use: from the links themselves, from their revisions, and from what the audit log says of
 * their domains.
 */
import type { Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import { type LinkStop, type StateChange, stopsOf } from "@/core/insights/link-stops";
import { idTable } from "./store";

interface StopRow {
  linkId: string;
  isActive: boolean;
  isArchived: boolean;
  /** In Unix milliseconds, as are the next ones. */
  startsAt: number | null;
  expiresAt: number | null;
  deletedAt: number | null;
  /** The last click of a link all of whose visits are used up. */
  usedUpAt: number | null;
  isVerified: boolean;
  changes: { at: number; field: StateChange["field"]; from: boolean | string | null; to: boolean | string | null }[];
}

/** Returns the stops by link; a link that was in use all the time has none. */
export async function readStops(sql: Sql, orgId: OrgId, linkIds: readonly string[]): Promise<Map<string, LinkStop[]>> {
  if (linkIds.length === 0) return new Map();
  const ms = (instant: string) => sql`(extract(epoch from ${sql(instant)}) * 1000)::float8`;
  const rows = await sql<StopRow[]>`
    select links.id as "linkId", is_active as "isActive", is_archived as "isArchived",
      ${ms("starts_at")} as "startsAt", ${ms("expires_at")} as "expiresAt", ${ms("deleted_at")} as "deletedAt",
      case when admitted >= max_clicks then (
        select max(${ms("last_click_at")}) from link_counters where org_id = ${orgId} and link_id = links.id
      ) end as "usedUpAt", is_verified as "isVerified", changes::jsonb || verifications::jsonb as changes
    from ${idTable(sql, linkIds)} join links on links.org_id = ${orgId} and links.id = asked.id
    join domains on domains.id = links.domain_id and (domains.org_id = ${orgId} or domains.org_id is null)
    left join link_admissions on link_admissions.org_id = ${orgId} and link_admissions.link_id = asked.id
    cross join lateral (
      select coalesce(json_agg(json_build_object('at', ${ms("changed_at")},
        'field', change->'field', 'from', change->'from', 'to', change->'to') order by version), '[]') as changes
      from link_revisions cross join lateral jsonb_array_elements(changes) as change
      where org_id = ${orgId} and link_id = asked.id
        and change->>'field' in ('isActive', 'isArchived', 'startsAt', 'expiresAt')
    ) as changed
    cross join lateral (
      select coalesce(json_agg(json_build_object('at', ${ms("created_at")}, 'field', 'isVerified',
        'from', action = 'domain.unverify', 'to', action = 'domain.verify') order by created_at, id), '[]') as verifications
      from audit_logs where org_id = ${orgId} and action in ('domain.verify', 'domain.unverify')
        and resource_type = 'domain' and resource_id = links.domain_id::text
    ) as verified`;
  return new Map(
    rows.map(({ linkId, changes, ...state }) => [
      linkId,
      stopsOf(
        state,
        changes.map(({ from, to, ...change }) => ({ ...change, from: inMs(from), to: inMs(to) })),
      ),
    ]),
  );
}

const inMs = (value: boolean | string | null): StateChange["to"] =>
  typeof value === "string" ? Date.parse(value) : value;
