/** Decides whether figures of a link may be requested: it must be the organization's, deleted or not. */
import { isUuid, type OrgId } from "@/core/ids";
import type { Reader } from "@/figures/read/scope";

export async function isKnownLink(sql: Reader, orgId: OrgId, linkId: string): Promise<boolean> {
  if (!isUuid(linkId)) return false;
  const rows = await sql`select 1 from links where id = ${linkId} and org_id = ${orgId}`;
  return rows.length > 0;
}
