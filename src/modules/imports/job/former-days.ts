/** Keeps the days of former clicks with the links that have these clicks. */
import type { OrgId } from "@/core/ids";
import { jsonRows } from "@/platform/db/json-rows";
import { formerClickDays } from "@/platform/db/schema";
import { preparedStatementsOn, statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";
import type { LedgerRow } from "../ledger";
import type { ImportJob } from "../store";
import type { RowOutcome } from "./settle";

const given = jsonRows(formerClickDays);

/** A file may have a link twice, and in between it may have been deleted: its days have moved to the second one then. */
const INSERT = `${given.insertFrom("$1")} on conflict (link_id, import_id) do update
  set days = excluded.days, counts = excluded.counts, total = excluded.total, last_day = excluded.last_day`;

/** Days per statement: a thousand links may have some of twenty years each. */
const DAYS_AT_ONCE = 100_000;

/** Stores the days of the links that were created or replaced. */
export async function insertDays(tx: Tx, { id, orgId }: ImportJob, settled: readonly RowOutcome[]): Promise<void> {
  const rows = settled.flatMap(({ linkId, make, replace }) => {
    const { clicksByDay } = make ?? replace?.candidate ?? {};
    if (linkId === undefined || !clicksByDay) return [];
    const [days, counts] = [Object.keys(clicksByDay), Object.values(clicksByDay)];
    const total = counts.reduce((sum, count) => sum + count, 0);
    return [{ orgId, linkId, importId: id, days, counts, total, lastDay: days.at(-1) ?? "" }];
  });
  for (let from = 0, days = 0, to = 1; to <= rows.length; to++) {
    days += rows[to - 1]?.days.length ?? 0;
    if (days < DAYS_AT_ONCE && to < rows.length) continue;
    await preparedStatementsOn(tx).run(INSERT, [given.write(rows.slice(from, to))]);
    [from, days] = [to, 0];
  }
}

/** Moves the days of deleted links to those that take over their clicks. */
export async function moveDays(tx: Tx, orgId: OrgId, moves: readonly { from: string; to: string }[]): Promise<void> {
  if (moves.length === 0) return;
  await statementsOn(tx).run(
    `with moved as (delete from former_click_days as former
       using json_to_recordset($2::text::json) as given("from" uuid, "to" uuid)
       where former.org_id = $1 and former.link_id = given."from" returning former.*, given."to")
     insert into former_click_days (org_id, link_id, import_id, days, counts, total, last_day)
     select distinct on ("to", import_id) org_id, "to", import_id, days, counts, total, last_day
     from moved order by "to", import_id, last_day desc, link_id
     on conflict do nothing`,
    [orgId, JSON.stringify(moves)],
  );
}

/** Deletes the days that an import has brought to these links. */
export async function deleteDays(tx: Tx, { id, orgId }: ImportJob, rows: readonly LedgerRow[]): Promise<void> {
  if (rows.length === 0) return;
  await statementsOn(tx).run(
    `delete from former_click_days where org_id = $1 and import_id = $2
       and link_id in (select id::uuid from json_array_elements_text($3::text::json) as given(id))`,
    [orgId, id, JSON.stringify(rows.map(({ linkId }) => linkId))],
  );
}
