/**
 * Recomputes figures from raw clicks, opens, events and leads, by day and organization, and compares them with what
 * is stored.
 */
import type { Sql } from "postgres";
import { DAY_MS, type Span } from "@/core/time/time-range";
import { knownDays } from "./stored-units";
import { type CounterDifference, checkCounters, mendCounters } from "./verify-counters";
import { checkDay, type Difference, mendDay } from "./verify-day";

export interface VerifyOptions {
  /** Every UTC day that this span touches is verified. A missing end means as far as there is any data. */
  span: Partial<Span>;
  /** Defaults to all organizations. */
  orgId?: string;
  isRepairing: boolean;
  onDifference(difference: Difference | CounterDifference): void;
}

export interface VerifySummary {
  organizations: number;
  days: number;
  differences: number;
  /** Hours, days and links whose figures were replaced. */
  mended: number;
}

export async function verifyFigures(sql: Sql, options: VerifyOptions): Promise<VerifySummary> {
  const summary = { organizations: 0, days: 0, differences: 0, mended: 0 };
  const ofOne = options.orgId === undefined ? sql`` : sql`where id = ${options.orgId}`;
  const organizations = await sql<{ id: string }[]>`select id from organizations ${ofOne} order by id`;
  for (const { id } of organizations) {
    summary.organizations++;
    await verifyOrganization(sql, id, options, summary);
  }
  return summary;
}

async function verifyOrganization(sql: Sql, orgId: string, options: VerifyOptions, summary: VerifySummary) {
  const known = await knownDays(sql, orgId);
  if (!known) return;
  const from = floorToDay(Math.max(known.from, options.span.from ?? known.from));
  const to = Math.min(known.to + 1, options.span.to ?? Infinity);
  for (let day = from; day < to; day += DAY_MS) {
    summary.days++;
    const differences = await checkDay(sql, orgId, day);
    note(differences, options, summary);
    if (options.isRepairing && differences.length > 0) summary.mended += (await mendDay(sql, orgId, day)) ?? 0;
  }
  const counters = await checkCounters(sql, orgId);
  note(counters, options, summary);
  if (options.isRepairing && counters.length > 0) summary.mended += await mendCounters(sql, orgId);
}

function note(
  differences: readonly (Difference | CounterDifference)[],
  options: VerifyOptions,
  summary: VerifySummary,
) {
  summary.differences += differences.length;
  for (const difference of differences) options.onDifference(difference);
}

export const floorToDay = (instant: number): number => Math.floor(instant / DAY_MS) * DAY_MS;
