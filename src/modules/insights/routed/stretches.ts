/**
 * Divides a range into stretches, newest first: units, which are whole days or hours whose figures have a version
 * (`figures/columns/versions`), and the time between them. All units are days, except on the last day of the range,
 * which is divided into hours because the day in progress keeps changing.
 */
import type { ISql } from "postgres";
import type { OrgId } from "@/core/ids";
import { DAY_MS, floorTo, HOUR_MS, type Span } from "@/core/time/time-range";
import { readVersions, type UnitLevel } from "@/figures/columns/versions";

export interface Stretch extends Span {
  /** Absent if the stretch is not a unit with figures; such a stretch is read each time. */
  unit?: { level: UnitLevel; version: string };
}

/** `sql` must be a snapshot, so that versions and clicks agree. */
export async function readStretches(sql: ISql, orgId: OrgId, range: Span, now: number): Promise<Stretch[]> {
  const lastDay = floorTo(Math.min(now, range.to - 1), DAY_MS);
  const days = { from: floorTo(range.from, DAY_MS), to: lastDay };
  const hours = { from: Math.max(floorTo(range.from, HOUR_MS), lastDay), to: range.to };
  const [ofDays, ofHours, [retained]] = await Promise.all([
    readVersions(sql, orgId, "day", days),
    readVersions(sql, orgId, "hour", hours),
    sql<{ keptFrom: number }[]>`
      select extract(epoch from kept_from)::float8 * 1000 as "keptFrom" from raw_retention where org_id = ${orgId}`,
  ]);
  // Only retention deletes clicks and keeps their figures.
  const keptFrom = retained?.keptFrom ?? Number.NEGATIVE_INFINITY;
  const units = [
    ...ofDays.map(({ start, version }) => ({ level: "day" as const, start, end: start + DAY_MS, version })),
    ...ofHours.map(({ start, version }) => ({ level: "hour" as const, start, end: start + HOUR_MS, version })),
  ];
  const stretches: Stretch[] = [];
  let end = range.to;
  for (const unit of units.toReversed()) {
    if (unit.end > end || unit.start < keptFrom) continue;
    if (unit.end < end) stretches.push({ from: unit.end, to: end });
    const { level, version } = unit;
    stretches.push({ from: unit.start, to: unit.end, unit: { level, version } });
    end = unit.start;
  }
  if (end > range.from) stretches.push({ from: range.from, to: end });
  return stretches;
}
