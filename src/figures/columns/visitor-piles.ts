/**
 * Counts the distinct visitors of each bucket and of all buckets. Visitors must be added bucket by bucket. Looking up
 * each of millions in one table means waiting for memory every time. So visitors are first distributed by their keys
 * over piles, each written from front to back, and every pile is then counted with a table that fits into the
 * processor's cache.
 *
 * Bound: eight bytes for each visitor of each part, and half as much again while a pile grows.
 */
import { setImmediate } from "node:timers/promises";

const PILES = 256;
const PILE_SHIFT = 24;
const PILE_WORDS_MIN = 32;
const SLOTS_MIN = 64;
const MIX = 0x9e3779b1;
/** The number of visitors after which other work gets an event-loop turn. */
const VISITORS_A_TURN = 262_144;
const EMPTY = new Uint32Array();

export interface DistinctVisitors {
  all: number;
  /** In the order in which buckets were begun. */
  byBucket: Uint32Array;
}

export class VisitorPiles {
  /** Two halves for each visitor. */
  readonly #piles: Uint32Array[] = Array.from({ length: PILES }, () => EMPTY);
  readonly #lengths = new Uint32Array(PILES);
  /** By bucket, the length of each pile when the bucket began. */
  readonly #starts: Uint32Array[] = [];

  /** Takes two halves for each visitor. */
  addAll(visitors: Uint32Array): void {
    const [piles, lengths] = [this.#piles, this.#lengths];
    for (let place = 0; place < visitors.length; place += 2) {
      const low = visitors[place] ?? 0;
      const high = visitors[place + 1] ?? 0;
      const pile = Math.imul(high ^ low, MIX) >>> PILE_SHIFT;
      const length = lengths[pile] ?? 0;
      let words = piles[pile] ?? EMPTY;
      if (length === words.length) words = this.#grow(pile);
      words[length] = low;
      words[length + 1] = high;
      lengths[pile] = length + 2;
    }
  }

  /** Begins a bucket: whatever is added from now on belongs to it. */
  beginBucket(): void {
    this.#starts.push(this.#lengths.slice());
  }

  async count(): Promise<DistinctVisitors> {
    const byBucket = new Uint32Array(this.#starts.length);
    const table = new PileTable(Math.max(...this.#lengths) / 2);
    let [all, counted] = [0, 0];
    for (let pile = 0; pile < PILES; pile++) {
      table.clear(byBucket.length);
      const length = this.#lengths[pile] ?? 0;
      for (let bucket = 0; bucket < byBucket.length; bucket++) {
        const [from, to] = [this.#starts[bucket]?.[pile] ?? 0, this.#starts[bucket + 1]?.[pile] ?? length];
        const visitors = (this.#piles[pile] ?? EMPTY).subarray(from, to);
        byBucket[bucket] = (byBucket[bucket] ?? 0) + table.countNew(visitors, bucket);
      }
      all += table.filled;
      counted += length / 2;
      if (counted < VISITORS_A_TURN) continue;
      counted = 0;
      await setImmediate();
    }
    return { all, byBucket };
  }

  #grow(pile: number): Uint32Array {
    const old = this.#piles[pile] ?? EMPTY;
    const wide = new Uint32Array(Math.max(PILE_WORDS_MIN, 2 * old.length));
    wide.set(old);
    this.#piles[pile] = wide;
    return wide;
  }
}

/**
 * A hash table with open addressing, at most half full. The stamp of a slot identifies the pile and the bucket in
 * which its visitor was last seen.
 */
class PileTable {
  filled = 0;
  readonly #slots: Uint32Array;
  readonly #stamps: Uint32Array;
  readonly #mask: number;
  /** Stamps up to this one belong to earlier piles: their slots are free. */
  #past = 0;
  #next = 0;

  constructor(visitorsMax: number) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(SLOTS_MIN, 2 * visitorsMax)));
    this.#slots = new Uint32Array(2 * slots);
    this.#stamps = new Uint32Array(slots);
    this.#mask = slots - 1;
  }

  clear(buckets: number): void {
    this.filled = 0;
    this.#past = this.#next;
    this.#next += buckets;
  }

  /** Returns how many of these visitors are new in the bucket. */
  countNew(visitors: Uint32Array, bucket: number): number {
    const [slots, stamps, mask, past] = [this.#slots, this.#stamps, this.#mask, this.#past];
    const stamp = past + bucket + 1;
    let [found, filled] = [0, 0];
    for (let place = 0; place < visitors.length; place += 2) {
      const low = visitors[place] ?? 0;
      const high = visitors[place + 1] ?? 0;
      let slot = (low ^ (high >>> 7)) & mask;
      for (; (stamps[slot] ?? 0) > past; slot = (slot + 1) & mask) {
        if (slots[2 * slot] === low && slots[2 * slot + 1] === high) break;
      }
      const last = stamps[slot] ?? 0;
      if (last === stamp) continue;
      found++;
      stamps[slot] = stamp;
      if (last > past) continue;
      filled++;
      slots[2 * slot] = low;
      slots[2 * slot + 1] = high;
    }
    this.filled += filled;
    return found;
  }
}
