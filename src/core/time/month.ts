/** Months of UTC, by which requests are counted. */

/** The first day of the month that an instant (Unix milliseconds) lies in, as `2026-06-01`. */
export const monthOf = (at: number): string => `${new Date(at).toISOString().slice(0, 7)}-01`;

/** When that month ends and the next begins, Unix milliseconds. */
export function monthEnd(at: number): number {
  const instant = new Date(at);
  return Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1);
}
