/** Finds environment variables that look like a misspelt setting of ours, which would silently have no effect. */

/**
 * Edits that a name may differ by. One more would make short names match other programs' variables (HOME is not
 * HOST).
 */
const slipsMax = (name: string): number => (name.length < 8 ? 1 : 2);

export interface Misspelt {
  name: string;
  meant: string;
}

export function findMisspelt(names: Iterable<string>, known: ReadonlySet<string>): Misspelt[] {
  const found: Misspelt[] = [];
  for (const name of names) {
    const meant = known.has(name) ? undefined : closest(name, known);
    if (meant) found.push({ name, meant });
  }
  return found;
}

function closest(name: string, known: ReadonlySet<string>): string | undefined {
  const plain = name.toUpperCase().replace(/^WAYMARK_/, "");
  const slips = [...known].map((candidate) => ({ candidate, slips: slipsBetween(plain, candidate) }));
  return slips.filter((each) => each.slips <= slipsMax(each.candidate)).sort((a, b) => a.slips - b.slips)[0]?.candidate;
}

/**
 * The number of letters left out, inserted, changed or swapped with the next: the Damerau-Levenshtein distance, in
 * its optimal string alignment form.
 */
function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const [left = 0, up = 0, diagonal = 0] = [row[j - 1], last[j], last[j - 1]];
      const swapped = isSwapped ? (beforeLast[j - 2] ?? Infinity) + 1 : Infinity;
      row[j] = Math.min(left + 1, up + 1, diagonal + (isSame ? 0 : 1), swapped);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
