/**
 * Anonymises the clicks and opens of a visitor. Their rows stay, so that every figure stays the same and can be
 * rebuilt from them. What ties them to a person goes: the visitor's key and the row's own id (which destinations and
 * webhooks received) are replaced with random ones, the time is truncated to the minute, and the address key, device
 * vendor and model, exact OS version and reviewer's note are deleted. All rows of one key get the same new key, so
 * they still count as one visitor. A new id contains the truncated time: clicks are found by the time in their ids,
 * and the review queue is in the order of ids. No record is kept of which key or id became which; only a hash of each
 * old id is kept, for a day (`erased-visits`).
 *
 * Each step covers the visits of one link in one hour, in its own transaction, as for a verdict. Sketches contain the
 * key, too, and are rebuilt; stored days (`click_days`) are deleted. What a crash or a time limit leaves is found by
 * the next call. For hours whose rows retention has deleted, `erase-sketches` does what is left.
 */
import { CLICK_ID_WITHIN_MS, timeOfId } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { forgetStored } from "@/figures/columns/stored-days";
import { removeVisitor } from "@/figures/write/sketch-removal";
import { arrayLiteral } from "@/platform/db/array-literals";
import { takeFiguresLock } from "@/platform/db/locks";
import type { Statements } from "@/platform/db/statements";
import { keyOfNumber, type VisitorSecret } from "@/platform/visitor";
import { rememberErased } from "./erased-visits";

export { eraseFromSketches } from "@/figures/write/erase-sketches";

/** Identifies the visits of one visitor to one link in one hour. */
export interface VisitorHour {
  table: "clicks" | "opens";
  linkId: string;
  /** The hour's start in Unix milliseconds. */
  hour: number;
  visitor: bigint;
}

const TABLES = ["clicks", "opens"] as const;
const IN_HOUR = `org_id = $1::text::uuid and link_id = $2::text::uuid and visitor = $3::text::bigint
  and occurred_at >= to_timestamp($4::float8 / 1000) and occurred_at < to_timestamp($5::float8 / 1000)`;
const MINUTE = "date_bin('1 minute', occurred_at, 'epoch')";
/**
 * Truncates the time to the minute. New ids are generated in this process, because an update of rows on other
 * machines accepts no value computed while it runs.
 */
const ANONYMISED_COLUMNS = `id = renewed.random, visitor = $6::text::bigint, occurred_at = ${MINUTE}`;

/**
 * Returns the months in which the organization has clicks or opens. Each month is searched by one statement per
 * table.
 */
export async function monthsOfVisits(statements: Statements, orgId: string): Promise<string[]> {
  const rows = await statements.run<{ month: string }>(
    `with ends as (
       select min(occurred_at) as first, max(occurred_at) as last from clicks where org_id = $1::text::uuid
       union all select min(occurred_at), max(occurred_at) from opens where org_id = $1::text::uuid
     ), span as (select date_trunc('month', min(first) at time zone 'UTC') as first, max(last) at time zone 'UTC' as last from ends)
     select to_char(month, 'YYYY-MM-DD"T00:00:00Z"') as month from span, generate_series(first, last, interval '1 month') as month`,
    [orgId],
  );
  return rows.map(({ month }) => month);
}

/** Returns the visitors' hours within a month, the oldest first, at most `limit` for each table. */
export async function findVisitorHours(
  statements: Statements,
  { orgId, visitors, month, limit }: { orgId: string; visitors: readonly bigint[]; month: string; limit: number },
): Promise<VisitorHour[]> {
  const found: VisitorHour[] = [];
  for (const table of TABLES) {
    const rows = await statements.run<{ linkId: string; hour: number; visitor: string }>(
      `select link_id as "linkId", visitor::text as visitor,
         extract(epoch from date_bin('1 hour', occurred_at, 'epoch'))::float8 * 1000 as hour
       from ${table}
       where org_id = $1::text::uuid and visitor = any($2::text::bigint[])
         and occurred_at >= $3::text::timestamptz and occurred_at < $3::text::timestamptz + interval '1 month'
       group by 1, 2, 3 order by 3 limit $4::int`,
      [orgId, arrayLiteral(visitors.map(String)), month, limit],
    );
    found.push(...rows.map((row) => ({ ...row, table, visitor: BigInt(row.visitor) })));
  }
  return found;
}

