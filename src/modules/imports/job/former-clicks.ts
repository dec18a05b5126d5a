/**
 * Keeps former clicks counted once, however often links are imported, replaced, deleted and rolled back. Written like
 * the queries of `taken.ts`, for the same reason.
 */
import type { OrgId } from "@/core/ids";
import { statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";
import type { LedgerRow } from "../ledger";

/** The former clicks that deleted links had. */
export interface TakenOver {
  clicks: number;
  from: string[];
}

/**
 * Clears the former clicks of deleted links that were imported before under one of these ids: the links that have just
 * been imported have them now. Returns what was cleared, by that id.
 */
export async function takeOverClicks(
  tx: Tx,
  orgId: OrgId,
  source: string,
  sourceIds: readonly string[],
): Promise<Map<string, TakenOver>> {
  if (sourceIds.length === 0) return new Map();
  const rows = await statementsOn(tx).run<{ imported_id: string; clicks: number; from: string[] }>(
    `with found as (
       select found.* from json_array_elements_text($3::text::json) as wanted(imported_id)
       cross join lateral (select id, links.imported_id, clicks_before from links
         where imported_id = wanted.imported_id and imported_source = $2 and (org_id = $1::uuid) is true
           and deleted_at is not null and clicks_before is not null) as found),
     cleared as (update links set clicks_before = null where id in (select id from found))
     select imported_id, sum(clicks_before)::float8 as clicks, array_agg(id::text) as from from found group by imported_id`,
    [orgId, source, JSON.stringify(sourceIds)],
  );
  return new Map(rows.map(({ imported_id, ...taken }) => [imported_id, taken]));
}

/** Clears the former clicks of deleted links whose own exports have just been imported. */
export async function passOnClicks(tx: Tx, orgId: OrgId, linkIds: readonly string[]): Promise<void> {
  if (linkIds.length === 0) return;
  await statementsOn(tx).run(
    `update links set clicks_before = null where org_id = $1 and deleted_at is not null
       and id in (select id::uuid from json_array_elements_text($2::text::json) as given(id))`,
    [orgId, JSON.stringify(linkIds)],
  );
}

/** Leaves removed links only the former clicks that they had taken over from links deleted before. */
export async function dropClicks(tx: Tx, orgId: OrgId, removed: readonly LedgerRow[]): Promise<void> {
  if (removed.length === 0) return;
  await statementsOn(tx).run(
    `update links set clicks_before = former from json_to_recordset($2::text::json) as given(link uuid, former bigint)
     where id = link and org_id = $1 and clicks_before is not null`,
    [orgId, JSON.stringify(removed.map(({ linkId, clicksReplaced }) => ({ link: linkId, former: clicksReplaced })))],
  );
}

/**
 * Gives replaced links the former clicks that they had. Where a later import has brought others since, these stay, and
 * what the link had is what a rollback of that import has to give back.
 */
export async function giveClicksBack(
  tx: Tx,
  orgId: OrgId,
  importId: string,
  rows: readonly LedgerRow[],
): Promise<void> {
  const given = rows.filter(({ result, clicksBefore }) => result === "replaced" && clicksBefore);
  if (given.length === 0) return;
  const text = JSON.stringify(
    given.map(({ linkId, clicksBefore, clicksReplaced }) => ({
      ...{ link: linkId, imported: clicksBefore, former: clicksReplaced },
    })),
  );
  const { run } = statementsOn(tx);
  const passed = await run<{ link_id: string }>(
    `update import_rows as later set clicks_replaced = next.former from (
       select distinct on (link) link, former, import_id, row, part
       from json_to_recordset($3::text::json) as given(link uuid, former bigint)
       join import_rows on link_id = link and result = 'replaced' and clicks_before > 0
       where import_id in (select id from imports where org_id = $1 and id > $2)
       order by link, import_id, row, part) as next
     where later.import_id = next.import_id and later.row = next.row and later.part = next.part
     returning later.link_id`,
    [orgId, importId, text],
  );
  await run(
    `update links set clicks_before = former
     from json_to_recordset($2::text::json) as given(link uuid, imported bigint, former bigint)
     where id = link and org_id = $1 and clicks_before = imported
       and id not in (select id::uuid from json_array_elements_text($3::text::json) as passed(id))`,
    [orgId, text, JSON.stringify(passed.map(({ link_id }) => link_id))],
  );
}
