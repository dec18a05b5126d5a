/**
 * The number of deliveries that an endpoint may have under way. It starts low, grows by one for each quick success
 * while all slots were taken, up to a limit, and is halved by each slow or failed delivery.
 */
export const WINDOW_MIN = 4;
export const WINDOW_MAX = 64;
/** A response within this time shows that the endpoint can take more. */
const QUICK_MS = 500;

export interface Answered {
  isDelivered: boolean;
  durationMs: number;
}

/** `wasFull`: whether all slots were taken while the delivery was under way. */
export function nextWindow(window: number, { isDelivered, durationMs }: Answered, wasFull: boolean): number {
  if (!isDelivered || durationMs > QUICK_MS) return Math.max(WINDOW_MIN, Math.floor(window / 2));
  return wasFull ? Math.min(WINDOW_MAX, window + 1) : window;
}
