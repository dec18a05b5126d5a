/**
 * Positions of records by the hash of their key: an open-addressed table in two flat arrays, so that even a million
 * entries cost the garbage collector nothing. The owner of the records compares the keys. A slot is found by linear
 * probing. When a slot is freed, the entries behind it move up, so there are no tombstones.
 */
const FIRST_SLOTS = 1024;
const LOAD_MAX = 0.6;
/** Positions are stored plus one, because zero marks an empty slot. */
const EMPTY = 0;

export class SlabIndex {
  #hashes = new Uint32Array(FIRST_SLOTS);
  #positions = new Float64Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#hashes.byteLength + this.#positions.byteLength;
  }

  /** Returns the position under this hash for which `isIt` is true; -1 if there is none. */
  find(hash: number, matches: (position: number) => boolean): number {
    const slot = this.#slotOf(hash, matches);
    return slot < 0 ? -1 : (this.#positions[slot] ?? EMPTY) - 1;
  }

  /** Adds a position, which must not be in the index yet. */
  add(hash: number, position: number): void {
    if (this.#size >= this.#hashes.length * LOAD_MAX) this.#grow();
    this.#put(hash, position + 1);
    this.#size++;
  }

  /** Returns whether the position was there. */
  remove(hash: number, position: number): boolean {
    const slot = this.#slotOf(hash, (other) => other === position);
    if (slot < 0) return false;
    this.#size--;
    this.#close(slot);
    return true;
  }

  #slotOf(hash: number, isIt: (position: number) => boolean): number {
    const mask = this.#hashes.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const position = this.#positions[slot] ?? EMPTY;
      if (position === EMPTY) return -1;
      if (this.#hashes[slot] === hash && isIt(position - 1)) return slot;
    }
  }

  #put(hash: number, kept: number): void {
    const mask = this.#hashes.length - 1;
    let slot = hash & mask;
    while (this.#positions[slot] !== EMPTY) slot = (slot + 1) & mask;
    this.#hashes[slot] = hash;
    this.#positions[slot] = kept;
  }

  /** Moves up, one after another, the entries that may stand in the gap. */
  #close(gap: number): void {
    const mask = this.#hashes.length - 1;
    let hole = gap;
    for (let slot = (gap + 1) & mask; this.#positions[slot] !== EMPTY; slot = (slot + 1) & mask) {
      const hash = this.#hashes[slot] ?? 0;
      const distance = (slot - (hash & mask)) & mask;
      if (distance < ((slot - hole) & mask)) continue;
      this.#hashes[hole] = hash;
      this.#positions[hole] = this.#positions[slot] ?? EMPTY;
      hole = slot;
    }
    this.#positions[hole] = EMPTY;
  }

  #grow(): void {
    const [hashes, positions] = [this.#hashes, this.#positions];
    this.#hashes = new Uint32Array(hashes.length * 2);
    this.#positions = new Float64Array(hashes.length * 2);
    for (const [slot, kept] of positions.entries()) if (kept !== EMPTY) this.#put(hashes[slot] ?? 0, kept);
  }
}
