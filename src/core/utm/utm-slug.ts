/** UTM values as reports can group them: lower case, without diacritics, words joined by hyphens. */
const LENGTH_MAX = 100;

/** Latin letters that are no letter with a mark to Unicode. */
const PLAIN: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

const LATIN_WITH_MARKS = /(\p{Script=Latin})\p{M}+/gu;
const UNSEEN = /[\p{Cf}'’ʼ]/gu;
const NO_PART_OF_A_WORD = /[^\p{L}\p{M}\p{N}._-]+/gu;
const HYPHENS = /-{2,}/g;
const EDGES = /^[-._\p{M}]+|[-._]+$/gu;

/**
 * Letters of every script stay, in lower case; Latin ones lose their diacritics. What is no letter, digit, `.`, `_` or
 * `-` becomes a hyphen. At most 100 characters. Empty when nothing of the text can stand; a slug is its own slug.
 */
export function utmSlug(text: string): string {
  const folded = text.normalize("NFKD").toLowerCase().normalize("NFKD").replace(LATIN_WITH_MARKS, "$1");
  const plain = folded.replace(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter] ?? letter).normalize("NFC");
  const words = plain.replace(UNSEEN, "").replace(NO_PART_OF_A_WORD, "-").replace(HYPHENS, "-");
  return [...words.replace(EDGES, "")].slice(0, LENGTH_MAX).join("").replace(EDGES, "");
}
