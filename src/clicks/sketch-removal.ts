/**
 * Takes a visitor out of the sketches of an hour and its day, of the link and of the organization. Sketches only grow, so
 * those of all writers are replaced by one made anew: of the hour out of its raw clicks, of the day out of its hours.
 *
 * A click writer remembers sketches and writes none that did not change. So the table of spools is locked, a row of which
 * every batch changes first: batches under way end before the clicks are read, and the next ones find that sketches were
 * replaced, forget theirs and read again. Writers stand still meanwhile, for some milliseconds; where the visitor has
 * another click that counts alike in that hour of the link, nothing has to be done, and nobody waits.
 */

import { DAY_MS, HOUR_MS } from "@/core/time-range";
import {
  addHash,
  createSketch,
  decodeSketch,
  encodeSketch,
  LINK_PRECISION,
  mergeInto,
  ORGANIZATION_PRECISION,
  type Sketch,
} from "@/core/uniques";
import { CORRECTIONS_WRITER, COUNTED, WHOLE_ORGANIZATION } from "@/platform/db/schema/clicks";
import type { Statements } from "@/platform/db/statements";
import { DAYS, HOURS, type Level } from "./figure-rows";
import type { CountedVisit } from "./rollup";

/** Whose sketches: of one link, or of `WHOLE_ORGANIZATION`; of people or of bots. */
interface Whose {
  orgId: string;
  linkId: string;
  isBot: boolean;
}

/** The visit itself no longer counts in the raw clicks. */
export async function removeVisitor(tx: Statements, visit: CountedVisit): Promise<void> {
  const { orgId, linkId } = visit.record;
  const { hour, isBot } = visit;
  if (!(await isKept(tx, visit)) || (await hasOtherClick(tx, visit))) return;
  await stopWriters(tx);
  for (const whose of [linkId, WHOLE_ORGANIZATION].map((id) => ({ orgId, linkId: id, isBot }))) {
    await replace(tx, HOURS, whose, hour, await visitorsOfHour(tx, whose, hour));
    const day = hour - (hour % DAY_MS);
    await replace(tx, DAYS, whose, day, await visitorsOfDay(tx, whose, day));
  }
}

const IN_HOUR = `org_id = $1::text::uuid and is_bot = $2::text::boolean and ${COUNTED}
  and occurred_at >= to_timestamp($3::float8 / 1000) and occurred_at < to_timestamp($4::float8 / 1000)`;

const inHour = ({ orgId, isBot }: Pick<Whose, "orgId" | "isBot">, hour: number) => [
  orgId,
  isBot ? "t" : "f",
  hour,
  hour + HOUR_MS,
];

/** Of hours whose raw clicks retention deletes, sketches stay as they are: nothing tells of the other visitors any more. */
async function isKept(tx: Statements, { record, hour }: CountedVisit): Promise<boolean> {
  const rows = await tx.run(
    `select 1 as gone from raw_retention where org_id = $1::text::uuid and kept_from > to_timestamp($2::float8 / 1000)`,
    [record.orgId, hour],
  );
  return rows.length === 0;
}

async function hasOtherClick(tx: Statements, { record, visitor, isBot, hour }: CountedVisit): Promise<boolean> {
  const rows = await tx.run(
    `select 1 as found from clicks
     where ${IN_HOUR} and link_id = $5::text::uuid and visitor = $6::text::bigint limit 1`,
    [...inHour({ ...record, isBot }, hour), record.linkId, BigInt.asIntN(64, visitor).toString()],
  );
  return rows.length > 0;
}

/**
 * Until the transaction ends no batch is under way, and every writer forgets its sketches before its next one: for whoever
 * replaces sketches.
 */
export async function stopWriters(tx: Statements): Promise<void> {
  await tx.run("lock table spools in share row exclusive mode");
  await tx.run("update spools set sketch_resets = sketch_resets + 1");
}

async function visitorsOfHour(tx: Statements, whose: Whose, hour: number): Promise<Sketch> {
  const { linkId } = whose;
  const isWhole = linkId === WHOLE_ORGANIZATION;
  const rows = await tx.run<{ visitor: string }>(
    `select distinct visitor::text as visitor from clicks where ${IN_HOUR} ${isWhole ? "" : "and link_id = $5::text::uuid"}`,
    [...inHour(whose, hour), ...(isWhole ? [] : [linkId])],
  );
  const sketch = emptySketch(whose);
  for (const { visitor } of rows) addHash(sketch, BigInt(visitor));
  return sketch;
}

/** Throws `SketchFormatError` for a damaged one. */
async function visitorsOfDay(tx: Statements, whose: Whose, day: number): Promise<Sketch> {
  const rows = await tx.run<{ sketch: Buffer }>(
    `select visitors as sketch from figures_hourly
     where visitors is not null and org_id = $1::text::uuid and link_id = $2::text::uuid and is_bot = $3::text::boolean
       and hour >= to_timestamp($4::float8 / 1000) and hour < to_timestamp($5::float8 / 1000)`,
    [...keyOf(whose), day, day + DAY_MS],
  );
  const sketch = emptySketch(whose);
  for (const row of rows) mergeInto(sketch, decodeSketch(row.sketch));
  return sketch;
}

async function replace(tx: Statements, { table, unit }: Level, whose: Whose, at: number, sketch: Sketch) {
  const key = [...keyOf(whose), at];
  await tx.run(
    `update ${table} set visitors = null
     where org_id = $1::text::uuid and link_id = $2::text::uuid and is_bot = $3::text::boolean
       and ${unit} = to_timestamp($4::float8 / 1000)`,
    key,
  );
  if (!(sketch.visitors instanceof Uint8Array) && sketch.visitors.size === 0) return;
  await tx.run(
    `insert into ${table} (org_id, link_id, is_bot, ${unit}, writer, clicks, opens, counts, visitors)
     values ($1::text::uuid, $2::text::uuid, $3::text::boolean, to_timestamp($4::float8 / 1000), $5::int, 0, 0, '',
       decode($6::text, 'hex'))
     on conflict (org_id, link_id, ${unit}, is_bot, writer) do update set visitors = excluded.visitors`,
    [...key, CORRECTIONS_WRITER, Buffer.from(encodeSketch(sketch)).toString("hex")],
  );
}

const keyOf = ({ orgId, linkId, isBot }: Whose) => [orgId, linkId, isBot ? "t" : "f"];

const emptySketch = ({ linkId }: Whose): Sketch =>
  createSketch(linkId === WHOLE_ORGANIZATION ? ORGANIZATION_PRECISION : LINK_PRECISION);
