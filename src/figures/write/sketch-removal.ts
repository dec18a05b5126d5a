/**
 * Removes a visitor from the sketches of an hour and its day, of the link and of the organization. Nothing can be
 * removed from a sketch, so the sketches of all writers are replaced with a new one: an hour's is built from its raw
 * clicks, a day's from its hours.
 *
 * A click writer caches sketches and does not write those that did not change. So the table of spools is locked,
 * because every batch first updates one of its rows: batches in progress finish before the clicks are read, and the
 * next ones notice that sketches were replaced, drop their caches and read again. Meanwhile writers wait for some
 * milliseconds. If the visitor has another click that counts the same way in that hour of the link, nothing has to be
 * done and no writer waits.
 */
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import {
  CORRECTIONS_WRITER,
  COUNTED,
  NEXT_REVISION,
  newRevision,
  revisionOf,
  WHOLE_ORGANIZATION,
} from "@/platform/db/figure-constants";
import type { Statements } from "@/platform/db/statements";
import { keyNumber } from "@/platform/visitor";
import { addHash, createSketch, decodeSketch, encodeSketch, mergeInto, PRECISION, type Sketch } from "../uniques";
import { DAYS, type FigureLevel, HOURS } from "./figure-rows";
import type { CountedVisit } from "./rollup";

/** Identifies the sketches of people or of bots, for one link or for `WHOLE_ORGANIZATION`. */
interface Whose {
  orgId: string;
  linkId: string;
  isBot: boolean;
}

/** Removes the visitor of a visit, which must no longer count in the raw clicks. */
export const removeVisitor = (tx: Statements, visit: CountedVisit): Promise<void> => removeVisitors(tx, [visit]);

/** Does the same for many visits of one organization. Each affected sketch is rebuilt once. */
export async function removeVisitors(tx: Statements, visits: readonly CountedVisit[]): Promise<void> {
  const lost: LinkHour[] = [];
  for (const hour of await keptHours(tx, visits)) if (await losesVisitor(tx, hour)) lost.push(hour);
  if (lost.length === 0) return;
  await stopWriters(tx);
  const hours = distinct(lost.flatMap((each) => [each, { ...each, linkId: WHOLE_ORGANIZATION }]));
  for (const { start, ...whose } of hours)
    await replace(tx, HOURS, whose, start, await visitorsOfHour(tx, whose, start));
  const days = distinct(hours.map((each) => ({ ...each, start: each.start - (each.start % DAY_MS) })));
  for (const { start, ...whose } of days) await replace(tx, DAYS, whose, start, await visitorsOfDay(tx, whose, start));
}

/** An hour or a day. */
interface UnitOf extends Whose {
  /** Unix milliseconds. */
  start: number;
}

interface LinkHour extends UnitOf {
  visitors: ReadonlySet<bigint>;
}

const keyOfUnit = ({ orgId, linkId, start, isBot }: UnitOf) => `${orgId} ${linkId} ${start} ${isBot}`;

/** Removes duplicates and sorts, so that all callers touch rows in the same order. */
const distinct = (units: readonly UnitOf[]): UnitOf[] =>
  [
    ...new Map(
      units.map(({ orgId, linkId, start, isBot }) => [
        keyOfUnit({ orgId, linkId, start, isBot }),
        { orgId, linkId, start, isBot },
      ]),
    ),
  ]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, unit]) => unit);

/**
 * Returns the hours whose raw clicks still exist. If retention deletes them, sketches stay as they are, because the
 * other visitors are no longer known.
 */
async function keptHours(tx: Statements, visits: readonly CountedVisit[]): Promise<LinkHour[]> {
  const [first] = visits;
  if (!first) return [];
  const [mark] = await tx.run<{ from: number }>(
    `select extract(epoch from kept_from)::float8 * 1000 as from from raw_retention where org_id = $1::text::uuid`,
    [first.record.orgId],
  );
  const kept = visits.filter(({ hour }) => hour >= (mark?.from ?? Number.NEGATIVE_INFINITY));
  const unitOf = ({ record: { orgId, linkId }, hour, isBot }: CountedVisit): UnitOf => ({
    orgId,
    linkId,
    isBot,
    start: hour,
  });
  return [...Map.groupBy(kept, (visit) => keyOfUnit(unitOf(visit))).values()].flatMap((alike) => {
    const [one] = alike;
    return one ? [{ ...unitOf(one), visitors: new Set(alike.map(({ visitor }) => keyNumber(visitor))) }] : [];
  });
}

