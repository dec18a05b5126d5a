/**
 * Compares one day of one organization, and each of its hours, with what raw clicks, opens, events and leads say its
 * figures should be. Memory: the day's figures as they should be, and those of one hour after another.
 *
 * Comparing needs one snapshot and no lock, because a batch writes clicks and figures in one transaction: whatever is
 * being written meanwhile, a snapshot has both or neither. A database spread over several machines has no such
 * snapshot, so differences found there are checked again while nothing writes. A repair must hold up everything else
 * that writes figures: verdicts by the organization's lock, click writers by the lock on the table of spools, which
 * each batch updates first. `sketch_resets` tells the writers that figures were replaced, and they drop their caches.
 * The organization's lock comes first, as for verdicts, so that there is no deadlock. Writers wait for as long as it
 * takes to count the day, about 10 µs per click. Nothing is lost meanwhile; clicks wait in their spools.
 */
import type { Sql, TransactionSql } from "postgres";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { isOnCitus } from "@/platform/db/citus/citus-tables";
import { takeAllLanes } from "@/platform/db/lanes";
import { DAYS, type FigureLevel, HOURS } from "../write/figure-rows";
import { rollUp } from "../write/rollup";
import { hoursWithVisits, rawVisits } from "./raw-visits";
import { lockOutWriters, statementsOf } from "./standstill";
import { readRows, renewDay, replaceUnit, unpackUnit } from "./stored-units";
import { addGroup, createUnit, differencesOf, type UnitDifference, type UnitFigures } from "./unit-figures";
import { eventDifferences, mendEvents } from "./verify-events";

export interface Difference extends UnitDifference {
  orgId: string;
  unit: FigureLevel["unit"];
  /** The start of the hour or day in Unix milliseconds. */
  start: number;
}

/** Returns no differences for days whose raw rows are no longer kept. */
export async function checkDay(sql: Sql, orgId: string, day: number): Promise<Difference[]> {
  const found = await sql.begin("isolation level repeatable read", (tx) => differencesOfDay(tx, orgId, day));
  if (found.length === 0 || !(await isOnCitus(sql))) return found;
  return sql.begin(async (tx) => {
    const statements = statementsOf(tx);
    await lockOutWriters(statements, orgId);
    await takeAllLanes(statements, orgId);
    return differencesOfDay(tx, orgId, day);
  });
}

async function differencesOfDay(tx: TransactionSql, orgId: string, day: number): Promise<Difference[]> {
  await holdPartitions(tx);
  const differences: Difference[] = [];
  if (!(await isKept(tx, orgId, day))) return differences;
  await inspect(tx, orgId, day, async ({ level, start, have, should }) => {
    for (const difference of differencesOf(have, should)) {
      differences.push({ orgId, unit: level.unit, start, ...difference });
    }
  });
  for (const difference of await eventDifferences(tx, orgId, day)) differences.push({ orgId, ...difference });
  return differences;
}

/**
 * Replaces the hours and the day that are wrong. Returns how many were replaced, or undefined for a day whose raw rows
 * are no longer kept, of which nothing is replaced.
 */
export async function mendDay(sql: Sql, orgId: string, day: number): Promise<number | undefined> {
  return sql.begin(async (tx) => {
    const statements = statementsOf(tx);
    await lockOutWriters(statements, orgId);
    await holdPartitions(tx);
    if (!(await isKept(tx, orgId, day))) return undefined;
    let replaced = await mendEvents(tx, orgId, day);
    await inspect(tx, orgId, day, async ({ level, start, have, should }) => {
      if (differencesOf(have, should).length === 0) return;
      await replaceUnit(statements, level, orgId, start, should);
      replaced++;
    });
    if (replaced > 0) await renewDay(statements, orgId, day);
    return replaced;
  });
}

interface InspectedUnit {
  level: FigureLevel;
  start: number;
  have: UnitFigures;
  should: UnitFigures;
}

async function inspect(
  tx: TransactionSql,
  orgId: string,
  day: number,
  onUnit: (unit: InspectedUnit) => Promise<void>,
): Promise<void> {
  const end = day + DAY_MS;
  const statements = statementsOf(tx);
  const storedHours = await readRows(tx, HOURS, orgId, { from: day, to: end });
  const visitedHours = await hoursWithVisits(tx, orgId, { from: day, to: end });
  const shouldOfDay = createUnit();
  for (let start = day; start < end; start += HOUR_MS) {
    const have = await unpackUnit(statements, storedHours.get(start) ?? []);
    const should = visitedHours.has(start) ? await recount(tx, orgId, start, shouldOfDay) : createUnit();
    await onUnit({ level: HOURS, start, have, should });
  }
  const storedDays = await readRows(tx, DAYS, orgId, { from: day, to: end });
  const have = await unpackUnit(statements, storedDays.get(day) ?? []);
  await onUnit({ level: DAYS, start: day, have, should: shouldOfDay });
}

/** Recounts the hour, adds the result to its day as well, and returns it. */
async function recount(tx: TransactionSql, orgId: string, start: number, day: UnitFigures): Promise<UnitFigures> {
  const hour = createUnit();
  for await (const visits of rawVisits(tx, orgId, { from: start, to: start + HOUR_MS })) {
    const groups = rollUp(visits);
    for (const group of groups.hours) addGroup(hour, group, groups.values);
    for (const group of groups.days) addGroup(day, group, groups.values);
  }
  return hour;
}

/**
 * Must come first, before there is a snapshot: retention records its cutoff before it drops a partition, and a drop
 * is visible in any snapshot.
 */
async function holdPartitions(tx: TransactionSql): Promise<void> {
  await tx`lock table clicks, opens, events in access share mode`;
}

async function isKept(tx: TransactionSql, orgId: string, day: number): Promise<boolean> {
  const [mark] = await tx`
    select 1 from raw_retention where org_id = ${orgId} and kept_from > ${new Date(day).toISOString()}`;
  return mark === undefined;
}
