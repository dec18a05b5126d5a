/**
 * Parses JSON without losing numbers silently. JavaScript rounds most integers beyond 2^53 (9007199254740993 becomes
 * 9007199254740992), and has no numbers beyond about 1.8e308. Decimals are rounded as everywhere. Whatever JavaScript
 * writes is kept, so what was read from us can be sent back.
 *
 * Takes time proportional to the text, most of it only if the text can contain such a number.
 */

const MAY_LOSE = /\d{16}|e\+?\d{3}/i;
const NUMBER = /-?\d[\d.eE+-]*/y;
/** Begins with what no text may contain. */
const MARK = "\0number ";

/** Like `JSON.parse`, with a text in place of each number that cannot be kept (`lostNumber`). Throws `SyntaxError`. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const marked = MAY_LOSE.test(text) ? withMarks(text) : text;
  return marked === text ? value : JSON.parse(marked);
}

/** Returns the nearest number if `parseJson` put this text in place of one. */
export function lostNumber(text: string): number | undefined {
  const number = text.startsWith(MARK) ? Number(text.slice(MARK.length)) : 0;
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? number : undefined;
}

/** Expects valid JSON. */
function withMarks(text: string): string {
  let [marked, copied] = ["", 0];
  for (let at = 0; at < text.length; ) {
    if (text[at] === '"') {
      at = endOfText(text, at);
      continue;
    }
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text)?.[0];
    if (number !== undefined && isLost(number)) {
      marked += text.slice(copied, at) + JSON.stringify(MARK + Number(number));
      copied = at + number.length;
    }
    at += number?.length ?? 1;
  }
  return marked + text.slice(copied);
}

/** Returns the place after the text that begins here. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function isLost(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return true;
  if (/[.e]/i.test(number) || Number.isSafeInteger(value)) return false;
  return significantDigits(number) !== significantDigits(String(value));
}

/** Expects a finite integer, which has at most 309 digits. */
const significantDigits = (number: string): string => number.replace(/e.*/, "").replace(".", "").replace(/0+$/, "");
