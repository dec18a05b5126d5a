/**
 * Numbers of texts, from 0 in the order in which they come. Texts stay as the bytes they came in, one after another:
 * making a string of each of a million values and looking it up in a map takes a second, and this a tenth of that.
 * Bytes are processed in words of four. A text ends with the word that contains a NUL, and all bytes after the NUL in
 * that word are NUL as well. The hash table uses open addressing and is at most half full. Each slot lies within one
 * line of the processor's cache, because a lookup consists of waiting for memory.
 *
 * Texts are distinguished only by 64 bits of two hashes, as visitors are by their keys, and are not compared: among a
 * million texts, two are confused in one of 30 million processes. Visitors choose texts, but not the seeds of the
 * hashes, which each process draws at random.
 *
 * Bound: whatever holds it bounds the number of texts.
 */
const SLOTS_MIN = 1_024;
const WORDS_MIN = 1_024;
const GROWTH = 2;
const WORD_BYTES = 4;

/** The words of a slot: the two hashes of a text, and its number plus one. A slot with 0 there is free. */
const HASH = 0;
const OTHER_HASH = 1;
const NUMBER = 2;
const SLOT_WORDS = 4;

export class TextNumbers {
  readonly #seeds = seedsOf(crypto.getRandomValues(new Int32Array(4)));
  #slots = new Int32Array(SLOT_WORDS * SLOTS_MIN);
  #mask = SLOTS_MIN - 1;
  #words = new Int32Array(WORDS_MIN);
  #wordsUsed = 0;
  /** By number, where the words of the text begin. */
  #starts = new Int32Array(SLOTS_MIN);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  textOf(number: number): string {
    if (number >= this.#count) return "";
    const bytes = Buffer.from(this.#words.buffer, WORD_BYTES * (this.#starts[number] ?? 0));
    return bytes.toString("utf8", 0, bytes.indexOf(0));
  }

  find(text: string): number | undefined {
    const slot = this.#slotOf(nextText(padded(Buffer.from(text)), 0, this.#seeds));
    const number = this.#slots[slot + NUMBER] ?? 0;
    return number === 0 ? undefined : number - 1;
  }

  /** Numbers as many texts as `numbers` has room for. `texts` are in UTF-8, with a NUL between them. */
  numberAll(texts: Uint8Array, numbers: Uint32Array): void {
    const view = padded(texts);
    for (let [place, from] = [0, 0]; place < numbers.length; place++) {
      const text = nextText(view, from, this.#seeds);
      const slot = this.#slotOf(text);
      const number = this.#slots[slot + NUMBER] ?? 0;
      numbers[place] = number > 0 ? number - 1 : this.#add(slot, text);
      from = text.next;
    }
  }

  /** Returns the slot of the text, or the free one where it would go. */
  #slotOf(text: Text): number {
    const slots = this.#slots;
    const mask = this.#mask;
    const { hash, otherHash } = text;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const place = SLOT_WORDS * slot;
      if (slots[place + NUMBER] === 0) return place;
      if (slots[place + HASH] === hash && slots[place + OTHER_HASH] === otherHash) return place;
    }
  }

  #add(slot: number, { view, from, last, lastWord, hash, otherHash }: Text): number {
    const start = this.#wordsUsed;
    this.#wordsUsed += (last - from) / WORD_BYTES + 1;
    if (this.#wordsUsed > this.#words.length) this.#words = widened(this.#words, GROWTH * this.#wordsUsed);
    for (let at = from; at < last; at += WORD_BYTES) {
      this.#words[start + (at - from) / WORD_BYTES] = view.getInt32(at, true);
    }
    this.#words[this.#wordsUsed - 1] = lastWord;
    this.#starts[this.#count] = start;
    this.#slots[slot + HASH] = hash;
    this.#slots[slot + OTHER_HASH] = otherHash;
    this.#slots[slot + NUMBER] = ++this.#count;
    if (2 * this.#count > this.#mask) this.#grow();
    return this.#count - 1;
  }

  #grow(): void {
    const old = this.#slots;
    const length = GROWTH * (this.#mask + 1);
    this.#slots = new Int32Array(SLOT_WORDS * length);
    this.#mask = length - 1;
    this.#starts = widened(this.#starts, length);
    for (let place = 0; place < old.length; place += SLOT_WORDS) {
      if (old[place + NUMBER] === 0) continue;
      let slot = (old[place + HASH] ?? 0) & this.#mask;
      while (this.#slots[SLOT_WORDS * slot + NUMBER] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots.set(old.subarray(place, place + SLOT_WORDS), SLOT_WORDS * slot);
    }
  }
}

interface Seeds {
  first: number;
  factor: number;
  otherFirst: number;
  otherFactor: number;
}

/** Factors are odd, so that no bit is lost in multiplications. */
const seedsOf = ([first = 0, factor = 0, otherFirst = 0, otherFactor = 0]: Int32Array): Seeds => ({
  ...{ first, factor: factor | 1, otherFirst, otherFactor: otherFactor | 1 },
});

/** A text within a list of texts. */
interface Text {
  view: DataView;
  from: number;
  /** Where its last word begins; `lastWord` is its content. */
  last: number;
  lastWord: number;
  hash: number;
  otherHash: number;
  /** Where the next text begins. */
  next: number;
}

/** The lowest bit of each byte, and the highest. */
const LOW = 0x01010101;
const HIGH = 0x80808080;

/**
 * Finds the end of the text and hashes it. Subtracting 1 from each byte sets the highest bit of those that were NUL;
 * the lowest bit set this way belongs to the first NUL.
 */
function nextText(view: DataView, from: number, seeds: Seeds): Text {
  const { factor, otherFactor } = seeds;
  let hash = seeds.first;
  let otherHash = seeds.otherFirst;
  let last = from;
  let word = view.getInt32(last, true);
  let nuls = (word - LOW) & ~word & HIGH;
  while (nuls === 0) {
    hash = mixed(hash, word, factor);
    otherHash = mixed(otherHash, word, otherFactor);
    last += WORD_BYTES;
    word = view.getInt32(last, true);
    nuls = (word - LOW) & ~word & HIGH;
  }
  const length = (31 - Math.clz32(nuls & -nuls)) >> 3;
  const lastWord = word & ((1 << (8 * length)) - 1);
  hash = mixed(hash, lastWord, factor);
  otherHash = mixed(otherHash, lastWord, otherFactor);
  return { view, from, last, lastWord, hash: hash ^ (hash >>> 15), otherHash, next: last + length + 1 };
}

const mixed = (hash: number, word: number, factor: number): number => {
  const both = hash ^ word;
  return Math.imul((both << 13) | (both >>> 19), factor);
};

/** Returns the texts with room to read a word at every position, and with a NUL after the last one, too. */
function padded(texts: Uint8Array): DataView {
  const bytes = new Uint8Array(texts.length + 2 * WORD_BYTES);
  bytes.set(texts);
  return new DataView(bytes.buffer);
}

function widened(numbers: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const wide = new Int32Array(length);
  wide.set(numbers);
  return wide;
}
