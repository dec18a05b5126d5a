/**
 * Computes from raw clicks what an upgrade added to the figures of earlier days: newest days first, and the day of
 * the upgrade last, once it is over. A row of `figure_fills` records how far each organization has come, so that a
 * run that is stopped or killed leaves at most one day to be done again. While a day is counted, click writers wait
 * (`verify-day.ts`), and their clicks stay in the spools.
 *
 * Days whose raw clicks are no longer kept stay unfilled. An organization with figures of such days keeps its row for
 * good, with the last of them as the day of the upgrade, so that they are not mistaken for days without any values.
 */
import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";
import { knownDays } from "./stored-units";
import { floorToDay } from "./verify";
import { mendDay } from "./verify-day";

export interface FillOptions {
  /** Unix milliseconds. */
  now: number;
  /** Fills at most this many days. */
  daysMax?: number;
}

export interface FillOutcome extends Record<string, unknown> {
  days: number;
  /** The number of organizations that have days left. */
  left: number;
}

interface Fill {
  orgId: string;
  /** Both are in Unix milliseconds. */
  upgradedOn: number;
  filledFrom: number;
}

export async function fillFigures(sql: Sql, { now, daysMax = Infinity }: FillOptions): Promise<FillOutcome> {
  let days = 0;
  for (const fill of await readFills(sql)) {
    if (days >= daysMax) break;
    days += await fillOrganization(sql, fill, { now, daysMax: daysMax - days });
  }
  return { days, left: (await readFills(sql)).length };
}

async function fillOrganization(sql: Sql, fill: Fill, { now, daysMax }: Required<FillOptions>): Promise<number> {
  const { orgId, upgradedOn } = fill;
  const known = await knownDays(sql, orgId);
  const first = known ? floorToDay(known.from) : Infinity;
  let { filledFrom } = fill;
  let days = 0;
  for (; filledFrom > first; days++) {
    if (days >= daysMax) return days;
    if ((await mendDay(sql, orgId, filledFrom - DAY_MS)) === undefined) break;
    filledFrom -= DAY_MS;
    await sql`update figure_fills set filled_from = ${new Date(filledFrom)} where org_id = ${orgId}`;
  }
  if (now < upgradedOn + DAY_MS || days >= daysMax) return days;
  if ((await mendDay(sql, orgId, upgradedOn)) === undefined) filledFrom = upgradedOn + DAY_MS;
  await end(sql, orgId, filledFrom, first);
  return days + 1;
}

/** Records that nothing is left to do: the figures from `first` to before `filledFrom` can no longer be filled. */
async function end(sql: Sql, orgId: string, filledFrom: number, first: number): Promise<void> {
  if (filledFrom <= first) await sql`delete from figure_fills where org_id = ${orgId}`;
  else
    await sql`
      update figure_fills set filled_from = ${new Date(filledFrom)}, upgraded_on = ${new Date(filledFrom - DAY_MS)}
      where org_id = ${orgId}`;
}

/** Excludes organizations of which only days that can no longer be filled are unfilled. */
const IS_LEFT = "filled_from <= upgraded_on";

export const hasFills = async (sql: Sql): Promise<boolean> =>
  (await sql`select 1 from figure_fills where ${sql.unsafe(IS_LEFT)} limit 1`).length > 0;

/** Whether the figures of a day may lack what an upgrade added. */
export async function isUnfilled(sql: Sql, orgId: string, day: number): Promise<boolean> {
  const at = new Date(day);
  const rows = await sql`
    select 1 from figure_fills where org_id = ${orgId} and (${at} < filled_from or ${at} = upgraded_on)`;
  return rows.length > 0;
}

const readFills = (sql: Sql) => sql<Fill[]>`
  select org_id as "orgId", extract(epoch from upgraded_on)::float8 * 1000 as "upgradedOn",
    extract(epoch from filled_from)::float8 * 1000 as "filledFrom"
  from figure_fills where ${sql.unsafe(IS_LEFT)} order by org_id`;
