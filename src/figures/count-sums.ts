/**
 * Sums packed counts by key in a hash table of typed arrays, because hundreds of thousands of counts are summed while
 * a request waits.
 */
import { type Counts, eachCount } from "./counts";

const SLOT_BITS_MIN = 10;
/** 2^32 divided by the golden ratio. Spreads neighboring keys over the table (Knuth, volume 3, 6.4). */
const SPREAD = 0x9e3779b1;

/** Sums of counts by key: a hash table with open addressing, at most half full. */
export class CountSums {
  #slots: number;
  #shift: number;
  /** Key + 1, so that 0 is an empty slot. */
  #keys: Uint32Array;
  #sums: Float64Array;
  #size = 0;

  /** Makes room for this many keys; the table grows if there are more. */
  constructor(keys = 0) {
    const bits = Math.max(SLOT_BITS_MIN, 32 - Math.clz32(keys * 2));
    this.#slots = 2 ** bits;
    this.#shift = 32 - bits;
    this.#keys = new Uint32Array(this.#slots);
    this.#sums = new Float64Array(this.#slots);
  }

  get bytes(): number {
    return this.#keys.byteLength + this.#sums.byteLength;
  }

  addAll(bytes: Uint8Array): void {
    eachCount(bytes, this.add);
  }

  addCounts({ keys, counts }: Counts): void {
    for (let index = 0; index < keys.length; index++) this.add(keys[index] ?? 0, counts[index] ?? 0);
  }

  /** Returns an independent copy. */
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

  /** Returns 0 for a key that was never added. */
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

  /**
   * Returns the sums in no particular order of keys, so they can be summed but not encoded. Sums are truncated to 32
   * bits.
   */
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

  /** Returns the slot of the key, or the empty slot where it would go, whose sum is 0. */
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
