/**
 * A set of visitors, by the two halves of their keys. It uses open addressing and is at most half full, so that
 * adding takes some nanoseconds.
 */
const SLOTS_MIN = 1_024;
const GROWTH = 4;
const MIX = 0x9e3779b1;

export class VisitorSet {
  /** Two halves per slot; both are 0 if the slot is free. */
  #slots = new Uint32Array(2 * SLOTS_MIN);
  #mask = SLOTS_MIN - 1;
  #filled = 0;
  /** True if the visitor whose halves are both 0 was added. */
  #hasZero = false;

  get size(): number {
    return this.#filled + Number(this.#hasZero);
  }

  add(low: number, high: number): void {
    if (low === 0 && high === 0) {
      this.#hasZero = true;
      return;
    }
    if (!this.#put(low, high)) return;
    this.#filled++;
    if (2 * this.#filled > this.#mask) this.#grow();
  }

  /** Takes two halves for each visitor. */
  addAll(visitors: Uint32Array): void {
    for (let place = 0; place < visitors.length; place += 2) this.add(visitors[place] ?? 0, visitors[place + 1] ?? 0);
  }

  /** Returns true if the visitor was not in the set. */
  #put(low: number, high: number): boolean {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = (Math.imul(low ^ (high >>> 7), MIX) >>> 8) ^ high;
    for (slot &= mask; ; slot = (slot + 1) & mask) {
      const one = slots[2 * slot];
      const other = slots[2 * slot + 1];
      if (one === low && other === high) return false;
      if (one === 0 && other === 0) break;
    }
    slots[2 * slot] = low;
    slots[2 * slot + 1] = high;
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(GROWTH * old.length);
    this.#mask = (GROWTH * old.length) / 2 - 1;
    for (let place = 0; place < old.length; place += 2) {
      const low = old[place] ?? 0;
      const high = old[place + 1] ?? 0;
      if (low !== 0 || high !== 0) this.#put(low, high);
    }
  }
}
