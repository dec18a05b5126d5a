/** When a delivery that failed is tried again. */
import { DAY_MS, HOUR_MS } from "../time/time-range";

const [SECOND_MS, MINUTE_MS] = [1_000, 60_000];
const WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** So that what failed together is not tried together. */
const SPREAD = 0.2;

/** The count includes the first attempt. */
export const ATTEMPTS_MAX = WAITS_MS.length + 1;
export const WAIT_MS_MAX = 24 * HOUR_MS * (1 + SPREAD);
/** An endpoint that has failed for so long is turned off. */
export const FAILING_MS_MAX = 5 * DAY_MS;

/**
 * Milliseconds until the next try, after so many; undefined when there is none any more. `random` is from 0 up to 1.
 * An endpoint that asks for a longer wait is given it, up to the longest there is.
 */
export function nextWaitMs(attempts: number, random: number, retryAfterMs = 0): number | undefined {
  const wait = WAITS_MS[attempts - 1];
  if (wait === undefined) return undefined;
  const spread = wait * (1 - SPREAD + 2 * SPREAD * random);
  return Math.round(Math.min(Math.max(spread, retryAfterMs), WAIT_MS_MAX));
}

/** Milliseconds that `Retry-After` asks to wait, in seconds or until a date; undefined where it says neither. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text) * SECOND_MS;
  const at = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
