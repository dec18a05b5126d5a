const TAGS_MAX = 32;
/** Other languages count beside the most preferred one from this quality on. */
const QUALITY_MIN = 0.9;

const RANGE = /^\s*([a-z]{1,8}(?:[-_][a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i;

interface Preference {
  tag: string;
  quality: number;
}

/** The languages a visitor reads: the most preferred of `Accept-Language` and any other with q ≥ 0.9, best first. */
export function parseAcceptLanguage(header: string): string[] {
  const preferences = preferencesOf(header);
  const tags = preferences.filter(({ quality }, rank) => rank === 0 || quality >= QUALITY_MIN).map(({ tag }) => tag);
  return [...new Set(tags)];
}

/** The one of `offered` that a visitor likes best, by the language without its region; undefined when there is none. */
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

/** Lists the best first. */
const preferencesOf = (header: string): Preference[] =>
  header
    .split(",", TAGS_MAX)
    .flatMap(readPreference)
    .sort((a, b) => b.quality - a.quality);

/** Malformed ranges, `*` and what the visitor excludes by q=0 say nothing about what they read. */
function readPreference(range: string): Preference[] {
  const [, tag, quality = "1"] = RANGE.exec(range) ?? [];
  if (tag === undefined || Number(quality) === 0) return [];
  return [{ tag: tag.replaceAll("_", "-"), quality: Math.min(1, Number(quality)) }];
}
