/** UTM values in a form that reports can group: lower case, no diacritics, words joined by hyphens. */
const LENGTH_MAX = 100;

/** Latin letters that Unicode does not decompose into a letter and a mark. */
const PLAIN: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

const LATIN_WITH_MARKS = /(\p{Script=Latin})\p{M}+/gu;
const UNSEEN = /[\p{Cf}'’ʼ]/gu;
const NO_PART_OF_A_WORD = /[^\p{L}\p{M}\p{N}._-]+/gu;
const HYPHENS = /-{2,}/g;
const EDGES = /^[-._\p{M}]+|[-._]+$/gu;

/**
 * Keeps letters of every script, in lower case, and removes diacritics from Latin ones. Anything but letters, digits,
 * `.`, `_` and `-` becomes a hyphen. Returns at most 100 characters, or an empty string if nothing of the text is
 * usable. Idempotent.
 */
export function utmSlug(text: string): string {
  const folded = text.normalize("NFKD").toLowerCase().normalize("NFKD").replace(LATIN_WITH_MARKS, "$1");
  const plain = folded.replace(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter] ?? letter).normalize("NFC");
  const words = plain.replace(UNSEEN, "").replace(NO_PART_OF_A_WORD, "-").replace(HYPHENS, "-");
  return [...words.replace(EDGES, "")].slice(0, LENGTH_MAX).join("").replace(EDGES, "");
}
