/** Formats counts in English sentences. */

export const number = (value: number): string => (Math.round(value * 10) / 10).toLocaleString("en");

/** Formats a count with its noun, as in `1 link` or `2,000 links`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;
