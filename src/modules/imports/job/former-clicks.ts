/** Keeps the clicks that links had at another service counted once, however often they are imported and deleted. */
import type { OrgId } from "@/core/ids";
import { statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";

/**
 * Clears the former clicks of deleted links that were imported before under one of these ids: the links that have just
 * been imported have them now. Written like the queries of `taken.ts`, for the same reason.
 */
export async function takeOverClicks(
  tx: Tx,
  orgId: OrgId,
  source: string,
  sourceIds: readonly string[],
): Promise<void> {
  if (sourceIds.length === 0) return;
  await statementsOn(tx).run(
    `update links set clicks_before = null where id in (
       select found.id from json_array_elements_text($3::text::json) as wanted(imported_id)
       cross join lateral (select id from links
         where imported_id = wanted.imported_id and imported_source = $2 and (org_id = $1::uuid) is true
           and deleted_at is not null and clicks_before is not null) as found)`,
    [orgId, source, JSON.stringify(sourceIds)],
  );
}
