/** Slugs and path prefixes: which characters a short URL may contain, and the form in which slugs are compared. */
import { foldName, isAscii } from "./fold";
import { RESERVED_SEGMENTS } from "./reserved";
import { isSingleScript } from "./scripts";

const SLUG_MAX = 190;
const PREFIX_SEGMENTS_MAX = 4;
/** Applies to keys as well: NFKC expands some letters into several characters, including spaces. */
const ALPHABET = /^[\p{L}\p{M}\p{Nd}_.+~!-]*$/u;
/** Invisible marks and fillers: slugs look the same with and without them. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const STARTS_WITH_MARK = /^\p{M}/u;
const BIDI_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const DOTS_ONLY = /^\.{1,2}$/;
const ALPHABET_FAULT = "expected letters, digits, `_`, `.`, `-`, `+`, `~` and `!` only";
/** Changing case can triple the length of a text (`ﬃ`). */
const KEY_MAX = 3 * SLUG_MAX;
const LENGTH_FAULT = `expected 1 to ${SLUG_MAX} characters`;

export type CheckedSlug = { ok: true; slug: string; key: string } | { ok: false; fault: string };
export type CheckedPrefix = { ok: true; prefix: string; key: string } | { ok: false; fault: string };

/**
 * Returns the form that is compared and unique, for a slug or a prefix of several segments. Applies NFKC, because
 * letters that differ only in width or style read alike, and again after folding, because changing case may compose
 * characters differently. On case-sensitive domains, `aB` and `ab` have different keys.
 */
export function slugKey(text: string, isCaseSensitive = false): string {
  if (isCaseSensitive) return isAscii(text) ? text : text.normalize("NFKC");
  return isAscii(text) ? text.toLowerCase() : foldName(text.normalize("NFKC")).normalize("NFKC");
}

/**
 * Returns the key as computed before NFKC was introduced, or null if it is the same (nearly always). A link has kept
 * its former key if its new one was already taken.
 */
export function formerSlugKey(text: string): string | null {
  if (isAscii(text)) return null;
  const former = foldName(text);
  return former === slugKey(text) ? null : former;
}

/** Escapes a segment the way short URLs contain it. */
export const escapeSegment = (text: string): string => encodeURIComponent(text).replaceAll("%2B", "+");

/**
 * Returns the slug in NFC, or what is wrong, as the text after a field's name. `key` is the case-insensitive one; a
 * fault found in it applies on any domain.
 */
export function checkSlug(text: string): CheckedSlug {
  const slug = text.normalize("NFC");
  const key = slugKey(slug);
  const fault = segmentFault(slug) ?? keyFault(key) ?? reservedFault(key);
  return fault === null ? { ok: true, slug, key } : { ok: false, fault };
}

/** Drops slashes around the prefix. An empty prefix is valid and means none. */
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
    if (fault !== null) return fault === LENGTH_FAULT ? `${fault} in each segment` : fault;
  }
  return null;
}

function segmentFault(segment: string): string | null {
  if (segment.length === 0 || (segment.length > SLUG_MAX && [...segment].length > SLUG_MAX)) return LENGTH_FAULT;
  if (BIDI_MARK.test(segment)) return "bidirectional marks are not allowed";
  if (!ALPHABET.test(segment) || INVISIBLE.test(segment)) return ALPHABET_FAULT;
  if (DOTS_ONLY.test(segment)) return "`.` and `..` are not allowed";
  if (isAscii(segment)) return null;
  return beyondAsciiFault(segment);
}

/** Returns faults that show only after NFKC has replaced styled letters with the plain ones. */
function keyFault(key: string): string | null {
  if (isAscii(key)) return null;
  if (key.length > KEY_MAX) return LENGTH_FAULT;
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
 * Leaves out 0 and o, and 1, i and l, which look alike, and the remaining vowels, so that random slugs spell no
 * words. Case is ignored, so there are 28⁷ slugs, about 1.3 · 10¹⁰.
 */
const SLUG_ALPHABET = "23456789bcdfghjkmnpqrstvwxyz";
const MADE_LENGTH = 7;
const DRAWN_BYTES = 12;
/** Bytes from here on would favor the first letters. */
const UNBIASED_MAX = 256 - (256 % SLUG_ALPHABET.length);

/** Returns a random slug. `randomBytes` is a CSPRNG; one call nearly always suffices, and more follow if needed. */
export function makeSlug(randomBytes: (count: number) => Uint8Array): string {
  let slug = "";
  while (slug.length < MADE_LENGTH) {
    for (const byte of randomBytes(DRAWN_BYTES)) {
      if (byte < UNBIASED_MAX) slug += SLUG_ALPHABET.charAt(byte % SLUG_ALPHABET.length);
    }
  }
  return slug.slice(0, MADE_LENGTH);
}
