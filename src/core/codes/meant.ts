/** Guesses which of the known names was meant by a wrong one. */

/** Words for the same thing that are spelled differently. */
const SYNONYMS = new Map(
  Object.entries({
    days: "daysOfWeek",
    geo: "countries",
    lang: "languages",
    locale: "languages",
    model: "deviceModels",
    os: "platform",
    osVersion: "minOsVersion",
    state: "regions",
    town: "cities",
    url: "destinationUrl",
    vendor: "deviceVendors",
    weekdays: "daysOfWeek",
  }),
);
const TYPOS_MAX = 2;
const CONTAINED_MIN = 4;

export function closestName(name: string, known: readonly string[]): string | undefined {
  const key = keyOf(name);
  const synonym = SYNONYMS.get(name) ?? SYNONYMS.get(key);
  if (synonym && known.includes(synonym)) return synonym;
  const same = known.find((candidate) => keyOf(candidate) === key);
  if (same || key.length < CONTAINED_MIN) return same;
  const [nearest] = known
    .filter((candidate) => Math.abs(keyOf(candidate).length - key.length) <= TYPOS_MAX)
    .map((candidate) => ({ candidate, typos: typosBetween(key, keyOf(candidate)) }))
    .filter(({ candidate, typos }) => typos <= TYPOS_MAX && typos < keyOf(candidate).length / 2)
    .toSorted((one, other) => one.typos - other.typos);
  return nearest?.candidate ?? known.find((candidate) => isContained(key, keyOf(candidate)));
}

const isContained = (key: string, candidate: string) => candidate.startsWith(key) || candidate.endsWith(key);

/** Normalizes a name: removes case, separators, a leading `is` and the plural's ending. */
const keyOf = (name: string): string =>
  name
    .replace(/^is(?=[A-Z_-])/, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replace(/ies$/, "y")
    .replace(/s$/, "");

/** Returns the edit distance (Levenshtein), computed row by row. */
function typosBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, otherLetter] of [...other].entries()) {
      const replaced = (row[j] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
