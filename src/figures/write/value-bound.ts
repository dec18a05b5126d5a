/**
 * How many values of one dimension a row of figures tells apart. Strangers choose `utm_*`, referrers and languages, and there
 * are as many destinations as links: without a bound, made-up values grow every row, and the numbers that values are given.
 * What finds no room is counted under `REST_VALUE`, so that totals stay right.
 *
 * A row lists values as they come, those of a batch by frequency. In a full row a value takes another's place only when the
 * batch alone has more than twice its count: values seen once never displace anything, and a place changes hands a number of
 * times that is logarithmic in the clicks. Blank values always have room.
 *
 * Whatever is chosen, each listed value counts at most what came, and the rest counts exactly what is missing from them:
 * `differencesOf` checks that, and whoever takes clicks away keeps it.
 */

import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import type { CountSums } from "../count-sums";
import { addCounts, type Counts, countsOf, eachCount } from "../counts";
import { CLICK_DIMENSION_NAMES, CLICK_DIMENSIONS } from "../dimensions";
import { CODES_END, codeOf } from "../keys";

export const LISTED_MAX = { link: 256, organization: 1_024 } as const;

export const listedMaxOf = (linkId: string): number =>
  linkId === WHOLE_ORGANIZATION ? LISTED_MAX.organization : LISTED_MAX.link;

/** A place goes to who has more than so many times as many. */
const WORTH_A_PLACE = 2;

export const OPEN_ENDED_NAMES = CLICK_DIMENSION_NAMES.filter((name) => CLICK_DIMENSIONS[name].isOpenEnded);
const OPEN_ENDED_CODES: readonly number[] = OPEN_ENDED_NAMES.map((name) => CLICK_DIMENSIONS[name].code);
const IS_OPEN_ENDED = Array.from({ length: CODES_END }, (_, code) => OPEN_ENDED_CODES.includes(code));

export const isOpenEnded = (code: number): boolean => IS_OPEN_ENDED[code] ?? false;

/** Keys of a dimension that need no room. */
export interface FreeKeys {
  rest: number;
  /** Undefined where nothing was ever blank. */
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

/** Which candidates get in, and whose places they take. What takes away is let in: it is of values listed elsewhere. */
export function giveRoom<Each extends CandidateValue>(
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

/** A value without a number comes after its equals, so that one is given only to what is sure to be counted. */
const byPreference = (a: CandidateValue, b: CandidateValue) =>
  b.count - a.count || Number(a.key === undefined) - Number(b.key === undefined) || (a.key ?? 0) - (b.key ?? 0);

/** The sum of both, of which a row that tells `max` values apart has room. */
export function addBounded(row: Counts, added: Counts, max: number, freeKeys: (code: number) => FreeKeys): Counts {
  const sum = addCounts(row, added);
  if (sum.keys.length <= max) return sum;
  const moves = crowdedCodes(sum, max).flatMap((code) => movesOf(row, sum, max, code, freeKeys(code)));
  return moves.length > 0 ? addCounts(sum, countsOf(moves)) : sum;
}

/** Whether some dimension of a packed row has more than `max` values. */
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

/** From what found no room, or lost it, to the rest. */
function movesOf(row: Counts, sum: Counts, max: number, code: number, free: FreeKeys): [number, number][] {
  const { listed, candidates } = contestantsOf(row, sum, code, free);
  const { admitted, displaced } = giveRoom(listed, candidates, max);
  const isAdmitted = new Set(admitted);
  const leaving = [...candidates.filter((candidate) => !isAdmitted.has(candidate)), ...displaced];
  return leaving.flatMap(({ key, count }): [number, number][] => [
    [key, -count],
    [free.rest, count],
  ]);
}

/** What the row lists, with what is added to it, and what it does not list yet. */
function contestantsOf(row: Counts, sum: Counts, code: number, free: FreeKeys) {
  const isListed = new Set(listedOf(row, code, free).map(({ key }) => key));
  const all = listedOf(sum, code, free);
  return {
    listed: all.filter(({ key }) => isListed.has(key)),
    candidates: all.filter(({ key }) => !isListed.has(key)),
  };
}

/** Which values without a number will be told apart once they have one. */
export function welcomeIn<Each extends { code: number; count: number }>(
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
    return giveRoom(listed, all, max).admitted.flatMap(({ stranger }) => stranger ?? []);
  });
}

/**
 * What takes away, as it is to be done where `stored` is what all writers count of the row: a value that is not listed was
 * counted under the rest.
 */
export function fromListed(taken: Counts, stored: CountSums, freeKeys: (code: number) => FreeKeys): Counts {
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

/** Of one dimension, without the keys that need no room. */
function listedOf({ keys, counts }: Counts, code: number, { rest, blank }: FreeKeys): ListedValue[] {
  const listed: ListedValue[] = [];
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? 0;
    if (codeOf(key) !== code || key === rest || key === blank) continue;
    listed.push({ key, count: counts[index] ?? 0 });
  }
  return listed;
}

/** The greatest of these values, and the rest. */
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
