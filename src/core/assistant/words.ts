/** Prepares the customer's own texts for use in the assistant's. */

/** Characters that break a line into several or change its direction. */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns the text on one line without invisible characters, shortened to `lengthMax` code points. */
export function singleLine(text: string, lengthMax: number): string {
  return cut(text.normalize("NFC").replace(UNFIT, " ").replace(/\s+/g, " ").trim(), lengthMax);
}

/** Shortens the text with an ellipsis, after a whole word if possible. */
export function cut(text: string, lengthMax: number): string {
  const points = [...text];
  if (points.length <= lengthMax) return text;
  const kept = points.slice(0, lengthMax - 1).join("");
  const space = points[lengthMax - 1] === " " ? kept.length : kept.lastIndexOf(" ");
  return `${(space > kept.length / 2 ? kept.slice(0, space) : kept).trimEnd()}…`;
}

export const lengthOf = (text: string): number => [...text].length;
