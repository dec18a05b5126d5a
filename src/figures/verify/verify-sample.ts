/**
 * The nightly check: a few past days of organizations, drawn at random, are recomputed and compared. What differs is
 * told and left to an operator (`bun run admin verify-rollups --mend`), since it tells of a fault to be found.
 */
import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";
import { isUnfilled } from "./fill-figures";
import { floorToDay } from "./verify";
import { checkDay, type Difference } from "./verify-day";

export interface SampleOptions {
  /** Unix milliseconds. */
  now: number;
  /** Days to look at. */
  size?: number;
}

export interface SampleOutcome extends Record<string, unknown> {
  days: number;
  differences: number;
}

/** Describes the differences of one day of one organization. */
export interface FoundDifferences {
  orgId: string;
  /** Unix milliseconds. */
  day: number;
  total: number;
  /** Lists some of them. */
  differences: Difference[];
}

const SAMPLE_DAYS = 30;
/** Older days are the same as when they were looked at last. */
const PAST_DAYS = 90;
/** Of one day; the others are counted. */
const TOLD_MAX = 20;

/** Organizations are drawn among those with clicks, opens, events or leads in these weeks. */
export async function verifySample(
  sql: Sql,
  { now, size = SAMPLE_DAYS }: SampleOptions,
  onDifferences: (found: FoundDifferences) => void,
): Promise<SampleOutcome> {
  const today = floorToDay(now);
  const outcome = { days: 0, differences: 0 };
  for (const { orgId, day } of await drawDays(sql, today, size)) {
    const differences = await checkDay(sql, orgId, day);
    outcome.days++;
    outcome.differences += differences.length;
    if (differences.length === 0) continue;
    onDifferences({ orgId, day, total: differences.length, differences: differences.slice(0, TOLD_MAX) });
  }
  return outcome;
}

async function drawDays(sql: Sql, today: number, size: number) {
  const rows = await sql<{ orgId: string }[]>`select id as "orgId" from organizations`;
  const drawn: { orgId: string; day: number }[] = [];
  for (let tries = 0; tries < size * 20 && drawn.length < size && rows.length > 0; tries++) {
    const orgId = rows[Math.floor(Math.random() * rows.length)]?.orgId ?? "";
    const day = today - (1 + Math.floor(Math.random() * PAST_DAYS)) * DAY_MS;
    const isKnown = drawn.some((each) => each.orgId === orgId && each.day === day);
    if (isKnown || !(await hasTraffic(sql, orgId, day)) || (await isUnfilled(sql, orgId, day))) continue;
    drawn.push({ orgId, day });
  }
  return drawn;
}

/** Opens, events or leads alone are worth a look, too. */
async function hasTraffic(sql: Sql, orgId: string, day: number): Promise<boolean> {
  const [from, to] = [new Date(day).toISOString(), new Date(day + DAY_MS).toISOString()];
  const within = sql`org_id = ${orgId} and occurred_at >= ${from} and occurred_at < ${to}`;
  const [row] = await sql<{ isKnown: boolean }[]>`
    select exists (select 1 from clicks where ${within}) or exists (select 1 from opens where ${within})
      or exists (select 1 from events where ${within})
      or exists (select 1 from leads where org_id = ${orgId} and created_at >= ${from} and created_at < ${to})
        as "isKnown"`;
  return row?.isKnown ?? false;
}