const IN_HOUR = `org_id = $1::text::uuid and is_bot = $2::text::boolean and ${COUNTED}
  and occurred_at >= to_timestamp($3::float8 / 1000) and occurred_at < to_timestamp($4::float8 / 1000)`;

const inHour = ({ orgId, isBot }: Pick<Whose, "orgId" | "isBot">, hour: number) => [
  orgId,
  isBot ? "t" : "f",
  hour,
  hour + HOUR_MS,
];

/**
 * True if one of the visitors has no other click that counts the same way in that hour of the link. Several visitors
 * are compared here and not in Postgres, which would compare each of them with each click of the hour.
 */
async function losesVisitor(tx: Statements, { start, visitors, ...whose }: LinkHour): Promise<boolean> {
  const [only] = visitors;
  if (visitors.size > 1 || only === undefined) {
    const left = await visitorsLeft(tx, whose, start);
    return [...visitors].some((visitor) => !left.has(visitor));
  }
  const rows = await tx.run(
    `select 1 from clicks where ${IN_HOUR} and link_id = $5::text::uuid and visitor = $6::text::bigint limit 1`,
    [...inHour(whose, start), whose.linkId, String(only)],
  );
  return rows.length === 0;
}

/**
 * Waits for batches in progress and lets none begin until the transaction ends. Every writer then drops its cached
 * sketches before its next batch. Whatever replaces sketches must call this first.
 */
export async function stopWriters(tx: Statements): Promise<void> {
  await tx.run("lock table spools in share row exclusive mode");
  await tx.run("update spools set sketch_resets = sketch_resets + 1");
}

async function visitorsOfHour(tx: Statements, whose: Whose, hour: number): Promise<Sketch> {
  const sketch = createSketch(PRECISION);
  for (const visitor of await visitorsLeft(tx, whose, hour)) addHash(sketch, visitor);
  return sketch;
}

/** Returns the distinct visitors in the raw clicks of an hour. */
async function visitorsLeft(tx: Statements, whose: Whose, hour: number): Promise<Set<bigint>> {
  const { linkId } = whose;
  const isWhole = linkId === WHOLE_ORGANIZATION;
  const rows = await tx.run<{ visitor: string }>(
    `select distinct visitor::text as visitor from clicks where ${IN_HOUR} ${isWhole ? "" : "and link_id = $5::text::uuid"}`,
    [...inHour(whose, hour), ...(isWhole ? [] : [linkId])],
  );
  return new Set(rows.map(({ visitor }) => BigInt(visitor)));
}

/** Builds a day's sketch from those of its hours. Throws `SketchFormatError` if one is damaged. */
async function visitorsOfDay(tx: Statements, whose: Whose, day: number): Promise<Sketch> {
  const rows = await tx.run<{ sketch: Buffer }>(
    `select visitors as sketch from figures_hourly
     where visitors is not null and org_id = $1::text::uuid and link_id = $2::text::uuid and is_bot = $3::text::boolean
       and hour >= to_timestamp($4::float8 / 1000) and hour < to_timestamp($5::float8 / 1000)`,
    [...keyOf(whose), day, day + DAY_MS],
  );
  const sketch = createSketch(PRECISION);
  for (const row of rows) mergeInto(sketch, decodeSketch(row.sketch));
  return sketch;
}

async function replace(tx: Statements, { table, unit }: FigureLevel, whose: Whose, at: number, sketch: Sketch) {
  const key = [...keyOf(whose), at];
  await tx.run(
    `update ${table} set visitors = null, revision = ${revisionOf("$5")}
     where org_id = $1::text::uuid and link_id = $2::text::uuid and is_bot = $3::text::boolean
       and ${unit} = to_timestamp($4::float8 / 1000)`,
    [...key, newRevision()],
  );
  if (!(sketch.visitors instanceof Uint8Array) && sketch.visitors.size === 0) return;
  await tx.run(
    `insert into ${table} (org_id, link_id, is_bot, ${unit}, writer, clicks, opens, counts, visitors, revision)
     select org_id, link_id, is_bot, start, writer, 0, 0, '', decode($6::text, 'hex'), ${NEXT_REVISION}
     from (values ($1::text::uuid, $2::text::uuid, $3::text::boolean, to_timestamp($4::float8 / 1000), $5::int))
       as replaced (org_id, link_id, is_bot, start, writer)
     on conflict (org_id, link_id, ${unit}, is_bot, writer) do update
     set visitors = excluded.visitors, revision = excluded.revision`,
    [...key, CORRECTIONS_WRITER, Buffer.from(encodeSketch(sketch)).toString("hex")],
  );
}

const keyOf = ({ orgId, linkId, isBot }: Whose) => [orgId, linkId, isBot ? "t" : "f"];
