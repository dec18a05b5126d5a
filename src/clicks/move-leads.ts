/**
 * Lets leads follow the clicks that they came from: a lead counts as its click does, as a person's or a bot's, or nowhere
 * if the click was confirmed as abuse. It stays in its link's list either way, since it is the customer's.
 *
 * A lead that is being recorded holds its click's row (`recordLead`), so that a verdict waits for it and finds it, or
 * it finds the verdict.
 */
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import type { ClickRow } from "@/figures/dimensions";
import { arrayLiteral } from "@/platform/db/array-literals";
import { COUNTED, WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { takeAnyLane } from "@/platform/db/lanes";
import { BOT_LEADS_NAME, LEADS_NAME } from "@/platform/db/schema/events";
import type { Statements } from "@/platform/db/statements";
import type { CountedAs } from "./count-open";

interface LeadRow {
  id: string;
  linkId: string;
  /** Unix milliseconds. */
  at: number;
  isBot: boolean;
  isCounted: boolean;
}

/**
 * Lets the leads of these clicks count like them, in all figures. Call it after the clicks' rows have their verdict, and
 * in only one transaction of the organization at a time.
 */
export async function moveLeads(
  tx: Statements,
  orgId: string,
  clicks: readonly Pick<ClickRow, "id" | "linkId">[],
  as: CountedAs,
): Promise<void> {
  if (clicks.length === 0) return;
  const leads = await tx.run<LeadRow>(
    `select id, leads.link_id as "linkId", extract(epoch from created_at)::float8 * 1000 as at,
       is_bot is true as "isBot", ${COUNTED} as "isCounted"
     from unnest($2::text::uuid[], $3::text::uuid[]) as judged (link_id, click_id)
     join leads on leads.link_id = judged.link_id and leads.click_id = judged.click_id
     where leads.org_id = $1::text::uuid
       and (is_bot is distinct from $4::text::boolean or (${COUNTED}) <> $5::text::boolean)`,
    [
      orgId,
      arrayLiteral(clicks.map(({ linkId }) => linkId)),
      arrayLiteral(clicks.map(({ id }) => id)),
      ...[String(as !== "human"), String(as !== null)],
    ],
  );
  if (leads.length === 0) return;
  await tx.run(
    `update leads set is_bot = $3::text::boolean, verdict = $4::text
     where org_id = $1::text::uuid and id = any($2::text::uuid[])`,
    [orgId, arrayLiteral(leads.map(({ id }) => id)), String(as !== "human"), as === null ? "confirmed" : null],
  );
  const moved = leads.flatMap((lead) => {
    const before = lead.isCounted ? (lead.isBot ? "bot" : "human") : null;
    return before === as ? [] : [...countsOf(lead, before, -1), ...countsOf(lead, as, 1)];
  });
  if (moved.length === 0) return;
  const lane = await takeAnyLane(tx, orgId);
  for (const unit of ["hour", "day"] as const) await addLeads(tx, { orgId, lane, unit, moved });
}

interface MovedLead extends Pick<LeadRow, "linkId" | "at"> {
  name: string;
  sign: 1 | -1;
}

const countsOf = ({ linkId, at }: LeadRow, as: CountedAs, sign: MovedLead["sign"]): MovedLead[] =>
  as === null ? [] : [{ linkId, at, name: as === "bot" ? BOT_LEADS_NAME : LEADS_NAME, sign }];

interface AddedLeads {
  orgId: string;
  lane: number;
  unit: "hour" | "day";
  moved: readonly MovedLead[];
}

async function addLeads(tx: Statements, { orgId, lane, unit, moved }: AddedLeads): Promise<void> {
  const length = unit === "day" ? DAY_MS : HOUR_MS;
  const table = unit === "day" ? "event_rollups_daily" : "event_rollups_hourly";
  const rows = moved.flatMap(({ linkId, at, ...counted }) =>
    [linkId, WHOLE_ORGANIZATION].map((id) => ({ id, start: new Date(at - (at % length)).toISOString(), ...counted })),
  );
  const counts = [...Map.groupBy(rows, ({ id, start, name }) => `${id} ${start} ${name}`).values()];
  const firsts = counts.flatMap(([first]) => first ?? []);
  await tx.run(
    `insert into ${table} (org_id, link_id, ${unit}, name, lane, count, value)
     select $1::text::uuid, link_id, start, case when is_bot then '${BOT_LEADS_NAME}' else '${LEADS_NAME}' end,
       $2::text::smallint, count, 0
     from unnest($3::text::uuid[], $4::text::timestamptz[], $5::text::boolean[], $6::text::bigint[])
       as added (link_id, start, is_bot, count)
     on conflict (org_id, link_id, ${unit}, name, lane) do update set count = ${table}.count + excluded.count`,
    [
      orgId,
      lane,
      arrayLiteral(firsts.map(({ id }) => id)),
      arrayLiteral(firsts.map(({ start }) => start)),
      arrayLiteral(firsts.map(({ name }) => String(name === BOT_LEADS_NAME))),
      arrayLiteral(counts.map((alike) => alike.reduce((sum, { sign }) => sum + sign, 0))),
    ],
  );
}
