/**
 * The time range of a report: parsed from a query, split into buckets, and divided into what rollups cover and what
 * they do not.
 */
import type { AnalyticsRange } from "@/contract/analytics/analytics";
import { EARLIEST, NO_INSTANT, parseInstant } from "./instant";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const DEFAULT_MS = 30 * DAY_MS;
const HOURLY_MAX_MS = 3 * DAY_MS;
const YEARS_MAX = 2;
/** Hours and days are rounded up to no later than this: Postgres does not read what ISO 8601 writes for the year 10000. */
const LATEST = Date.UTC(9999, 11, 31);

/** `from` is inclusive and `to` exclusive, in Unix milliseconds. */
export interface Span {
  from: number;
  to: number;
}

export interface TimeRange extends Span {
  granularity: AnalyticsRange["granularity"];
}

export type ParsedRange = { ok: true; range: TimeRange } | { ok: false; faults: string[] };

/** Parses a range. `to` defaults to now, `from` to 30 days before `to`. Faults name their field. */
export function parseTimeRange(query: { from?: string; to?: string }, nowMs: number): ParsedRange {
  const to = query.to === undefined ? nowMs : parseInstant(query.to);
  const from = query.from === undefined ? defaultStart(to ?? nowMs) : parseInstant(query.from);
  const faults: string[] = [];
  if (from === undefined) faults.push(`from: ${NO_INSTANT}`);
  if (to === undefined) faults.push(`to: ${NO_INSTANT}`);
  if (from === undefined || to === undefined) return { ok: false, faults };
  if (from >= to) {
    const unsaid = query.to === undefined;
    return { ok: false, faults: [unsaid ? "from: must be before now, unless to is given" : "from: must be before to"] };
  }
  if (to > LATEST) return { ok: false, faults: [`to: must be at most ${new Date(LATEST).toISOString()}`] };
  if (to > yearsAfter(from, YEARS_MAX)) return { ok: false, faults: ["from: must be at most 2 years before to"] };
  return { ok: true, range: { from, to, granularity: to - from <= HOURLY_MAX_MS ? "hour" : "day" } };
}

/** Keeps to the dates that clients may state, unless nothing would be left. */
const defaultStart = (to: number): number => (to > EARLIEST ? Math.max(EARLIEST, to - DEFAULT_MS) : to - DEFAULT_MS);

export function bucketMs(granularity: TimeRange["granularity"]): number {
  return granularity === "hour" ? HOUR_MS : DAY_MS;
}

/** Returns the starts of all buckets that overlap the range, without gaps, aligned to hours or days in UTC. */
export function bucketStarts({ from, to, granularity }: TimeRange): number[] {
  const length = bucketMs(granularity);
  const first = floorTo(from, length);
  return Array.from({ length: Math.ceil((to - first) / length) }, (_, index) => first + index * length);
}

export interface DividedRange {
  /** Whole hours; empty (`from` = `to`) if the range holds none. */
  hours: Span;
  /** The rest of the range: at most two spans, together shorter than two hours. */
  partialHours: Span[];
}

/**
 * Divides a range into whole hours, which rollups count, and partial hours, which are counted from raw rows, and none of
 * which reaches into another hour. If the range reaches up to now, the current hour counts as whole, because nothing has
 * happened after now. So the usual query, up to now, has no partial hour at its end.
 */
export function divideRange({ from, to }: Span, nowMs: number): DividedRange {
  const start = ceilTo(from, HOUR_MS);
  const end = to >= nowMs ? ceilTo(to, HOUR_MS) : floorTo(to, HOUR_MS);
  if (start >= to) return { hours: { from: start, to: start }, partialHours: [{ from, to }] };
  const partialHours = [
    { from, to: start },
    { from: end, to },
  ];
  return { hours: { from: start, to: end }, partialHours: partialHours.filter(({ from, to }) => from < to) };
}

export interface WholeSpans {
  /** Whole days in UTC; empty (`from` = `to`) if there are none. */
  days: Span;
  /** The whole hours before and after the days: at most two spans. */
  hours: Span[];
}

/**
 * Divides whole hours, as returned by `divideRange`, into days and hours. Here too, the current day counts as whole
 * if the hours reach up to now.
 */
export function divideHours({ from, to }: Span, nowMs: number): WholeSpans {
  const start = ceilTo(from, DAY_MS);
  const end = to >= nowMs ? ceilTo(to, DAY_MS) : floorTo(to, DAY_MS);
  if (start >= end) return { days: { from: start, to: start }, hours: from < to ? [{ from, to }] : [] };
  const hours = [
    { from, to: start },
    { from: end, to },
  ];
  return { days: { from: start, to: end }, hours: hours.filter((span) => span.from < span.to) };
}

/** Returns hours only, for figures by hour, which daily rollups cannot provide. */
export function withoutDays(hours: Span): WholeSpans {
  return { days: { from: hours.to, to: hours.to }, hours: hours.from < hours.to ? [hours] : [] };
}

function yearsAfter(instant: number, years: number): number {
  const date = new Date(instant);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}

/** Returns the start of the hour or day, in UTC, that the instant is in; `length` is that of one. */
export const floorTo = (instant: number, length: number) => Math.floor(instant / length) * length;
const ceilTo = (instant: number, length: number) => Math.ceil(instant / length) * length;
