/** Lets links with `maxClicks` keep counting where they were. */
import { statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";
import type { ImportJob } from "../store";
import type { RowOutcome } from "./settle";

const ADMITTED_MAX = 2_147_483_647;

/** Counts the visits that created and replaced links have admitted before. A replaced link that has more keeps its own. */
export async function storeAdmittedVisits(tx: Tx, { orgId }: ImportJob, settled: readonly RowOutcome[]): Promise<void> {
  const rows = settled.flatMap(({ linkId, make, replace }) => {
    const { input, admittedVisits = 0 } = make ?? replace?.candidate ?? {};
    if (linkId === undefined || !input?.maxClicks || admittedVisits <= 0) return [];
    return [{ link: linkId, admitted: Math.min(admittedVisits, ADMITTED_MAX) }];
  });
  if (rows.length === 0) return;
  await statementsOn(tx).run(
    `insert into link_admissions (org_id, link_id, admitted)
     select $1::uuid, link, max(admitted) from json_to_recordset($2::text::json) as given(link uuid, admitted integer)
     group by link order by link
     on conflict (link_id) do update set admitted = greatest(link_admissions.admitted, excluded.admitted)`,
    [orgId, JSON.stringify(rows)],
  );
}
