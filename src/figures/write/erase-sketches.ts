/**
 * Erases a visitor's key from the sketches of days whose clicks retention has deleted. In sketches that hold keys,
 * another key takes its place, so that they count as many visitors as before. Registers reveal no key and stay as
 * they are. (Sketches of days whose clicks still exist are rebuilt from the clicks: see `erase-visits`.)
 */
import { LEAST_ID } from "@/core/ids";
import { textArrayLiteral } from "@/platform/db/array-literals";
import { newRevision, revisionOf } from "@/platform/db/figure-constants";
import { takeFiguresLock } from "@/platform/db/locks";
import type { Statements } from "@/platform/db/statements";
import { visitorKeyText } from "@/platform/visitor";
import { decodeSketch, encodeSketch } from "../uniques";
import { DAYS, type FigureLevel, HOURS } from "./figure-rows";
import { stopWriters } from "./sketch-removal";

const PAGE_ROWS = 500;

interface Found {
  linkId: string;
  start: string;
  isBot: boolean;
  writer: number;
  sketch: string;
}

export type InTransaction = (work: (tx: Statements) => Promise<void>) => Promise<void>;

/**
 * Replaces each key of `nobodies` with the one it maps to. Each page of sketches is one transaction, under the
 * organization's lock.
 */
export async function eraseFromSketches(
  statements: Statements,
  inTransaction: InTransaction,
  orgId: string,
  nobodies: ReadonlyMap<bigint, bigint>,
): Promise<void> {
  if (nobodies.size === 0) return;
  for (const level of [HOURS, DAYS]) {
    let last: Found | undefined;
    for (;;) {
      const found = await holding(statements, level, orgId, [...nobodies.keys()], last);
      last = found.at(-1);
      if (!last) break;
      await inTransaction(async (tx) => {
        await takeFiguresLock(tx, orgId);
        await stopWriters(tx);
        for (const row of found) await replace(tx, level, orgId, row, nobodies);
      });
    }
  }
}

/**
 * Returns the sketches whose bytes contain one of the keys, in the order of the rows' primary key. Some are false
 * matches, in which these bytes span two other keys.
 */
function holding(
  { run }: Statements,
  { table, unit }: FigureLevel,
  orgId: string,
  keys: bigint[],
  after: Found | undefined,
) {
  const hex = keys.map(visitorKeyText);
  const { linkId, start, isBot, writer } = after ?? FIRST;
  return run<Found>(
    `select link_id as "linkId", ${unit}::text as start, is_bot as "isBot", writer, encode(visitors, 'hex') as sketch
     from ${table}
     where org_id = $1::text::uuid and visitors is not null
       and ${unit} < (select kept_from from raw_retention where org_id = $1::text::uuid)
       and (link_id, ${unit}, is_bot, writer)
         > ($3::text::uuid, $4::text::timestamptz, $5::text::boolean, $6::int)
       and exists (select 1 from unnest($2::text::text[]) as key where position(decode(key, 'hex') in visitors) > 0)
     order by link_id, ${unit}, is_bot, writer limit ${PAGE_ROWS}`,
    [orgId, textArrayLiteral(hex), linkId, start, String(isBot), writer],
  );
}

const FIRST = { linkId: LEAST_ID, start: "-infinity", isBot: false, writer: -1 };

async function replace(
  tx: Statements,
  { table, unit }: FigureLevel,
  orgId: string,
  { linkId, start, isBot, writer, sketch: stored }: Found,
  nobodies: ReadonlyMap<bigint, bigint>,
): Promise<void> {
  const sketch = decodeSketch(Buffer.from(stored, "hex"));
  if (sketch.visitors instanceof Uint8Array) return;
  for (const [key, nobody] of nobodies) {
    if (sketch.visitors.delete(BigInt.asUintN(64, key))) sketch.visitors.add(BigInt.asUintN(64, nobody));
  }
  await tx.run(
    `update ${table} set visitors = decode($6::text, 'hex'), revision = ${revisionOf("$8")}
     where org_id = $1::text::uuid and link_id = $2::text::uuid and ${unit} = $3::text::timestamptz
       and is_bot = $4::text::boolean and writer = $5::int and visitors = decode($7::text, 'hex')`,
    [
      ...[orgId, linkId, start, String(isBot), writer],
      ...[Buffer.from(encodeSketch(sketch)).toString("hex"), stored, newRevision()],
    ],
  );
}
