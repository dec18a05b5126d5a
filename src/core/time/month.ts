/** Calendar months in UTC, by which requests are counted. */

/** Returns the first day of the month that contains an instant (Unix milliseconds), as `2026-06-01`. */
export const monthOf = (at: number): string => `${new Date(at).toISOString().slice(0, 7)}-01`;

/** Returns the end of that month, which is the start of the next one, in Unix milliseconds. */
export function monthEnd(at: number): number {
  const instant = new Date(at);
  return Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1);
}
