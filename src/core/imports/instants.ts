/** Instants as other services write them. Those without an offset are in UTC. */
import { parseInstant } from "../time/instant";

const SECONDS = /^\d{9,10}$/;
const MILLISECONDS = /^\d{12,13}$/;
/** `2020-10-26T17:20:40+0000`, `2024-05-02 08:11:00`, `2024-05-02 08:11:00 UTC`. */
const LOOSE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?) ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * Returns Unix milliseconds. Returns undefined for anything else, and for dates whose day and month could be
 * confused.
 */
export function parseOldInstant(text: string): number | undefined {
  const strict = parseInstant(text);
  if (strict !== undefined) return strict;
  if (SECONDS.test(text)) return Number(text) * 1_000;
  if (MILLISECONDS.test(text)) return Number(text);
  const [, day, time, zone] = LOOSE.exec(text) ?? [];
  return day === undefined ? undefined : parseInstant(`${day}T${time?.replace(",", ".")}${offsetOf(zone)}`);
}

function offsetOf(zone: string | undefined): string {
  const digits = zone?.replace(":", "") ?? "";
  if (!/^[+-]/.test(digits)) return "Z";
  return `${digits.slice(0, 3)}:${digits.slice(3) || "00"}`;
}
