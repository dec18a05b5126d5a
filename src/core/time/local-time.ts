/**
 * The wall clock at a visitor's location.
 *
 * A call to `Intl` takes microseconds, so the offset of each zone is cached for the quarter of an hour it was
 * computed for: no zone changes its offset within one. The cache holds at most `ZONES_MAX` zones, more than there
 * are, and is cleared when it would exceed that. Its entries are derived from their keys, so a crash loses nothing.
 */
import { MINUTE_MS } from "./time-range";

const DAY_MINUTES = 1_440;
const QUARTER_MS = 15 * MINUTE_MS;
const ZONES_MAX = 1_000;

interface ZoneOffset {
  format: Intl.DateTimeFormat | null;
  quarter: number;
  minutesEast: number;
}

const zones = new Map<string, ZoneOffset>();

export interface LocalTime {
  /** From 0 to 1439. */
  minuteOfDay: number;
  /** 0 is Sunday. */
  dayOfWeek: number;
}

/**
 * Returns the local time. `offsetMinutes` is as from `Date.getTimezoneOffset()`: what to add to local time to get
 * UTC. An absent or unknown `timeZone` means UTC.
 */
export function localTime(nowMs: number, zone: { timeZone?: string } | { offsetMinutes: number }): LocalTime {
  const minutesEast = "offsetMinutes" in zone ? -zone.offsetMinutes : minutesEastOf(zone.timeZone, nowMs);
  const minutes = Math.floor(nowMs / MINUTE_MS) + minutesEast;
  const days = Math.floor(minutes / DAY_MINUTES);
  // 1 January 1970 was a Thursday.
  return { minuteOfDay: minutes - days * DAY_MINUTES, dayOfWeek: (((days + 4) % 7) + 7) % 7 };
}

/** Returns 0 for an absent or unknown zone. */
export function minutesEastOf(timeZone: string | undefined, nowMs: number): number {
  if (timeZone === undefined || timeZone === "" || timeZone === "UTC") return 0;
  const zone = zoneOf(timeZone);
  const quarter = Math.floor(nowMs / QUARTER_MS);
  if (zone.quarter !== quarter) {
    zone.minutesEast = zone.format === null ? 0 : askMinutesEast(zone.format, nowMs);
    zone.quarter = quarter;
  }
  return zone.minutesEast;
}

function zoneOf(timeZone: string): ZoneOffset {
  let zone = zones.get(timeZone);
  if (zone === undefined) {
    if (zones.size >= ZONES_MAX) zones.clear();
    zone = { format: formatOf(timeZone), quarter: Number.NaN, minutesEast: 0 };
    zones.set(timeZone, zone);
  }
  return zone;
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Parses an offset like `GMT-03:30`; plain `GMT` is UTC. */
function askMinutesEast(format: Intl.DateTimeFormat, nowMs: number): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(format.format(nowMs)) ?? [];
  const east = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === "-" ? -east : east;
}
