/**
 * Lists of repeated events. A mark is a number that encodes an event's time and part of its id; a list keeps marks in
 * the order in which they were first recorded. What precedes a mark never changes, however often it is recorded: a
 * visit that is judged again (because a batch is read again, or a spool is applied after a crash) gets the same
 * verdict and counts once.
 */
import { WINDOW_MS } from "./bot-signs";

export type Marks = readonly number[];

const EPOCH_MS = Date.UTC(2020);
/**
 * Thirteen bits of the id tell visits of the same millisecond apart; together with the time they fit a safe integer
 * until 2054.
 */
const ID_VALUES = 8_192;
/** Marks kept of one minute. With so many, anything else in that minute is too much by any rule. */
export const MINUTE_MARKS_MAX = 600;

/** Encodes a time and 13 bits of `id`, a UUIDv7. */
export const markOf = ({ at, id }: { at: number; id: string }): number =>
  (at - EPOCH_MS) * ID_VALUES + countIn(id) * 2 + (digitAt(id, id.length - 1) & 1);

/**
 * Reads the twelve bits after the version. Generators of ids count up there within a millisecond, so no two visits of
 * one process get the same. Random bits would collide: among a hundred visits in one millisecond, in every other
 * case.
 */
const countIn = (id: string): number => digitAt(id, 15) * 256 + digitAt(id, 16) * 16 + digitAt(id, 17);

/** Reads a hexadecimal digit. Slicing and parsing it would take five times as long. */
function digitAt(id: string, place: number): number {
  const code = id.charCodeAt(place);
  return (code & 15) + (code >> 6) * 9;
}

/** Unix milliseconds. */
const timeOf = (mark: number): number => Math.floor(mark / ID_VALUES) + EPOCH_MS;

export const minuteOf = (mark: number): number => Math.floor(timeOf(mark) / WINDOW_MS);

/** Returns the list plus the new marks of `added`, without what happened more than a minute before all of `added`. */
export function withMarks(list: Marks, added: Marks): Marks {
  if (list.length === 0 && added.length === 1) return added;
  const earliest = added.reduce((least, mark) => Math.min(least, minuteOf(mark)), Number.POSITIVE_INFINITY) - 1;
  if (list.length + added.length <= FEW) return notedFew(list, added, earliest);
  const room = new Map<number, number>();
  return [...new Set([...list, ...added])].filter((mark) => {
    const minute = minuteOf(mark);
    const left = room.get(minute) ?? MINUTE_MARKS_MAX;
    room.set(minute, left - 1);
    return minute >= earliest && left > 0;
  });
}

const FEW = 64;

/** Does the same for lists so short that no minute can be full. */
function notedFew(list: Marks, added: Marks, earliest: number): Marks {
  const result = list.filter((mark) => minuteOf(mark) >= earliest);
  for (const mark of added) if (!result.includes(mark)) result.push(mark);
  return result;
}

/** Inserts a mark by its time, usually at the end, and returns its index. */
export function insertByTime(sorted: number[], mark: number): number {
  let place = sorted.length;
  while (place > 0 && (sorted[place - 1] ?? 0) > mark) place -= 1;
  if (place === sorted.length) sorted.push(mark);
  else sorted.splice(place, 0, mark);
  return place;
}

/** True if the mark at `place` is one of more than `max` within a minute. */
export function isOver(sorted: Marks, place: number, max: number): boolean {
  const lastStart = Math.min(place, sorted.length - 1 - max);
  for (let start = Math.max(0, place - max); start <= lastStart; start++) {
    if (timeOf(sorted[start + max] ?? 0) - timeOf(sorted[start] ?? 0) < WINDOW_MS) return true;
  }
  return false;
}

const MARKS_MAX = 500_000;
const NO_MARKS: Marks = Object.freeze([]);

/**
 * The lists of many keys, at most `MARKS_MAX` marks in all, in two generations: once the younger one has half of
 * them, the older one is dropped, with every key that was not recorded since. A crash loses everything.
 */
export class RecentMarks {
  #young = new Map<number, number | Marks>();
  #old = new Map<number, number | Marks>();
  #youngMarks = 0;

  get(key: number): Marks {
    const known = this.#young.get(key) ?? this.#old.get(key);
    if (known === undefined) return NO_MARKS;
    return typeof known === "number" ? [known] : known;
  }

  /** Records the mark and returns true if the key has no other mark; otherwise returns false. */
  isFirst(key: number, mark: number): boolean {
    const known = this.#young.get(key) ?? this.#old.get(key);
    if (known !== undefined && known !== mark) return false;
    this.#put(key, mark, 1);
    return true;
  }

  set(key: number, marks: Marks): void {
    const [only] = marks;
    this.#put(key, marks.length === 1 && only !== undefined ? only : marks, marks.length);
  }

  #put(key: number, marks: number | Marks, count: number): void {
    if (this.#youngMarks >= MARKS_MAX / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngMarks = 0;
    }
    this.#youngMarks += count;
    this.#young.set(key, marks);
  }
}
