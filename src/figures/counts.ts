/**
 * Counts of things that have numbers (keys), packed: sorted by key, each as what its key is more than the one before, and
 * its count, which may be negative; both in as few bytes as they need (base 128, low digits first). Some 2 to 3 bytes a
 * count. They are summed by the hundred thousand while a request waits, so that reading makes no objects.
 *
 * Two zeros come first, which no count can be: they say that a key's lowest six bits are its dimension. What begins
 * otherwise is older and has four such bits; reading makes its keys those of today, in the same order.
 *
 * Bounds: keys below `KEYS_END`, counts within 32 bits signed.
 */

/** One below the largest number of 32 bits: `CountSums` holds each key plus one. */
export const KEYS_END = 2 ** 32 - 1;

/** Sorted by key, without zeros, unless said otherwise; arrays of one length. */
export interface Counts {
  keys: Uint32Array;
  counts: Int32Array;
}

export const NO_COUNTS: Counts = { keys: new Uint32Array(), counts: new Int32Array() };

/** In any order; keys that come twice are summed. A RangeError for a key that is none. */
export function countsOf(entries: readonly (readonly [key: number, count: number])[]): Counts {
  const sums = new Map<number, number>();
  for (const [key, count] of entries) {
    if (!(key >= 0 && key < KEYS_END)) throw new RangeError(`a key of ${key} is beyond 32 bits`);
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
const MARK_BYTES = 2;

export function encodeCounts({ keys, counts }: Counts): Uint8Array {
  if (keys.length === 0) return new Uint8Array();
  const to = new PackedEnd(new Uint8Array(MARK_BYTES + keys.length * 2 * BYTES_A_NUMBER_MAX));
  for (let index = 0; index < keys.length; index++) to.put(keys[index] ?? 0, counts[index] ?? 0);
  return to.bytes();
}

export interface Packed {
  bytes: Uint8Array;
  /** How many are counted. */
  keys: number;
}

/** Where sums are put together: reading and writing at once is half the work of doing one after the other. */
let scratch = new Uint8Array(4_096);

/** Gives the same result as unpacking, adding and packing again. */
export function addToPacked(packed: Uint8Array, added: Counts): Packed {
  if (packed.length > 0 && !(packed[0] === 0 && packed[1] === 0)) {
    const sum = addCounts(decodeCounts(packed), added);
    return { bytes: encodeCounts(sum), keys: sum.keys.length };
  }
  const room = MARK_BYTES + packed.length + added.keys.length * 4 * BYTES_A_NUMBER_MAX;
  if (scratch.length < room) scratch = new Uint8Array(2 * room);
  const to = new PackedEnd(scratch);
  let next = 0;
  const end = added.keys.length;
  eachKey(packed, packed.length === 0 ? 0 : MARK_BYTES, (key, count) => {
    for (; next < end && (added.keys[next] ?? 0) < key; next++) to.put(added.keys[next] ?? 0, added.counts[next] ?? 0);
    const isBoth = next < end && added.keys[next] === key;
    to.put(key, isBoth ? count + (added.counts[next++] ?? 0) : count);
  });
  for (; next < end; next++) to.put(added.keys[next] ?? 0, added.counts[next] ?? 0);
  return { bytes: to.bytes(), keys: to.keys };
}

/** Takes counts in the order of their keys. */
class PackedEnd {
  keys = 0;
  readonly #bytes: Uint8Array;
  #at = MARK_BYTES;
  #before = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    bytes.fill(0, 0, MARK_BYTES);
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

/** What is cut off at the end is passed over. */
export function eachCount(bytes: Uint8Array, visit: (key: number, count: number) => void): void {
  if (bytes[0] === 0 && bytes[1] === 0) eachKey(bytes, MARK_BYTES, visit);
  else eachKey(bytes, 0, (key, count) => visit(widened(key), count));
}

/** A key has six bits for the dimension instead of four. */
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

const SLOTS_MIN = 1024;
/** Of the golden ratio: spreads neighbouring keys over the table (Knuth, volume 3, 6.4). */
const SPREAD = 0x9e3779b1;

/** Sums by key, of any number of packed counts: a hash table with open addressing. */
export class CountSums {
  #slots = SLOTS_MIN;
  #shift = 22;
  /** Key + 1, so that 0 is an empty slot. */
  #keys = new Uint32Array(SLOTS_MIN);
  #sums = new Float64Array(SLOTS_MIN);
  #size = 0;

  addAll(bytes: Uint8Array): void {
    eachCount(bytes, this.add);
  }

  addCounts({ keys, counts }: Counts): void {
    for (let index = 0; index < keys.length; index++) this.add(keys[index] ?? 0, counts[index] ?? 0);
  }

  /** Of its own: adding to one leaves the other. */
  copy(): CountSums {
    const copy = new CountSums();
    copy.#slots = this.#slots;
    copy.#shift = this.#shift;
    copy.#keys = this.#keys.slice();
    copy.#sums = this.#sums.slice();
    copy.#size = this.#size;
    return copy;
  }

  readonly add = (key: number, count: number): void => {
    const mask = this.#slots - 1;
    const keys = this.#keys;
    let slot = Math.imul(key, SPREAD) >>> this.#shift;
    for (let found = keys[slot]; found !== key + 1; found = keys[slot]) {
      if (found === 0) {
        this.#insert(slot, key, count);
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.#sums[slot] = (this.#sums[slot] ?? 0) + count;
  };

  /** 0 for a key that was never added to. */
  of(key: number): number {
    return this.#sums[this.#slotOf(key)] ?? 0;
  }

  has(key: number): boolean {
    return this.#keys[this.#slotOf(key)] !== 0;
  }

  forEach(visit: (key: number, sum: number) => void): void {
    for (let slot = 0; slot < this.#slots; slot++) {
      const key = this.#keys[slot] ?? 0;
      if (key !== 0) visit(key - 1, this.#sums[slot] ?? 0);
    }
  }

  /** In no order of keys: to be summed, not to be encoded. Sums are taken as 32 bits. */
  toCounts(): Counts {
    const keys = new Uint32Array(this.#size);
    const counts = new Int32Array(this.#size);
    let length = 0;
    this.forEach((key, sum) => {
      keys[length] = key;
      counts[length++] = sum;
    });
    return { keys, counts };
  }

  /** Where the key is, or would be: an empty slot, whose sum is 0. */
  #slotOf(key: number): number {
    const keys = this.#keys;
    let slot = Math.imul(key, SPREAD) >>> this.#shift;
    for (let found = keys[slot]; found !== key + 1 && found !== 0; found = keys[slot]) {
      slot = (slot + 1) & (this.#slots - 1);
    }
    return slot;
  }

  #insert(slot: number, key: number, count: number): void {
    this.#keys[slot] = key + 1;
    this.#sums[slot] = count;
    this.#size++;
    if (this.#size * 2 > this.#slots) this.#grow();
  }

  #grow(): void {
    const [keys, sums] = [this.#keys, this.#sums];
    this.#slots *= 2;
    this.#shift -= 1;
    this.#keys = new Uint32Array(this.#slots);
    this.#sums = new Float64Array(this.#slots);
    this.#size = 0;
    for (let slot = 0; slot < keys.length; slot++) {
      const key = keys[slot] ?? 0;
      if (key !== 0) this.add(key - 1, sums[slot] ?? 0);
    }
  }
}
