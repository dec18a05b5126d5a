/**
 * Stores days in columns once they are over, and again when their figures have changed because of a late click, a
 * verdict or an erasure. Days with few clicks are left out, because reading their raw clicks costs little.
 *
 * A day is built without a lock, after reading its version, and stored under the organization's figures lock if it
 * still has that version. An erasure takes the same lock and deletes what is stored, so that nothing erased comes
 * back. Days that retention is about to delete are not stored. A run that is stopped or killed leaves one day to be
 * done again; two runs at the same time do the same work twice. Memory: the packed parts of one day and one part
 * more, some tens of megabytes for a million clicks.
 */
import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { takeFiguresLock } from "@/platform/db/locks";
import { statementsOf } from "../verify/standstill";
import { packPart } from "./packed-part";
import { rawParts } from "./raw-parts";
import { replaceStored } from "./stored-days";
import { readVersions, VERSION_IN_SQL } from "./versions";

const CLICKS_MIN = 200;
/** The most days before today that are ever considered: as far back as any range reaches. */
export const STORED_DAYS_MAX = 2 * 366;

export interface BuildOptions {
  /** Unix milliseconds. */
  now: number;
  /** Defaults to all organizations. */
  orgId?: string;
  /** How many days before today are considered. */
  days?: number;
  clicksMin?: number;
}

export interface BuildOutcome extends Record<string, unknown> {
  /** The number of days stored. */
  days: number;
  clicks: number;
  bytes: number;
}

/** Rejects with the first error, but only after all other days are stored. */
export async function buildDays(sql: Sql, options: BuildOptions): Promise<BuildOutcome> {
  const outcome = { days: 0, clicks: 0, bytes: 0 };
  const faults: unknown[] = [];
  for (const { orgId, day } of await outdatedDays(sql, options)) {
    const stored = await buildDay(sql, orgId, day).catch((fault: unknown) => void faults.push(fault));
    if (!stored) continue;
    outcome.days++;
    outcome.clicks += stored.clicks;
    outcome.bytes += stored.bytes;
  }
  if (faults.length > 0) throw faults[0];
  return outcome;
}

/** True if there is anything to store. */
export const isOutdated = async (sql: Sql, options: BuildOptions): Promise<boolean> =>
  (await outdatedDays(sql, options, 1)).length > 0;

/** Returns days whose columns are missing or outdated, the newest first. */
async function outdatedDays(
  sql: Sql,
  { now, orgId, days = STORED_DAYS_MAX, clicksMin = CLICKS_MIN }: BuildOptions,
  max?: number,
): Promise<{ orgId: string; day: number }[]> {
  const today = now - (now % DAY_MS);
  const orgs = sql`array(select id from organizations ${orgId === undefined ? sql`` : sql`where id = ${orgId}`})`;
  const rows = await sql<{ orgId: string; day: number }[]>`
    select figures.org_id as "orgId", extract(epoch from figures.day)::float8 * 1000 as day
    from (
      select org_id, day, ${sql.unsafe(VERSION_IN_SQL)} as version from figures_daily
      where org_id = any(${orgs}) and link_id = ${WHOLE_ORGANIZATION}
        and day >= ${new Date(today - days * DAY_MS)} and day < ${new Date(today)}
      group by org_id, day having sum(clicks) >= ${clicksMin}
    ) as figures
      left join click_days on click_days.org_id = figures.org_id and click_days.day = figures.day and part = 0
      left join raw_retention on raw_retention.org_id = figures.org_id
    where click_days.version is distinct from figures.version and (kept_from is null or kept_from <= figures.day)
    ${max === undefined ? sql`order by figures.day desc` : sql`limit ${max}`}`;
  return [...rows];
}

/** Returns undefined if nothing was stored, for example because the day has changed meanwhile. */
async function buildDay(sql: Sql, orgId: string, day: number): Promise<{ clicks: number; bytes: number } | undefined> {
  const span = { from: day, to: day + DAY_MS };
  const [before] = await readVersions(sql, orgId, "day", span);
  if (!before) return undefined;
  const parts: Uint8Array[] = [];
  let clicks = 0;
  for await (const part of rawParts(sql, orgId, span, DAY_MS)) {
    clicks += part.rows;
    parts.push(await packPart(part));
  }
  const isStored = await sql.begin(async (tx) => {
    const statements = statementsOf(tx);
    await takeFiguresLock(statements, orgId);
    // What is stored while the organization is being deleted would stay.
    const [organization] = await tx`select 1 from organizations where id = ${orgId} for key share`;
    if (!organization) return false;
    const [now] = await readVersions(tx, orgId, "day", span);
    const [expired] = await tx`select 1 from raw_retention where org_id = ${orgId} and kept_from > ${new Date(day)}`;
    if (now?.version !== before.version || expired || parts.length === 0) return false;
    await replaceStored(statements, orgId, { day, version: before.version, parts });
    return true;
  });
  return isStored ? { clicks, bytes: parts.reduce((sum, { length }) => sum + length, 0) } : undefined;
}
