/** Instants as clients write them: ISO 8601 with an offset, or a date, which means midnight in UTC. */

/** Error message, as the text after a field's name, for input that `parseInstant` rejects. */
export const NO_INSTANT =
  "expected a valid date from 1970 to 9999, alone or with time and offset: 2026-01-31 or 2026-01-31T12:00:00Z";

/** The first instant that `parseInstant` returns. */
export const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(10_000, 0, 1) - 1;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?:(:\d{2})(\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Returns Unix milliseconds. Returns undefined for invalid input, including days that do not exist (`Date.parse`
 * reads February 30 as March 2).
 */
export function parseInstant(text: string): number | undefined {
  const [, day, minute, second = ":00", fraction = "", offset = ""] =
    INSTANT.exec(DATE.test(text) ? `${text}T00:00Z` : text) ?? [];
  if (day === undefined || minute === undefined) return undefined;
  const local = new Date(`${day}T${minute}${second}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(`${day}T${minute}`)) return undefined;
  const instant = local.getTime() - offsetMs(offset);
  return instant >= EARLIEST && instant <= LATEST ? instant : undefined;
}

function offsetMs(offset: string): number {
  if (offset === "Z") return 0;
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
