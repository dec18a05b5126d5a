/**
 * Packed counts of things that have numbers (keys). Counts are sorted by key. Each is stored as the difference from
 * the previous key, followed by the count, which may be negative. Both take as few bytes as they need (base 128, low
 * digits first), together 2 to 3 bytes on average. Reading creates no objects, because counts are summed by the
 * hundred thousand while a request waits.
 *
 * Two zero bytes come first. No counts can begin with them, because zero counts are not stored. They mark the current
 * format, in which the lowest six bits of a key are its dimension. Anything that begins otherwise is in the older
 * format, which has four such bits; reading converts its keys to current ones, in the same order.
 *
 * Bounds: keys below `KEYS_END`, counts within 32 bits signed.
 */

/** The largest 32-bit number. Keys must be smaller, because `CountSums` stores each key plus one. */
export const KEYS_END = 2 ** 32 - 1;

/** Sorted by key and without zeros, unless stated otherwise. Both arrays have the same length. */
export interface Counts {
  keys: Uint32Array;
  counts: Int32Array;
}

export const NO_COUNTS: Counts = { keys: new Uint32Array(), counts: new Int32Array() };

/**
 * Converts entries in any order to `Counts`. Entries with the same key are summed. Throws a RangeError for an invalid
 * key.
 */
export function countsOf(entries: readonly (readonly [key: number, count: number])[]): Counts {
  const sums = new Map<number, number>();
  for (const [key, count] of entries) {
    if (!(key >= 0 && key < KEYS_END)) throw new RangeError(`key ${key} does not fit into 32 bits`);
    sums.set(key, (sums.get(key) ?? 0) + count);
  }
  const sorted = [...sums].filter(([, count]) => count !== 0).sort(([a], [b]) => a - b);
  return {
    keys: Uint32Array.from(sorted, ([key]) => key),
    counts: Int32Array.from(sorted, ([, count]) => count),
  };
}

export function addCounts(one: Counts, other: Counts): Counts {
  if (one.keys.length === 0) return other;
  const keys = new Uint32Array(one.keys.length + other.keys.length);
  const counts = new Int32Array(keys.length);
  let length = 0;
  for (let a = 0, b = 0; a < one.keys.length || b < other.keys.length; ) {
    const left = one.keys[a] ?? Infinity;
    const right = other.keys[b] ?? Infinity;
    let count = 0;
    if (left <= right) count += one.counts[a++] ?? 0;
    if (right <= left) count += other.counts[b++] ?? 0;
    if (count === 0) continue;
    keys[length] = Math.min(left, right);
    counts[length++] = count;
  }
  return { keys: keys.slice(0, length), counts: counts.slice(0, length) };
}

const BYTES_A_NUMBER_MAX = 5;
/** Where the first count begins, after the two zero bytes. */
export const COUNTS_START = 2;

export function encodeCounts({ keys, counts }: Counts): Uint8Array {
  if (keys.length === 0) return new Uint8Array();
  const to = new CountPacker(new Uint8Array(COUNTS_START + keys.length * 2 * BYTES_A_NUMBER_MAX));
  for (let index = 0; index < keys.length; index++) to.put(keys[index] ?? 0, counts[index] ?? 0);
  return to.bytes();
}

export interface Packed {
  bytes: Uint8Array;
  /** The number of keys counted. */
  keys: number;
}

/** Scratch space for sums. Reading and writing in a single pass is half the work of doing one after the other. */
let scratch = new Uint8Array(4_096);

/** Returns the same result as unpacking, adding and packing again. */
export function addToPacked(packed: Uint8Array, added: Counts): Packed {
  if (packed.length > 0 && !isCurrentFormat(packed)) {
    const sum = addCounts(decodeCounts(packed), added);
    return { bytes: encodeCounts(sum), keys: sum.keys.length };
  }
  const room = COUNTS_START + packed.length + added.keys.length * 4 * BYTES_A_NUMBER_MAX;
  if (scratch.length < room) scratch = new Uint8Array(2 * room);
  const to = new CountPacker(scratch);
  let next = 0;
  const end = added.keys.length;
  eachKey(packed, packed.length === 0 ? 0 : COUNTS_START, (key, count) => {
    for (; next < end && (added.keys[next] ?? 0) < key; next++) to.put(added.keys[next] ?? 0, added.counts[next] ?? 0);
    const isBoth = next < end && added.keys[next] === key;
    to.put(key, isBoth ? count + (added.counts[next++] ?? 0) : count);
  });
  for (; next < end; next++) to.put(added.keys[next] ?? 0, added.counts[next] ?? 0);
  return { bytes: to.bytes(), keys: to.keys };
}

/** Packs counts, which must be put in the order of their keys. */
class CountPacker {
  keys = 0;
  readonly #bytes: Uint8Array;
  #at = COUNTS_START;
  #before = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    bytes.fill(0, 0, COUNTS_START);
  }

  put(key: number, count: number): void {
    if (count === 0) return;
    this.#at = putNumber(this.#bytes, this.#at, (key - this.#before) >>> 0);
    this.#at = putNumber(this.#bytes, this.#at, ((count << 1) ^ (count >> 31)) >>> 0);
    this.#before = key;
    this.keys++;
  }

  bytes(): Uint8Array {
    return this.keys === 0 ? new Uint8Array() : this.#bytes.slice(0, this.#at);
  }
}

function putNumber(bytes: Uint8Array, at: number, number: number): number {
  let rest = number;
  let end = at;
  for (; rest >= 128; rest >>>= 7) bytes[end++] = (rest & 127) | 128;
  bytes[end++] = rest;
  return end;
}

export function decodeCounts(bytes: Uint8Array): Counts {
  const keys: number[] = [];
  const counts: number[] = [];
  eachCount(bytes, (key, count) => {
    keys.push(key);
    counts.push(count);
  });
  return { keys: Uint32Array.from(keys), counts: Int32Array.from(counts) };
}

/** Calls `visit` for each count in the order of keys. A truncated last entry is read as if zero bytes followed it. */
export function eachCount(bytes: Uint8Array, visit: (key: number, count: number) => void): void {
  if (isCurrentFormat(bytes)) eachKey(bytes, COUNTS_START, visit);
  else eachKey(bytes, 0, (key, count) => visit(widened(key), count));
}

const isCurrentFormat = (bytes: Uint8Array): boolean => bytes[0] === 0 && bytes[1] === 0;

/** Returns the bytes unchanged if they are in the current format, otherwise converted to it. */
export const toCurrentFormat = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 0 || isCurrentFormat(bytes) ? bytes : encodeCounts(decodeCounts(bytes));

/** Converts a key of the older format, which has four bits for the dimension, to one with six. */
const widened = (key: number): number => (key >>> 4) * 64 + (key & 15);

function eachKey(bytes: Uint8Array, start: number, visit: (key: number, count: number) => void): void {
  let key = 0;
  for (let at = start; at < bytes.length; ) {
    let delta = 0;
    let shift = 0;
    for (;;) {
      const byte = bytes[at++] ?? 0;
      delta |= (byte & 127) << shift;
      if (byte < 128) break;
      shift += 7;
    }
    let folded = 0;
    shift = 0;
    for (;;) {
      const byte = bytes[at++] ?? 0;
      folded |= (byte & 127) << shift;
      if (byte < 128) break;
      shift += 7;
    }
    key = (key + delta) >>> 0;
    visit(key, (folded >>> 1) ^ -(folded & 1));
  }
}
