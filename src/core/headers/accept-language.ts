const TAGS_MAX = 32;
/** Lowest quality at which a language other than the most preferred one counts. */
const QUALITY_MIN = 0.9;

const RANGE = /^\s*([a-z]{1,8}(?:[-_][a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i;

interface Preference {
  tag: string;
  quality: number;
}

/**
 * Returns the languages a visitor reads: the most preferred of `Accept-Language` and every other with q ≥ 0.9, best
 * first.
 */
export function parseAcceptLanguage(header: string): string[] {
  const preferences = preferencesOf(header);
  const tags = preferences.filter(({ quality }, rank) => rank === 0 || quality >= QUALITY_MIN).map(({ tag }) => tag);
  return [...new Set(tags)];
}

/** Returns the offered language that the visitor prefers, ignoring regions; undefined if there is none. */
export function preferredOf<Language extends string>(
  header: string,
  offered: readonly Language[],
): Language | undefined {
  for (const { tag } of preferencesOf(header)) {
    const language = tag.split("-", 1)[0]?.toLowerCase();
    const found = offered.find((each) => each === language);
    if (found) return found;
  }
  return undefined;
}

/** Returns the preferences, best first. */
const preferencesOf = (header: string): Preference[] =>
  header
    .split(",", TAGS_MAX)
    .flatMap(readPreference)
    .sort((a, b) => b.quality - a.quality);

/**
 * Returns nothing for malformed ranges, `*` and languages excluded with q=0: they do not say what the visitor reads.
 */
function readPreference(range: string): Preference[] {
  const [, tag, quality = "1"] = RANGE.exec(range) ?? [];
  if (tag === undefined || Number(quality) === 0) return [];
  return [{ tag: tag.replaceAll("_", "-"), quality: Math.min(1, Number(quality)) }];
}
