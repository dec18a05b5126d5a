/**
 * Lets leads count like their clicks also where the click reached Postgres after the lead, as it does if its server is
 * down or the form is sent at once, and those from before leads knew how their clicks count. Until then, a lead counts
 * as a person's.
 *
 * Leads are looked through `LEADS_AT_ONCE` at a time. Those that can be settled are, in one transaction under the
 * organization's figures lock, as a verdict is. If that lock is not available, the next run tries again. Runs may look
 * through the newest leads alone. Bounds: a lead awaits its click for `AWAITED_MS`; a click that comes even later, or has
 * been deleted, has no influence.
 */
import { LEAST_ID, timeOfId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Drizzle } from "@/platform/db/client";
import { isLockTimeout } from "@/platform/db/faults";
import { COUNTED } from "@/platform/db/figure-constants";
import { boundLockWaits, takeFiguresLock } from "@/platform/db/locks";
import { type Statements, statementsOn } from "@/platform/db/statements";
import type { CountedAs } from "./count-open";
import { moveLeads } from "./move-leads";

const AWAITED_MS = 31 * DAY_MS;
const LEADS_AT_ONCE = 500;

export interface LateLeadsOptions {
  db: Drizzle;
  now: number;
  /** Leaves out leads recorded before this time, in Unix milliseconds. */
  since?: number;
  /** Aborting it stops after the current transaction. */
  signal: AbortSignal;
}

/** Returns how many leads no longer await their clicks. */
export async function settleLateLeads({ db, now, since = 0, signal }: LateLeadsOptions): Promise<number> {
  let settled = 0;
  for (const orgId of await organizationsAwaiting(statementsOn(db), since)) {
    if (signal.aborted) break;
    try {
      settled += await settleOrganization(db, { orgId, since, overBefore: now - AWAITED_MS }, signal);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
  }
  return settled;
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
  /** Leads from before this time no longer await their clicks. */
  overBefore: number;
}

interface AwaitingLead {
  id: string;
  linkId: string;
  clickId: string;
  at: number;
}

async function settleOrganization(db: Drizzle, asked: AskedLeads, signal: AbortSignal): Promise<number> {
  const { orgId, overBefore } = asked;
  let settled = 0;
  for (let last: AwaitingLead | undefined; !signal.aborted; ) {
    const leads = await nextAwaiting(statementsOn(db), asked, last?.id);
    last = leads.at(-1);
    if (!last) break;
    const over = leads.filter(({ at }) => at < overBefore);
    // Where nothing can be settled, nobody is made to wait for the lock.
    if (over.length > 0 || (await clicksOf(statementsOn(db), orgId, leads)).length > 0)
      settled += await settle(db, orgId, { leads, over });
  }
  return settled;
}

const nextAwaiting = ({ run }: Statements, { orgId, since }: AskedLeads, after: string | undefined) =>
  run<AwaitingLead>(
    `select id, link_id as "linkId", click_id as "clickId", extract(epoch from created_at)::float8 * 1000 as at
     from leads
     where org_id = $1::text::uuid and is_bot is null and id > $2::text::uuid
       and created_at >= to_timestamp($3::float8 / 1000)
     order by id limit ${LEADS_AT_ONCE}`,
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

/** Returns how many leads no longer await their clicks. */
function settle(
  db: Drizzle,
  orgId: string,
  { leads, over }: { leads: readonly AwaitingLead[]; over: readonly AwaitingLead[] },
): Promise<number> {
  return db.transaction(async (transaction) => {
    const tx = statementsOn(transaction);
    await boundLockWaits(tx);
    await takeFiguresLock(tx, orgId);
    const clicks = await clicksOf(tx, orgId, leads);
    for (const [as, alike] of Map.groupBy(clicks, countedAs)) await moveLeads(tx, orgId, alike, as);
    const found = new Set(clicks.map(({ id }) => id));
    const missed = over.filter(({ clickId }) => !found.has(clickId));
    if (missed.length > 0) await forget(tx, orgId, missed);
    return found.size + missed.length;
  });
}

const countedAs = ({ isBot, isCounted }: FoundClick): CountedAs => (isCounted ? (isBot ? "bot" : "human") : null);

const forget = (tx: Statements, orgId: string, leads: readonly AwaitingLead[]) =>
  tx.run(
    "update leads set is_bot = false where org_id = $1::text::uuid and id = any($2::text::uuid[]) and is_bot is null",
    [orgId, arrayLiteral(leads.map(({ id }) => id))],
  );
