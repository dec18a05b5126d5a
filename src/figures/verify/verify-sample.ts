/**
 * The nightly check: recomputes some random past days of random organizations and compares them with what is stored.
 * Differences are reported and left to an operator (`bun run admin verify-rollups --mend`), because they point to a
 * bug that should be found.
 */
import type { Sql } from "postgres";
import { DAY_MS, type Span } from "@/core/time/time-range";
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
/** At most this many organizations are looked at to find some with traffic; most may have none. */
const ORGANIZATIONS_MAX = 20_000;
/** Differences listed for one day; any others are only counted. */
const TOLD_MAX = 20;

/** Draws days at random, among those with clicks, opens, events or leads of their organization. */
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

/** Draws organizations with traffic first, and then a day of each in turn. */
async function drawDays(sql: Sql, today: number, size: number) {
  const past = { from: today - PAST_DAYS * DAY_MS, to: today };
  const organizations = await drawOrganizations(sql, past, size);
  const drawn: { orgId: string; day: number }[] = [];
  for (let round = 0; round < PAST_DAYS; round++) {
    for (const { orgId, days } of organizations) {
      if (drawn.length === size) return drawn;
      const day = await nextDay(sql, orgId, days);
      if (day !== undefined) drawn.push({ orgId, day });
    }
  }
  return drawn;
}

interface DrawnOrganization {
  orgId: string;
  /** Days that were not considered yet, in random order. */
  days: number[];
}

async function drawOrganizations(sql: Sql, past: Span, size: number): Promise<DrawnOrganization[]> {
  const rows = await sql<{ orgId: string }[]>`
    select id as "orgId" from organizations order by random() limit ${ORGANIZATIONS_MAX}`;
  const drawn: DrawnOrganization[] = [];
  for (const { orgId } of rows) {
    if (drawn.length === size) break;
    if (await hasTraffic(sql, orgId, past)) drawn.push({ orgId, days: shuffledDays(past) });
  }
  return drawn;
}

/** Takes days from `days` until one has traffic and is filled, and returns it; undefined if there is none left. */
async function nextDay(sql: Sql, orgId: string, days: number[]): Promise<number | undefined> {
  for (let day = days.pop(); day !== undefined; day = days.pop()) {
    if ((await hasTraffic(sql, orgId, { from: day, to: day + DAY_MS })) && !(await isUnfilled(sql, orgId, day)))
      return day;
  }
  return undefined;
}

function shuffledDays({ from, to }: Span): number[] {
  const days = Array.from({ length: (to - from) / DAY_MS }, (_, index) => from + index * DAY_MS);
  const places = new Map(days.map((day) => [day, Math.random()]));
  return days.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

/** Days with only opens, events or leads are worth checking, too. */
async function hasTraffic(sql: Sql, orgId: string, span: Span): Promise<boolean> {
  const [from, to] = [new Date(span.from).toISOString(), new Date(span.to).toISOString()];
  const within = sql`org_id = ${orgId} and occurred_at >= ${from} and occurred_at < ${to}`;
  const [row] = await sql<{ isKnown: boolean }[]>`
    select exists (select 1 from clicks where ${within}) or exists (select 1 from opens where ${within})
      or exists (select 1 from events where ${within})
      or exists (select 1 from leads where org_id = ${orgId} and created_at >= ${from} and created_at < ${to})
        as "isKnown"`;
  return row?.isKnown ?? false;
}
