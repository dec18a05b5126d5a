/**
 * Bounds how many values of one dimension a row of figures lists. Visitors choose `utm_*`, referrers and languages,
 * and there are as many destinations as links: without a bound, made-up values would grow every row, and the table of
 * value numbers. Values that find no room are counted under `REST_VALUE` ("the rest"), so that totals stay right.
 *
 * A row lists values in the order they come, those of one batch by frequency. In a full row, a value takes another's
 * place only if the batch alone has more than twice the other's count. So values seen once never displace anything,
 * and the number of times a place changes hands is logarithmic in the clicks. Blank values always have room.
 *
 * Whatever is chosen, each listed value counts at most its actual number, and the rest counts exactly what is missing
 * from listed values. `differencesOf` checks this, and code that subtracts clicks preserves it.
 */
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import type { CountSums } from "../count-sums";
import { addCounts, type Counts, countsOf, eachCount } from "../counts";
import { CLICK_DIMENSION_NAMES, CLICK_DIMENSIONS } from "../dimensions";
import { CODES_END, codeOf } from "../keys";

export const LISTED_MAX = { link: 256, organization: 1_024 } as const;

export const listedMaxOf = (linkId: string): number =>
  linkId === WHOLE_ORGANIZATION ? LISTED_MAX.organization : LISTED_MAX.link;

/** A value takes a place only with more than this many times the count that is there. */
const WORTH_A_PLACE = 2;

export const OPEN_ENDED_NAMES = CLICK_DIMENSION_NAMES.filter((name) => CLICK_DIMENSIONS[name].isOpenEnded);
const OPEN_ENDED_CODES: readonly number[] = OPEN_ENDED_NAMES.map((name) => CLICK_DIMENSIONS[name].code);
const IS_OPEN_ENDED = Array.from({ length: CODES_END }, (_, code) => OPEN_ENDED_CODES.includes(code));

export const isOpenEnded = (code: number): boolean => IS_OPEN_ENDED[code] ?? false;

/** Keys of a dimension that always have room. */
export interface FreeKeys {
  rest: number;
  /** Undefined if no value was ever blank. */
  blank: number | undefined;
}

export interface ListedValue {
  key: number;
  count: number;
}

export interface CandidateValue {
  /** Undefined for a value that has no number yet. */
  key: number | undefined;
  count: number;
}

/**
 * Returns the candidates that are admitted and the listed values that they displace. Negative counts are always
 * admitted, because they belong to values that are listed elsewhere.
 */
export function allocatePlaces<Each extends CandidateValue>(
  listed: readonly ListedValue[],
  candidates: readonly Each[],
  max: number,
) {
  const rivals = listed.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count);
  const admitted: Each[] = [];
  const displaced: ListedValue[] = [];
  let room = max - listed.length;
  for (const candidate of candidates.toSorted(byPreference)) {
    const rival = rivals[displaced.length];
    if (candidate.count < 0 || room-- > 0) admitted.push(candidate);
    else if (rival && candidate.count > WORTH_A_PLACE * rival.count) {
      admitted.push(candidate);
      displaced.push(rival);
    }
  }
  return { admitted, displaced };
}

/**
 * Sorts a value without a number behind others with the same count, so that a number is assigned only to a value that
 * is sure to be counted.
 */
const byPreference = (a: CandidateValue, b: CandidateValue) =>
  b.count - a.count || Number(a.key === undefined) - Number(b.key === undefined) || (a.key ?? 0) - (b.key ?? 0);

/** Returns the sum of both, with at most `max` values listed for each open-ended dimension. */
export function addBounded(row: Counts, added: Counts, max: number, freeKeys: (code: number) => FreeKeys): Counts {
  const sum = addCounts(row, added);
  if (sum.keys.length <= max) return sum;
  const moves = crowdedCodes(sum, max).flatMap((code) => movesOf(row, sum, max, code, freeKeys(code)));
  return moves.length > 0 ? addCounts(sum, countsOf(moves)) : sum;
}

