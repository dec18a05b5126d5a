/** The retry schedule of failed deliveries. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/time-range";

const SECOND_MS = 1_000;
/** Until each further attempt. */
export const WAITS_MS = [
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
/** Random spread of ±20%, so that deliveries that failed together are not retried together. */
const SPREAD = 0.2;

export const WAIT_MS_MAX = 24 * HOUR_MS * (1 + SPREAD);
/** An endpoint that has failed for this long is turned off. */
export const FAILING_MS_MAX = 5 * DAY_MS;

/**
 * Returns the milliseconds until the next attempt, or undefined if there are no more. `attempts` counts those made so
 * far; `random` is in [0, 1). A longer wait requested by the endpoint is granted up to `WAIT_MS_MAX`.
 */
export function nextWaitMs(attempts: number, random: number, retryAfterMs = 0): number | undefined {
  const wait = WAITS_MS[attempts - 1];
  if (wait === undefined) return undefined;
  const spread = wait * (1 - SPREAD + 2 * SPREAD * random);
  return Math.round(Math.min(Math.max(spread, retryAfterMs), WAIT_MS_MAX));
}

/**
 * Returns the milliseconds that a `Retry-After` header asks to wait, in seconds or until a date; undefined if it is
 * neither.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text) * SECOND_MS;
  const at = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
