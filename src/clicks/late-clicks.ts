/**
 * Lets installs count like their clicks also where the click reached Postgres after the claim: a claim waits for its
 * click for two seconds, and then counts by itself. A claim that awaits its click has the click's time and the end of
 * its id. Once the click is there, the claim gets its id, and the install counts like it. What webhooks were told of
 * the install stays.
 *
 * How they are looked through is described in `late-rows.ts`. Most clicks come within minutes, and others with the server
 * that holds them, which may be down for days. A click that comes after `AWAITED_MS` has no influence.
 */
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import { COUNTED } from "@/platform/db/figure-constants";
import { type Statements, statementsOn } from "@/platform/db/statements";
import { AWAITED_MS, type AwaitingRows, type LateOptions, ROWS_AT_ONCE, settleRows } from "./late-rows";
import { moveInstalls } from "./verdicts";

/** Returns how many claims have found their clicks, and how many no longer await theirs. */
export async function settleLateClicks({ db, now, since = now - AWAITED_MS, signal }: LateOptions) {
  const { settled, isComplete } = await settleRows({ db, signal }, awaitingClaims(since));
  return { settled, forgotten: isComplete ? await forget(statementsOn(db), now - AWAITED_MS) : 0 };
}

const awaitingClaims = (since: number): AwaitingRows<Awaiting> => ({
  organizations: (statements) => organizationsAwaiting(statements, since),
  next: (statements, orgId, last) => nextAwaiting(statements, { orgId, since }, last?.tokenHash ?? ""),
  canSettle: async (statements, orgId, claims) => (await clicksOf(statements, orgId, claims)).length > 0,
  settle,
});

async function organizationsAwaiting({ run }: Statements, since: number): Promise<string[]> {
  const rows = await run<{ orgId: string }>(
    `select distinct org_id as "orgId" from claims
     where awaited_at is not null and claimed_at >= to_timestamp($1::float8 / 1000)`,
    [since],
  );
  return rows.map(({ orgId }) => orgId);
}

interface Awaiting {
  /** In hexadecimal. */
  tokenHash: string;
  linkId: string;
  /** The click's time in ISO 8601. */
  at: string;
  idEnd: string;
}

interface AskedClaims {
  orgId: string;
  since: number;
}

const nextAwaiting = ({ run }: Statements, { orgId, since }: AskedClaims, after: string) =>
  run<Awaiting>(
    `select encode(token_hash, 'hex') as "tokenHash", link_id as "linkId", awaited_end as "idEnd",
       to_char(awaited_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
     from claims
     where org_id = $1::text::uuid and awaited_at is not null and token_hash > decode($2::text, 'hex')
       and claimed_at >= to_timestamp($3::float8 / 1000)
     order by token_hash limit ${ROWS_AT_ONCE}`,
    [orgId, after, since],
  );

interface FoundClick {
  tokenHash: string;
  id: string;
  isBot: boolean;
  isCounted: boolean;
}

/** Returns the clicks that are in Postgres, each with its claim. */
async function clicksOf({ run }: Statements, orgId: string, claims: readonly Awaiting[]): Promise<FoundClick[]> {
  const rows = await run<Omit<FoundClick, "tokenHash"> & { place: string }>(
    `select id, is_bot as "isBot", ${COUNTED} as "isCounted",
       link_id || ' ' || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as place
     from clicks
     where org_id = $1::text::uuid and occurred_at = any($2::text::timestamptz[]) and link_id = any($3::text::uuid[])`,
    [orgId, arrayLiteral(claims.map(({ at }) => at)), arrayLiteral(claims.map(({ linkId }) => linkId))],
  );
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return claims.flatMap(({ tokenHash, linkId, at, idEnd }) => {
    const click = byPlace.get(`${linkId} ${at}`)?.find(({ id }) => id.endsWith(idEnd));
    return click ? [{ ...click, tokenHash }] : [];
  });
}

/** Returns how many claims now have their clicks. */
async function settle(tx: Statements, orgId: string, claims: readonly Awaiting[]): Promise<number> {
  const clicks = await clicksOf(tx, orgId, claims);
  const known = new Set(await noteClicks(tx, clicks));
  const idsOf = (as: (click: FoundClick) => boolean) =>
    clicks.filter((click) => known.has(click.id) && as(click)).map(({ id }) => id);
  // A claim that is a bot's by itself remains one, whatever its click is.
  const ofBots = idsOf(({ isBot, isCounted }) => isBot && isCounted);
  await moveInstalls(tx, orgId, ofBots, "bot");
  const ofNone = idsOf(({ isCounted }) => !isCounted);
  await moveInstalls(tx, orgId, ofNone, null);
  return known.size;
}

/** Notes the clicks of claims that still await them, and returns their ids. */
async function noteClicks(tx: Statements, clicks: readonly FoundClick[]): Promise<string[]> {
  const rows = await tx.run<{ id: string }>(
    `update claims set click_id = found.id, awaited_at = null, awaited_end = null
     from unnest($1::text::bytea[], $2::text::uuid[]) as found (token_hash, id)
     where claims.token_hash = found.token_hash and awaited_at is not null
     returning found.id`,
    [textArrayLiteral(clicks.map(({ tokenHash }) => `\\x${tokenHash}`)), arrayLiteral(clicks.map(({ id }) => id))],
  );
  return rows.map(({ id }) => id);
}

async function forget({ run }: Statements, before: number): Promise<number> {
  const rows = await run(
    `update claims set awaited_at = null, awaited_end = null
     where awaited_at is not null and claimed_at < to_timestamp($1::float8 / 1000) returning 1 as one`,
    [before],
  );
  return rows.length;
}
