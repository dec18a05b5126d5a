/** Slugs and path prefixes: what may stand in a short URL, and the form in which it is compared. */
import { foldName } from "./fold";
import { RESERVED_SEGMENTS } from "./reserved";
import { isSingleScript } from "./scripts";

const SLUG_MAX = 190;
const PREFIX_SEGMENTS_MAX = 4;
/** In keys it holds as well: some letters are short for several characters, spaces among them. */
const ALPHABET = /^[\p{L}\p{M}\p{Nd}_.+~!-]*$/u;
/** Marks and fillers of nothing: with and without them, slugs look the same. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const STARTS_WITH_MARK = /^\p{M}/u;
const ASCII = /^[\0-\x7f]*$/;
const BIDI_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const DOTS_ONLY = /^\.{1,2}$/;
const ALPHABET_FAULT = "expected letters, digits, `_`, `.`, `-`, `+`, `~` and `!` only";
/** Changing case makes a text up to three times as long (`ﬃ`). */
const KEY_MAX = 3 * SLUG_MAX;

export type CheckedSlug = { ok: true; slug: string; key: string } | { ok: false; fault: string };
export type CheckedPrefix = { ok: true; prefix: string; key: string } | { ok: false; fault: string };

/**
 * What is compared and unique; a prefix of several segments as well. After NFKC, since letters that only differ in width or
 * style read alike; once more behind, since changing case may compose differently. Some domains tell `aB` from `ab`.
 */
export function slugKey(text: string, isCaseSensitive = false): string {
  if (isCaseSensitive) return ASCII.test(text) ? text : text.normalize("NFKC");
  return ASCII.test(text) ? text.toLowerCase() : foldName(text.normalize("NFKC")).normalize("NFKC");
}

/** The key of before NFKC, which a link keeps whose new key was taken. Null where both are one, as nearly always. */
export function formerSlugKey(text: string): string | null {
  if (ASCII.test(text)) return null;
  const former = foldName(text);
  return former === slugKey(text) ? null : former;
}

/** A segment as short URLs have it. */
export const escapeSegment = (text: string): string => encodeURIComponent(text).replaceAll("%2B", "+");

/**
 * The slug in NFC, or what is wrong, to stand behind a field's name. Its key is the one of domains that tell no case: what
 * is wrong with it is so on any domain.
 */
export function checkSlug(text: string): CheckedSlug {
  const slug = text.normalize("NFC");
  const key = slugKey(slug);
  const fault = segmentFault(slug) ?? keyFault(key) ?? reservedFault(key);
  return fault === null ? { ok: true, slug, key } : { ok: false, fault };
}

/** Slashes around a prefix are dropped; the empty prefix is none. */
export function checkPathPrefix(text: string): CheckedPrefix {
  const prefix = text.normalize("NFC").replace(/^\/+|\/+$/g, "");
  if (prefix === "") return { ok: true, prefix: "", key: "" };
  const key = slugKey(prefix);
  const fault = prefixFault(prefix.split("/")) ?? keyFault(key) ?? reservedFault(key.split("/", 1).join());
  return fault === null ? { ok: true, prefix, key } : { ok: false, fault };
}

function prefixFault(segments: string[]): string | null {
  if (segments.length > PREFIX_SEGMENTS_MAX) return `expected at most ${PREFIX_SEGMENTS_MAX} segments`;
  for (const segment of segments) {
    const fault = segmentFault(segment);
    if (fault !== null) return fault;
  }
  return null;
}

function segmentFault(segment: string): string | null {
  if (segment.length === 0 || segment.length > SLUG_MAX) return `expected 1 to ${SLUG_MAX} characters`;
  if (BIDI_MARK.test(segment)) return "bidirectional marks are not allowed";
  if (!ALPHABET.test(segment) || INVISIBLE.test(segment)) return ALPHABET_FAULT;
  if (DOTS_ONLY.test(segment)) return "`.` and `..` are not allowed";
  if (ASCII.test(segment)) return null;
  return beyondAsciiFault(segment);
}

/** What only shows once letters of a style are told by what they stand for. */
function keyFault(key: string): string | null {
  if (ASCII.test(key)) return null;
  if (key.length > KEY_MAX) return `expected 1 to ${SLUG_MAX} characters`;
  const segments = key.split("/");
  if (!segments.every((segment) => ALPHABET.test(segment))) return ALPHABET_FAULT;
  return segments.map(beyondAsciiFault).find((fault) => fault !== null) ?? null;
}

function beyondAsciiFault(segment: string): string | null {
  if (STARTS_WITH_MARK.test(segment)) return "combining marks are not allowed at the start";
  return isSingleScript(segment) ? null : "letters of different scripts are not allowed";
}

function reservedFault(key: string): string | null {
  return RESERVED_SEGMENTS.has(key) ? "this word is reserved" : null;
}

/**
 * No 0 and o, 1, i and l, which look alike; none of the other vowels either, so that chance spells no words. Case does
 * not count, so 28⁷ slugs, 1.3 · 10¹⁰.
 */
const SLUG_ALPHABET = "23456789bcdfghjkmnpqrstvwxyz";
const MADE_LENGTH = 7;
const DRAWN_BYTES = 12;
/** Bytes from here on would favour the first letters. */
const UNBIASED_MAX = 256 - (256 % SLUG_ALPHABET.length);

/** `randomBytes` is a CSPRNG. Drawn again as often as it takes; once nearly always. */
export function makeSlug(randomBytes: (count: number) => Uint8Array): string {
  let slug = "";
  while (slug.length < MADE_LENGTH) {
    for (const byte of randomBytes(DRAWN_BYTES)) {
      if (byte < UNBIASED_MAX) slug += SLUG_ALPHABET.charAt(byte % SLUG_ALPHABET.length);
    }
  }
  return slug.slice(0, MADE_LENGTH);
}
