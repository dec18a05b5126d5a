/**
 * Finds where blanks, strings and values of SQL end, as MySQL reads them. A result below zero says that the text ends
 * before. No function takes more time than the text is long.
 */
export const UNFINISHED = -1;

const BLANK = /\s*/y;
const VERSION_MARK = /\/\*!\d*/y;
/** Names the encoding of the string that follows. */
const INTRODUCER = /_\w*\s*/y;
/** Numbers, hexadecimal ones, and words such as NULL. */
const BARE = /[\w.+-]+/y;
/** What a string has before its next quote or backslash, by its quote. In backticks, a backslash is like any other. */
const PLAIN: Readonly<Record<string, RegExp>> = { "'": /[^'\\]*/y, '"': /[^"\\]*/y, "`": /[^`]*/y };

/** What can begin a string or a comment, in which a semicolon ends no statement, and the semicolon that does. */
export const MARK = /['"`;#]|--|\/\*/g;

export function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/**
 * Returns the end of blanks and comments. A comment that begins with an exclamation mark is none: MySQL runs what is in
 * it, so only its marks are passed over.
 */
export function blankEnd(text: string, from: number): number {
  if (isPlain(text.charCodeAt(from))) return from;
  for (let at = from; ; ) {
    at = endOf(BLANK, text, at) ?? at;
    if (at >= text.length) return at;
    const next = commentEnd(text, at);
    if (next === undefined) return at;
    if (next < 0) return UNFINISHED;
    at = next;
  }
}

/** True of what most often begins a value or follows one: letters, digits, quotes, brackets and commas. */
const isPlain = (code: number): boolean =>
  (code > 0x2f && code < 0x80) || (code > 0x26 && code < 0x2a) || code === 0x2c;

/** Returns undefined if no comment begins here. */
function commentEnd(text: string, at: number): number | undefined {
  const first = text[at];
  if (first !== "#" && first !== "-" && first !== "/" && first !== "*") return undefined;
  if (first === "#") return after(text, "\n", at);
  const pair = text.slice(at, at + 2);
  if (pair.length < 2) return UNFINISHED;
  if (pair === "*/") return at + 2;
  if (pair === "--") return isLineComment(text, at);
  if (pair !== "/*") return undefined;
  const marked = endOf(VERSION_MARK, text, at);
  if (marked === undefined && text.length > at + 2) return after(text, "*/", at + 2);
  return marked === undefined || marked === text.length ? UNFINISHED : marked;
}

/** To MySQL, two hyphens only begin a comment if a blank follows. */
function isLineComment(text: string, at: number): number | undefined {
  const third = text[at + 2];
  if (third === undefined) return UNFINISHED;
  return /\s/.test(third) ? after(text, "\n", at) : undefined;
}

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at === -1 ? UNFINISHED : at + end.length;
}

/**
 * Returns the end of a string whose text continues at `from`. If the text ends before, returns the complement (`~`) of
 * the place from which it must be read again: a quote may be half of a pair, and a backslash needs what follows.
 */
export function stringEnd(text: string, from: number, quote: string): number {
  const plain = PLAIN[quote] ?? BLANK;
  for (let at = from; ; at += 2) {
    at = endOf(plain, text, at) ?? at;
    if (at + 1 >= text.length) return ~Math.min(at, text.length);
    if (text[at] === quote && text[at + 1] !== quote) return at + 1;
  }
}

/** Returns where a literal ends, or undefined if there is none. */
export function valueEnd(text: string, from: number): number | undefined {
  const at = endOf(INTRODUCER, text, from) ?? from;
  const first = text[at];
  if (first === undefined) return UNFINISHED;
  if (first === "'" || first === '"') return Math.max(UNFINISHED, stringEnd(text, at + 1, first));
  const end = endOf(BARE, text, at);
  if (end === undefined) return undefined;
  if (end >= text.length) return UNFINISHED;
  const isPrefix = end === at + 1 && text[end] === "'" && /[nxb]/i.test(first);
  return isPrefix ? Math.max(UNFINISHED, stringEnd(text, end + 1, "'")) : end;
}
