/** The customer's own texts as the assistant writes them. */

/** What would turn one line into several, or a line's direction around. */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]+/gu;

/** As one line of at most so many code points, without what nobody sees. */
export function singleLine(text: string, lengthMax: number): string {
  return cut(text.normalize("NFC").replace(UNFIT, " ").replace(/\s+/g, " ").trim(), lengthMax);
}

/** With an ellipsis where something had to go, after a whole word where there is one. */
export function cut(text: string, lengthMax: number): string {
  const points = [...text];
  if (points.length <= lengthMax) return text;
  const kept = points.slice(0, lengthMax - 1).join("");
  const space = points[lengthMax - 1] === " " ? kept.length : kept.lastIndexOf(" ");
  return `${(space > kept.length / 2 ? kept.slice(0, space) : kept).trimEnd()}…`;
}

export const lengthOf = (text: string): number => [...text].length;
