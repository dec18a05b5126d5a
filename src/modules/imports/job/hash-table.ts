/**
 * What a dry run remembers of a million records, by hashes of 53 bits in flat arrays. Texts and maps of them would take
 * hundreds of megabytes, and much of the garbage collector's time. Two texts of a million have the same hash once in
 * 18,000 dry runs; then one record is foreseen wrongly.
 *
 * Bounds: at most 43 bytes an entry, and the bytes of the texts that are kept. Nothing is ever removed.
 */
const FIRST_SLOTS = 1_024;
const LOAD_MAX = 0.75;
/** Marks an empty slot. */
const EMPTY = 0;
/** 21 bits of the second hash, behind the 32 of the first: as many as a number holds exactly. */
const HIGH_MASK = 0x1f_ffff;
const HIGH = 2 ** 32;
const SECOND_SEED = 1;

/** Returns the hash of a text: 2 or more, so that lower numbers can have a meaning of their own. */
export function hashOf(text: string): number {
  const { xxHash32 } = Bun.hash;
  const hash = xxHash32(text) + (xxHash32(text, SECOND_SEED) & HIGH_MASK) * HIGH;
  return hash > 1 ? hash : hash + 2;
}

/** Maps hashes to numbers. Open-addressed, with linear probing. */
export class HashTable {
  #keys = new Float64Array(FIRST_SLOTS);
  #values = new Float64Array(FIRST_SLOTS);
  #size = 0;

  get(key: number): number | undefined {
    const slot = this.#slotOf(key);
    return this.#keys[slot] === key ? this.#values[slot] : undefined;
  }

  set(key: number, value: number): void {
    const slot = this.#slotOf(key);
    this.#values[slot] = value;
    if (this.#keys[slot] === key) return;
    this.#keys[slot] = key;
    if (++this.#size > this.#keys.length * LOAD_MAX) this.#grow();
  }

  /** Returns the slot that has the key, or else the empty one where it belongs. */
  #slotOf(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = key & mask;
    while (this.#keys[slot] !== EMPTY && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2);
    this.#values = new Float64Array(keys.length * 2);
    for (const [place, key] of keys.entries()) {
      if (key === EMPTY) continue;
      const slot = this.#slotOf(key);
      this.#keys[slot] = key;
      this.#values[slot] = values[place] ?? EMPTY;
    }
  }
}

/** Remembers which texts were added. */
export class HashedSet {
  readonly #hashes = new HashTable();

  add(text: string): void {
    this.#hashes.set(hashOf(text), 1);
  }

  has(text: string): boolean {
    return this.#hashes.get(hashOf(text)) !== undefined;
  }
}

const BLOCK_BYTES = 1 << 20;
const LENGTH_BYTES = 2;
/** Marks a key whose text was deleted. Places are stored plus one. */
const DELETED = 0;

/** Maps texts to texts of at most 64 KB. Of a key only the hash is kept; the other one is kept as bytes. */
export class HashedMap {
  readonly #places = new HashTable();
  readonly #blocks: Buffer[] = [];
  #end = BLOCK_BYTES;

  has(key: string): boolean {
    return (this.#places.get(hashOf(key)) ?? DELETED) !== DELETED;
  }

  get(key: string): string | undefined {
    const kept = this.#places.get(hashOf(key)) ?? DELETED;
    if (kept === DELETED) return undefined;
    const place = kept - 1;
    const block = this.#blocks[Math.floor(place / BLOCK_BYTES)] ?? Buffer.alloc(LENGTH_BYTES);
    const from = (place % BLOCK_BYTES) + LENGTH_BYTES;
    return block.toString("utf8", from, from + block.readUInt16LE(from - LENGTH_BYTES));
  }

  set(key: string, text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#end + LENGTH_BYTES + bytes > BLOCK_BYTES) {
      this.#blocks.push(Buffer.alloc(BLOCK_BYTES));
      this.#end = 0;
    }
    const block = this.#blocks.at(-1) ?? Buffer.alloc(0);
    block.writeUInt16LE(bytes, this.#end);
    block.write(text, this.#end + LENGTH_BYTES);
    this.#places.set(hashOf(key), (this.#blocks.length - 1) * BLOCK_BYTES + this.#end + 1);
    this.#end += LENGTH_BYTES + bytes;
  }

  delete(key: string): void {
    const hash = hashOf(key);
    if (this.#places.get(hash) !== undefined) this.#places.set(hash, DELETED);
  }
}
