/** Finds what people know the resources of audit entries by, as far as these resources still exist. */
import { sql } from "drizzle-orm";
import { isUuid, type OrgId } from "@/core/ids";
import type { Drizzle } from "@/platform/db/client";
import type { AuditLogRow } from "./store";

/** Returns the names by id. A deleted link still has its own. */
export async function resourceNames(
  db: Drizzle,
  orgId: OrgId,
  rows: readonly Pick<AuditLogRow, "resourceId">[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ resourceId }) => resourceId))].filter(isUuid);
  if (ids.length === 0) return new Map();
  const named = sql`any(${`{${ids}}`}::uuid[])`;
  const found = await db.execute<{ id: string; name: string }>(sql`
    select id, coalesce(nullif(title, ''), slug) as name from links where org_id = ${orgId} and id = ${named}
    union all select id, hostname from domains where org_id = ${orgId} and id = ${named}
    union all select id, name from app_profiles where org_id = ${orgId} and id = ${named}
    union all select id, name from reports where org_id = ${orgId} and id = ${named}
    union all select id, url from webhooks where org_id = ${orgId} and id = ${named}
    union all select memberships.id, coalesce(sso_identities.email, users.email, invited_email) from memberships
      left join users on users.id = user_id left join sso_identities on sso_identities.id = memberships.id
      where memberships.org_id = ${orgId} and memberships.id = ${named}`);
  return new Map(found.map(({ id, name }) => [id, name]));
}
