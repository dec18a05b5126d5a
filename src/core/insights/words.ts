/** Figures and names as computed answers say them, the same everywhere. */
import { HOUR_MS } from "../time/time-range";

export const number = (value: number): string => (Math.round(value * 10) / 10).toLocaleString("en");
export const percent = (share: number): string => `${(Math.round(share * 1000) / 10).toLocaleString("en")}%`;
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;
export const rounded = (value: number, decimals = 4): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

/** 95% interval of a share, as in `6.2 to 9.1%`. */
export const interval = ({ low, high }: { low: number; high: number }): string =>
  `95% interval ${percent(low).replace("%", "")} to ${percent(high)}`;

/** Of UTC: a day, days, or hours of one. */
export function spanOf(from: number, to: number): string {
  const [start, end] = [new Date(from).toISOString(), new Date(to - 1).toISOString()];
  const days =
    start.slice(0, 10) === end.slice(0, 10) ? start.slice(0, 10) : `${start.slice(0, 10)} to ${end.slice(0, 10)}`;
  return to - from < 24 * HOUR_MS
    ? `${start.slice(0, 10)}, ${start.slice(11, 16)} UTC (${plural((to - from) / HOUR_MS, "hour")})`
    : days;
}

/** A link as people know it. */
export const nameOf = ({ title, slug }: { title?: string; slug: string }): string => `\`${title || slug}\``;

/** As in `p = 0.012`. */
export const chance = (pValue: number): string => (pValue < 0.001 ? "p < 0.001" : `p = ${rounded(pValue, 3)}`);

/** How many of something come of 100 clicks. */
export const per100 = (rate: number): string => number(rate * 100);

/** `6.2% (95% interval 4.9 to 7.8%, Wilson)`, or where one click may bring several `1.2 a click (…, Byar)`. */
export function rateOfSide({ rate, low, high }: { rate: number; low: number; high: number }): string {
  if (rate <= 1) return `${percent(rate)} (${interval({ low, high })}, Wilson)`;
  return `${rounded(rate, 2)} a click (95% interval ${rounded(low, 2)} to ${rounded(high, 2)}, Byar)`;
}

/** A chance as people say it, in two digits. */
export function oneIn(probability: number): string {
  if (probability < 1e-9) return "less than once in a billion";
  const times = 1 / probability;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(times)) - 1);
  return `once in ${number(Math.round(times / unit) * unit)}`;
}

/** A probability, which is never told to be certain. */
export function almost(probability: number): string {
  if (probability > 0.999) return "over 99.9%";
  return probability < 0.001 ? "under 0.1%" : percent(probability);
}

/** How many times, with the ends of its interval, as in `1.3 times (1.1 to 1.6)`. */
export function times({ ratio, low, high }: { ratio: number; low: number; high: number }): string {
  const said = (value: number) => (value > 100 ? "over 100" : `${rounded(value, 2)}`);
  return `${said(ratio)} times (${said(low)} to ${said(high)})`;
}
