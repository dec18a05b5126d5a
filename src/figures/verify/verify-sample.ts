/**
 * The nightly check: recomputes some random past days of random organizations and compares them with what is stored.
 * Differences are reported and left to an operator (`bun run admin verify-rollups --mend`), because they point to a
 * bug that should be found.
 */
import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";
import { isUnfilled } from "./fill-figures";
import { floorToDay } from "./verify";
import { checkDay, type Difference } from "./verify-day";

export interface SampleOptions {
  /** Unix milliseconds. */
  now: number;
  /** The number of days to check. */
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
  /** Lists at most `TOLD_MAX` of them. */
  differences: Difference[];
}

const SAMPLE_DAYS = 30;
/** Days are drawn from this many past ones; older ones are assumed not to have changed since they were among them. */
const PAST_DAYS = 90;
/** Differences listed for one day; any others are only counted. */
const TOLD_MAX = 20;

/** Draws days at random and skips those without clicks, opens, events or leads of their organization. */
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

/** Days with only opens, events or leads are worth checking, too. */
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
