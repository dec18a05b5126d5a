/**
 * When something happened again and again: lists of marks, each of which says a time and which visit it was, in the order
 * in which they were first noted. So what stands before a mark stays before it, however often it is noted: a visit that is
 * judged again (a batch that is read anew, a spool applied after a crash) is judged alike and counted once.
 */
import { WINDOW_MS } from "./bot-signs";

export type Marks = readonly number[];

const EPOCH_MS = Date.UTC(2020);
/** Thirteen bits of the id tell visits of one millisecond apart; beside the time they fit a safe integer until 2054. */
const ID_VALUES = 8_192;
/** Of a minute no more are kept: with as many, whatever else comes in it is too much by any rule. */
export const MINUTE_MARKS_MAX = 600;

/** `id` is a UUID of version 7. */
export const markOf = ({ at, id }: { at: number; id: string }): number =>
  (at - EPOCH_MS) * ID_VALUES + countIn(id) * 2 + (digitAt(id, id.length - 1) & 1);

/**
 * The twelve bits behind the version: whoever makes ids counts on there within a millisecond, so that no two visits of one
 * process have the same. Random digits would: of a hundred visits in one millisecond, in every other case.
 */
const countIn = (id: string): number => digitAt(id, 15) * 256 + digitAt(id, 16) * 16 + digitAt(id, 17);

/** To cut digits off and parse them takes five times as long. */
function digitAt(id: string, place: number): number {
  const code = id.charCodeAt(place);
  return (code & 15) + (code >> 6) * 9;
}

/** Unix milliseconds. */
const timeOf = (mark: number): number => Math.floor(mark / ID_VALUES) + EPOCH_MS;

export const minuteOf = (mark: number): number => Math.floor(timeOf(mark) / WINDOW_MS);

/** The list, with those added that are not in it, and without what came more than a minute before all of them. */
export function noted(list: Marks, added: Marks): Marks {
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

/** The same where no minute can be full. */
function notedFew(list: Marks, added: Marks, earliest: number): Marks {
  const result = list.filter((mark) => minuteOf(mark) >= earliest);
  for (const mark of added) if (!result.includes(mark)) result.push(mark);
  return result;
}

/** Puts a mark where its time belongs, which is mostly the end; answers the place. */
export function insertByTime(sorted: number[], mark: number): number {
  let place = sorted.length;
  while (place > 0 && (sorted[place - 1] ?? 0) > mark) place -= 1;
  if (place === sorted.length) sorted.push(mark);
  else sorted.splice(place, 0, mark);
  return place;
}

/** Whether the mark at `place` is one of more than `max` within a minute. */
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
 * The lists of many keys, at most `MARKS_MAX` marks in all, in two generations: when the younger one has half of them, the
 * older is dropped whole. What was not noted since is forgotten with it. A crash forgets all.
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

  /** Whether nothing else was noted of the key; then the mark is. */
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
