/**
 * How many deliveries an endpoint may have under way: few until it has shown that it is quick, then one more for each quick
 * success that found all places taken, up to a bound. Whatever is slow or fails halves them.
 */
export const WINDOW_MIN = 4;
export const WINDOW_MAX = 64;
/** An answer within so long shows that the endpoint bears more. */
const QUICK_MS = 500;

export interface Answered {
  isDelivered: boolean;
  durationMs: number;
}

/** `wasFull`: whether all places were taken while it was under way. */
export function nextWindow(window: number, { isDelivered, durationMs }: Answered, wasFull: boolean): number {
  if (!isDelivered || durationMs > QUICK_MS) return Math.max(WINDOW_MIN, Math.floor(window / 2));
  return wasFull ? Math.min(WINDOW_MAX, window + 1) : window;
}
