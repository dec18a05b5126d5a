/** Formats figures and names the same way in all computed analytics. */
import { number, plural } from "../plural";
import { HOUR_MS } from "../time/time-range";

export const percent = (share: number): string => `${(Math.round(share * 1000) / 10).toLocaleString("en")}%`;
export const rounded = (value: number, decimals = 4): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

/** Formats the 95% interval of a share, as in `95% interval 6.2 to 9.1%`. */
export const interval = ({ low, high }: { low: number; high: number }): string =>
  `95% interval ${percent(low).replace("%", "")} to ${percent(high)}`;

/** Formats a span in UTC: a day, several days, or hours of a day. */
export function spanOf(from: number, to: number): string {
  const [start, end] = [new Date(from).toISOString(), new Date(to - 1).toISOString()];
  const days =
    start.slice(0, 10) === end.slice(0, 10) ? start.slice(0, 10) : `${start.slice(0, 10)} to ${end.slice(0, 10)}`;
  return to - from < 24 * HOUR_MS
    ? `${start.slice(0, 10)}, ${start.slice(11, 16)} UTC (${plural((to - from) / HOUR_MS, "hour")})`
    : days;
}

/** Returns the name by which people know a link: its title, otherwise its slug. */
export const nameOf = ({ title, slug }: { title?: string; slug: string }): string => `\`${title || slug}\``;

/** Formats a p-value, as in `p = 0.012`. */
export const chance = (pValue: number): string => (pValue < 0.001 ? "p < 0.001" : `p = ${rounded(pValue, 3)}`);

/** Formats a rate as a number per 100 clicks. */
export const per100 = (rate: number): string => number(rate * 100);

/** Formats a rate as `6.2% (95% interval 4.9 to 7.8%, Wilson)`, or above one per click as `1.2 a click (…, Byar)`. */
export function rateOfSide({ rate, low, high }: { rate: number; low: number; high: number }): string {
  if (rate <= 1) return `${percent(rate)} (${interval({ low, high })}, Wilson)`;
  return `${rounded(rate, 2)} a click (95% interval ${rounded(low, 2)} to ${rounded(high, 2)}, Byar)`;
}

/** Formats a probability with two significant digits, as in `once in 1,200`. */
export function oneIn(probability: number): string {
  if (probability < 1e-9) return "less than once in a billion";
  const times = 1 / probability;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(times)) - 1);
  return `once in ${number(Math.round(times / unit) * unit)}`;
}

/** Formats a probability so that it never appears certain. */
export function almost(probability: number): string {
  if (probability > 0.999) return "over 99.9%";
  return probability < 0.001 ? "under 0.1%" : percent(probability);
}

/** Formats a ratio with its interval, as in `1.3 times (1.1 to 1.6)`. */
export function times({ ratio, low, high }: { ratio: number; low: number; high: number }): string {
  const said = (value: number) => (value > 100 ? "over 100" : `${rounded(value, 2)}`);
  return `${said(ratio)} times (${said(low)} to ${said(high)})`;
}