/** True if some open-ended dimension of a packed row has more than `max` values. */
export function isCrowded(packed: Uint8Array, max: number): boolean {
  const values = new Uint32Array(CODES_END);
  let most = 0;
  eachCount(packed, (key) => {
    const code = codeOf(key);
    const count = (values[code] ?? 0) + 1;
    values[code] = count;
    if (count > most && isOpenEnded(code)) most = count;
  });
  return most > max;
}

function crowdedCodes({ keys }: Counts, max: number): number[] {
  const values = new Uint32Array(CODES_END);
  for (const key of keys) values[codeOf(key)] = (values[codeOf(key)] ?? 0) + 1;
  return OPEN_ENDED_CODES.filter((code) => (values[code] ?? 0) > max);
}

/** Returns the changes that move values which found no room, or lost it, to the rest. */
function movesOf(row: Counts, sum: Counts, max: number, code: number, free: FreeKeys): [number, number][] {
  const { listed, candidates } = contestantsOf(row, sum, code, free);
  const { admitted, displaced } = allocatePlaces(listed, candidates, max);
  const isAdmitted = new Set(admitted);
  const leaving = [...candidates.filter((candidate) => !isAdmitted.has(candidate)), ...displaced];
  return leaving.flatMap(({ key, count }): [number, number][] => [
    [key, -count],
    [free.rest, count],
  ]);
}

/** Separates the values that the row lists, with what is added to them, from those that it does not list yet. */
function contestantsOf(row: Counts, sum: Counts, code: number, free: FreeKeys) {
  const isListed = new Set(listedOf(row, code, free).map(({ key }) => key));
  const all = listedOf(sum, code, free);
  return {
    listed: all.filter(({ key }) => isListed.has(key)),
    candidates: all.filter(({ key }) => !isListed.has(key)),
  };
}

/** Returns the values without a number that will be listed once they have one. */
export function newlyListed<Each extends { code: number; count: number }>(
  row: Counts,
  added: Counts,
  strangers: readonly Each[],
  max: number,
  freeKeys: (code: number) => FreeKeys,
): Each[] {
  const sum = addCounts(row, added);
  return [...Map.groupBy(strangers, ({ code }) => code)].flatMap(([code, ofCode]) => {
    const { listed, candidates } = contestantsOf(row, sum, code, freeKeys(code));
    const unknown = ofCode.map((stranger) => ({ key: undefined, count: stranger.count, stranger }));
    const all = [...candidates.map((known) => ({ ...known, stranger: undefined })), ...unknown];
    return allocatePlaces(listed, all, max).admitted.flatMap(({ stranger }) => stranger ?? []);
  });
}

/**
 * Converts negative counts to those that can be applied, given that `stored` is the sum of the row over all writers.
 * What is not listed for a value was counted under the rest.
 */
export function limitToListed(taken: Counts, stored: CountSums, freeKeys: (code: number) => FreeKeys): Counts {
  const entries: [number, number][] = [];
  for (const [index, key] of taken.keys.entries()) {
    const count = taken.counts[index] ?? 0;
    const code = codeOf(key);
    const listed = isOpenEnded(code) ? -Math.min(-count, Math.max(0, stored.of(key))) : count;
    entries.push([key, listed]);
    if (listed !== count) entries.push([freeKeys(code).rest, count - listed]);
  }
  return countsOf(entries);
}

/** Returns the listed values of one dimension, without the keys that always have room. */
function listedOf({ keys, counts }: Counts, code: number, { rest, blank }: FreeKeys): ListedValue[] {
  const listed: ListedValue[] = [];
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? 0;
    if (codeOf(key) !== code || key === rest || key === blank) continue;
    listed.push({ key, count: counts[index] ?? 0 });
  }
  return listed;
}

/** Returns the `max` greatest of these values, and under `rest` the sum of all others. A blank value always stays. */
export function boundValues(
  values: readonly (readonly [string, number])[],
  max: number,
  rest: string,
): [string, number][] {
  const told = values.filter(([value]) => value !== "" && value !== rest);
  if (told.length <= max) return values.map(([value, count]) => [value, count]);
  const greatest = told.toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, max);
  const kept = new Map([...values.filter(([value]) => value === ""), ...greatest]);
  const left = values.reduce((sum, [value, count]) => (kept.has(value) ? sum : sum + count), 0);
  return [...kept.set(rest, left)];
}
