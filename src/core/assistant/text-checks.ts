/**
 * Checks a language model's text for what it must not contain: links, markup, invisible characters, and unknown
 * numbers.
 */

const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const MARKUP = /[<>`]|\]\s*\(|\[\s*\.\s*\]/;
const SCHEME = /\b(?:https?|javascript|data|mailto|tel|sms|ftp|file|intent):(?=\S)|\bwww\b|\/\/|@/i;
/** A name with a dot and at least two letters after it, in any script, such as `example.com`. */
const HOST = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu;
/** Dots of other scripts, which browsers treat as dots. */
const DOTS = /[\u3002\uff0e\uff61]/g;

/** Hosts that occur in one of the `known` texts, which are our own, are allowed. */
export function isPlain(text: string, known: readonly string[]): boolean {
  const folded = text.normalize("NFKC").replace(DOTS, ".");
  if (UNSEEN.test(text) || MARKUP.test(folded) || SCHEME.test(folded)) return false;
  const hosts = folded.toLowerCase().match(HOST) ?? [];
  const ours = new Set(known.flatMap((own) => own.toLowerCase().match(HOST) ?? []));
  return hosts.every((host) => ours.has(host));
}

const DIGITS = /\d+(?:[.,:\u00a0\u202f']\d+)*/g;
const OTHER_DIGITS = /[^\P{N}0-9]/gu;
const SMALL = ["zero", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const LARGE = ["hundred", "thousand", "million", "billion", "dozen"];
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const TEENS = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"];
const SHARES = [
  "half",
  "halve",
  "halved",
  "third",
  "quarter",
  "double",
  "doubled",
  "triple",
  "tripled",
  "twice",
  "thrice",
];
const WORD = new RegExp(`\\b(?:${[...SMALL, ...LARGE, ...TENS, ...TEENS, ...SHARES].join("|")})s?\\b`, "gi");

/**
 * Returns every number of a text in a comparable form: digits without thousands separators, digits of other scripts
 * and fractions unchanged, number words in lower case. `one`, `two` and most ordinals are ignored, because they are
 * seldom counts.
 */
export function numbersOf(text: string): string[] {
  const digits = (text.match(DIGITS) ?? []).map((number) => canonical(number));
  return [
    ...digits,
    ...(text.match(OTHER_DIGITS) ?? []),
    ...(text.match(WORD) ?? []).map((word) => word.toLowerCase()),
  ];
}

function canonical(number: string): string {
  const plain = number.replace(/[,\u00a0\u202f'](?=\d{3}(?!\d))/g, "");
  return /^\d+(?:\.\d+)?$/.test(plain) ? String(Number(plain)) : plain;
}
