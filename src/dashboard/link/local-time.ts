/** Instants as `datetime-local` fields hold them: in the browser's time zone, like `2026-01-31T12:00`. */
import { MINUTE_MS } from "@/core/time/time-range";

/** Returns an empty string for a text that is no instant. */
export function localTime(instant: string): string {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return "";
  const text = new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString();
  // East of Greenwich, the end of the year 9999 is in the next one, which ISO 8601 writes with a sign and a zero.
  return text.slice(0, text.lastIndexOf(":")).replace(/^\+0/, "");
}

/**
 * Returns undefined for a time beyond the year 9999, the last that the API accepts. Browsers let people type years of
 * six digits.
 */
export function instantOf(local: string): string | undefined {
  const at = Date.parse(local);
  const instant = Number.isNaN(at) ? "" : new Date(at).toISOString();
  return /^\d{4}-/.test(instant) ? instant : undefined;
}