/** Returns the hour of the click with this id, with its visitor; undefined if the organization has no such click. */
export async function findHourOfClick(
  statements: Statements,
  orgId: string,
  clickId: string,
): Promise<VisitorHour | undefined> {
  const at = timeOfId(clickId);
  if (at === undefined) return undefined;
  for (const within of [0, CLICK_ID_WITHIN_MS]) {
    const [found] = await statements.run<{ linkId: string; hour: number; visitor: string }>(
      `select link_id as "linkId", visitor::text as visitor,
         extract(epoch from date_bin('1 hour', occurred_at, 'epoch'))::float8 * 1000 as hour
       from clicks
       where org_id = $1::text::uuid and id = $2::text::uuid
         and occurred_at >= to_timestamp($3::float8 / 1000) and occurred_at <= to_timestamp($4::float8 / 1000)`,
      [orgId, clickId, at - within, at + within],
    );
    if (found) return { ...found, table: "clicks", visitor: BigInt(found.visitor) };
  }
  return undefined;
}

/** Returns the ids by which apps, destinations and webhooks know the hour's visits. */
export async function idsOf(statements: Statements, orgId: string, hour: VisitorHour): Promise<string[]> {
  return (await formerIdsOf(statements, orgId, hour)).map(({ id }) => id);
}

interface FormerId {
  id: string;
  /** The minute of the visit, in Unix milliseconds. */
  minute: number;
}

const formerIdsOf = ({ run }: Statements, orgId: string, hour: VisitorHour) =>
  run<FormerId>(
    `select id, extract(epoch from ${MINUTE})::float8 * 1000 as minute from ${hour.table} where ${IN_HOUR}`,
    parametersOf(orgId, hour),
  );

/** The random key that rows get, and the secret that their old ids are hashed with. */
export interface Anonymity {
  nobody: bigint;
  secret: VisitorSecret;
}

/** Gives the hour's visits to `nobody` and returns how many there were. Waits for the lock on the figures. */
export async function anonymise(tx: Statements, orgId: string, hour: VisitorHour, to: Anonymity): Promise<number> {
  await takeFiguresLock(tx, orgId);
  const former = await formerIdsOf(tx, orgId, hour);
  await rememberErased(
    tx,
    to.secret,
    former.map(({ id }) => id),
  );
  const visits = { orgId, hour, former, nobody: to.nobody };
  return hour.table === "clicks" ? anonymiseClicks(tx, visits) : anonymiseOpens(tx, visits);
}

interface Visits {
  orgId: string;
  hour: VisitorHour;
  former: readonly FormerId[];
  nobody: bigint;
}

async function anonymiseClicks(tx: Statements, { orgId, hour, former, nobody }: Visits): Promise<number> {
  const rows = await tx.run<{ isBot: boolean; isCounted: boolean }>(
    `update clicks set ${ANONYMISED_COLUMNS}, device_vendor = null, device_model = null, os_version = null, review_note = null,
       address_key = null
     from unnest($7::text::uuid[], $8::text::uuid[]) as renewed (former, random)
     where ${IN_HOUR} and id = renewed.former
     returning is_bot as "isBot", verdict is distinct from 'confirmed' as "isCounted"`,
    parametersOfChange({ orgId, hour, former, nobody }),
  );
  await forgetStored(tx, orgId, hour.hour - (hour.hour % DAY_MS));
  for (const isBot of [false, true]) {
    if (rows.some((row) => row.isCounted && row.isBot === isBot)) await removeVisitor(tx, visitAs(orgId, hour, isBot));
  }
  return rows.length;
}

/** Opens are in no sketch. */
async function anonymiseOpens(tx: Statements, { orgId, hour, former, nobody }: Visits): Promise<number> {
  const rows = await tx.run(
    `update opens set ${ANONYMISED_COLUMNS} from unnest($7::text::uuid[], $8::text::uuid[]) as renewed (former, random)
     where ${IN_HOUR} and id = renewed.former returning 1 as one`,
    parametersOfChange({ orgId, hour, former, nobody }),
  );
  return rows.length;
}

const parametersOf = (orgId: string, { linkId, visitor, hour }: VisitorHour) => [
  ...[orgId, linkId, String(visitor)],
  ...[hour, hour + HOUR_MS],
];

const parametersOfChange = ({ orgId, hour, former, nobody }: Visits) => [
  ...[...parametersOf(orgId, hour), String(nobody)],
  ...[
    arrayLiteral(former.map(({ id }) => id)),
    arrayLiteral(former.map(({ minute }) => Bun.randomUUIDv7("hex", minute))),
  ],
];

/** Describes the visit only as far as sketches distinguish visits. */
const visitAs = (orgId: string, { linkId, hour, visitor }: VisitorHour, isBot: boolean) => ({
  record: { kind: "click" as const, at: hour, orgId, linkId },
  ...{ hour, visitor: keyOfNumber(visitor), isBot, platform: "other" },
});
