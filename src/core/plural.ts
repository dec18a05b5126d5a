/** Formats counts in English sentences. */

export const number = (value: number): string => (Math.round(value * 10) / 10).toLocaleString("en");

/** Formats a count with its noun, as in `1 link` or `2,000 links`. A count that is shown as 1 is one. */
export const plural = (count: number, one: string, many = `${one}s`): string => {
  const text = number(count);
  return `${text} ${text === "1" ? one : many}`;
};
