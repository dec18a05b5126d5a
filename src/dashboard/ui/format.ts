/** Formats numbers, shares and times for the language of the page. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/core/time/time-range";

export const pageLanguage = document.documentElement.lang || "en";

const whole = new Intl.NumberFormat(pageLanguage);
const short = new Intl.NumberFormat(pageLanguage, { notation: "compact", maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(pageLanguage, { style: "percent", maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(pageLanguage, { dateStyle: "medium" });
const month = new Intl.DateTimeFormat(pageLanguage, { month: "long", year: "numeric", timeZone: "UTC" });
const moment = new Intl.DateTimeFormat(pageLanguage, { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat(pageLanguage, { timeStyle: "medium" });

const MEGABYTE = 2 ** 20;

export const countText = (count: number): string => whole.format(count);
export const shortCount = (count: number): string => short.format(count);
/** Formats megabytes, rounded up to tenths: no file has none, and none above a limit seems to have its size. */
export const megabytesText = (bytes: number): string => whole.format(Math.ceil((bytes / MEGABYTE) * 10) / 10);
/** Formats a share between 0 and 1. */
export const percentText = (part: number): string => share.format(part);
export const dayText = (at: string | number): string => day.format(new Date(at));
/** Uses the browser's time zone. */
export const momentText = (at: string | number): string => moment.format(new Date(at));
/** Formats only the time of day, to the second. */
export const clockText = (at: string | number): string => clock.format(new Date(at));
/** Formats a month in UTC. */
export const monthText = (at: string): string => month.format(new Date(at));

const UNITS = [
  ["day", DAY_MS / 1_000],
  ["hour", HOUR_MS / 1_000],
  ["minute", MINUTE_MS / 1_000],
  ["second", 1],
] as const;

/** Uses the largest unit that fits. */
export function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? UNITS[3];
  return new Intl.NumberFormat(pageLanguage, { style: "unit", unit, unitDisplay: "long" }).format(
    Math.floor(seconds / size),
  );
}
