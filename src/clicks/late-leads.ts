/**
 * Lets leads count like their clicks also where the click reached Postgres after the lead, as it does if its server is
 * down or the form is sent at once, and those from before leads knew how their clicks count. Until then, a lead counts
 * as a person's.
 *
 * How they are looked through is described in `late-rows.ts`. A click that comes after `AWAITED_MS`, or has been deleted,
 * has no influence.
 */
import { LEAST_ID, timeOfId } from "@/core/ids";
import { arrayLiteral } from "@/platform/db/array-literals";
import { COUNTED } from "@/platform/db/figure-constants";
import type { Statements } from "@/platform/db/statements";
import type { CountedAs } from "./count-open";
import { AWAITED_MS, type AwaitingRows, type LateOptions, ROWS_AT_ONCE, settleRows } from "./late-rows";
import { moveLeads } from "./move-leads";

/** Returns how many leads no longer await their clicks. */
export async function settleLateLeads({ db, now, since = 0, signal }: LateOptions): Promise<number> {
  const { settled } = await settleRows({ db, signal }, awaitingLeads(since, now - AWAITED_MS));
  return settled;
}

/** Leads from before `overBefore` no longer await their clicks. */
function awaitingLeads(since: number, overBefore: number): AwaitingRows<AwaitingLead> {
  const overAmong = (leads: readonly AwaitingLead[]) => leads.filter(({ at }) => at < overBefore);
  return {
    organizations: (statements) => organizationsAwaiting(statements, since),
    next: (statements, orgId, last) => nextAwaiting(statements, { orgId, since }, last?.id),
    canSettle: async (statements, orgId, leads) =>
      overAmong(leads).length > 0 || (await clicksOf(statements, orgId, leads)).length > 0,
    settle: (tx, orgId, leads) => settle(tx, orgId, { leads, over: overAmong(leads) }),
  };
}

async function organizationsAwaiting({ run }: Statements, since: number): Promise<string[]> {
  const rows = await run<{ orgId: string }>(
    `select distinct org_id as "orgId" from leads
     where is_bot is null and created_at >= to_timestamp($1::float8 / 1000)`,
    [since],
  );
  return rows.map(({ orgId }) => orgId);
}

interface AskedLeads {
  orgId: string;
  since: number;
}

interface AwaitingLead {
  id: string;
  linkId: string;
  clickId: string;
  at: number;
}

const nextAwaiting = ({ run }: Statements, { orgId, since }: AskedLeads, after: string | undefined) =>
  run<AwaitingLead>(
    `select id, link_id as "linkId", click_id as "clickId", extract(epoch from created_at)::float8 * 1000 as at
     from leads
     where org_id = $1::text::uuid and is_bot is null and id > $2::text::uuid
       and created_at >= to_timestamp($3::float8 / 1000)
     order by id limit ${ROWS_AT_ONCE}`,
    [orgId, after ?? LEAST_ID, since],
  );

interface FoundClick {
  id: string;
  linkId: string;
  isBot: boolean;
  isCounted: boolean;
}

/** Returns the clicks that are in Postgres. */
function clicksOf({ run }: Statements, orgId: string, leads: readonly AwaitingLead[]): Promise<FoundClick[]> {
  const timed = leads.flatMap(({ clickId }) => {
    const at = timeOfId(clickId);
    return at === undefined ? [] : [{ clickId, at: new Date(at).toISOString() }];
  });
  return run<FoundClick>(
    `select clicks.id, clicks.link_id as "linkId", is_bot as "isBot", ${COUNTED} as "isCounted"
     from unnest($2::text::timestamptz[], $3::text::uuid[]) as wanted (at, click_id)
     join clicks on clicks.occurred_at = wanted.at and clicks.id = wanted.click_id
     where clicks.org_id = $1::text::uuid`,
    [orgId, arrayLiteral(timed.map(({ at }) => at)), arrayLiteral(timed.map(({ clickId }) => clickId))],
  );
}

async function settle(
  tx: Statements,
  orgId: string,
  { leads, over }: { leads: readonly AwaitingLead[]; over: readonly AwaitingLead[] },
): Promise<number> {
  const clicks = await clicksOf(tx, orgId, leads);
  for (const [as, alike] of Map.groupBy(clicks, countedAs)) await moveLeads(tx, orgId, alike, as);
  const found = new Set(clicks.map(({ id }) => id));
  const missed = over.filter(({ clickId }) => !found.has(clickId));
  if (missed.length > 0) await forget(tx, orgId, missed);
  return found.size + missed.length;
}

const countedAs = ({ isBot, isCounted }: FoundClick): CountedAs => (isCounted ? (isBot ? "bot" : "human") : null);

const forget = (tx: Statements, orgId: string, leads: readonly AwaitingLead[]) =>
  tx.run(
    "update leads set is_bot = false where org_id = $1::text::uuid and id = any($2::text::uuid[]) and is_bot is null",
    [orgId, arrayLiteral(leads.map(({ id }) => id))],
  );
