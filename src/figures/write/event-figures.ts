/** Adds custom events and leads to the figures. Leads are stored as events with blank names (`LEADS_NAME`). */
import { sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { eventRollupsDaily, eventRollupsHourly } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export interface CountedEvent {
  name: string;
  linkId?: string | null;
  value?: number | null;
  occurredAt: Date;
}

/**
 * Adds an event to the figures of its hour and its day, for its link and for the organization. The caller must hold
 * the lane.
 */
export async function countEvent(tx: Db, orgId: OrgId, lane: number, event: CountedEvent): Promise<void> {
  const at = event.occurredAt.getTime();
  const linkIds = [WHOLE_ORGANIZATION, ...(event.linkId ? [event.linkId] : [])];
  const rows = linkIds.map((linkId) => ({
    orgId,
    linkId,
    name: event.name,
    lane,
    count: 1,
    value: event.value ?? 0,
  }));
  const [hourly, daily] = [eventRollupsHourly, eventRollupsDaily];
  await tx
    .insert(hourly)
    .values(rows.map((row) => ({ ...row, hour: new Date(at - (at % HOUR_MS)) })))
    .onConflictDoUpdate({
      target: [hourly.orgId, hourly.linkId, hourly.hour, hourly.name, hourly.lane],
      set: { count: sql`${hourly.count} + 1`, value: sql`${hourly.value} + excluded.value` },
    });
  await tx
    .insert(daily)
    .values(rows.map((row) => ({ ...row, day: new Date(at - (at % DAY_MS)) })))
    .onConflictDoUpdate({
      target: [daily.orgId, daily.linkId, daily.day, daily.name, daily.lane],
      set: { count: sql`${daily.count} + 1`, value: sql`${daily.value} + excluded.value` },
    });
}
