/**
 * Lets leads follow the verdicts on the clicks that they came from: a lead counts unless its click was confirmed as
 * abuse. It stays in its link's list either way, since it is the customer's.
 *
 * A lead that is being recorded holds its click's row (`recordLead`), so that a verdict waits for it and finds it, or
 * it finds the verdict.
 */
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import type { ClickRow } from "@/figures/dimensions";
import { arrayLiteral } from "@/platform/db/array-literals";
import { COUNTED, WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { takeAnyLane } from "@/platform/db/lanes";
import { LEADS_NAME } from "@/platform/db/schema/events";
import type { Statements } from "@/platform/db/statements";

interface MovedLead {
  linkId: string;
  /** Unix milliseconds. */
  at: number;
}

/** Call it after the clicks' rows have their verdict. */
export async function moveLeads(
  tx: Statements,
  orgId: string,
  clicks: readonly Pick<ClickRow, "id" | "linkId">[],
  isCounted: boolean,
): Promise<void> {
  if (clicks.length === 0) return;
  const moved = await tx.run<MovedLead>(
    `update leads set verdict = $4::text
     from unnest($2::text::uuid[], $3::text::uuid[]) as judged (link_id, click_id)
     where leads.org_id = $1::text::uuid and leads.link_id = judged.link_id and leads.click_id = judged.click_id
       and (${COUNTED}) <> $5::text::boolean
     returning leads.link_id as "linkId", extract(epoch from created_at)::float8 * 1000 as at`,
    [
      orgId,
      arrayLiteral(clicks.map(({ linkId }) => linkId)),
      arrayLiteral(clicks.map(({ id }) => id)),
      isCounted ? null : "confirmed",
      String(isCounted),
    ],
  );
  if (moved.length === 0) return;
  const lane = await takeAnyLane(tx, orgId);
  for (const unit of ["hour", "day"] as const)
    await addLeads(tx, { orgId, lane, unit, moved, sign: isCounted ? 1 : -1 });
}

interface AddedLeads {
  orgId: string;
  lane: number;
  unit: "hour" | "day";
  moved: readonly MovedLead[];
  sign: 1 | -1;
}

async function addLeads(tx: Statements, { orgId, lane, unit, moved, sign }: AddedLeads): Promise<void> {
  const length = unit === "day" ? DAY_MS : HOUR_MS;
  const table = unit === "day" ? "event_rollups_daily" : "event_rollups_hourly";
  const rows = moved.flatMap(({ linkId, at }) =>
    [linkId, WHOLE_ORGANIZATION].map((id) => ({ id, start: new Date(at - (at % length)).toISOString() })),
  );
  const counts = [...Map.groupBy(rows, ({ id, start }) => `${id} ${start}`).values()];
  const firsts = counts.flatMap(([first]) => first ?? []);
  await tx.run(
    `insert into ${table} (org_id, link_id, ${unit}, name, lane, count, value)
     select $1::text::uuid, link_id, start, '${LEADS_NAME}', $2::text::smallint, count, 0
     from unnest($3::text::uuid[], $4::text::timestamptz[], $5::text::bigint[]) as added (link_id, start, count)
     on conflict (org_id, link_id, ${unit}, name, lane) do update set count = ${table}.count + excluded.count`,
    [
      orgId,
      lane,
      arrayLiteral(firsts.map(({ id }) => id)),
      arrayLiteral(firsts.map(({ start }) => start)),
      arrayLiteral(counts.map(({ length }) => sign * length)),
    ],
  );
}
