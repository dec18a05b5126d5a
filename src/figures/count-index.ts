/**
 * Finds single counts in packed ones, of which a day of a large organization has tens of thousands. Remembers where
 * every `STEP`th count begins, so that finding one reads at most `STEP` counts.
 */
import { COUNTS_START, toCurrentFormat } from "./counts";
import { CODES_MAX, codeOf } from "./keys";

/** Counts per step. Eight bytes are remembered for each step, whose counts take about 300 bytes. */
const STEP = 128;

export class CountIndex {
  readonly #bytes: Uint8Array;
  /** By step: where it begins, and (in `#keysBefore`) the key before it. */
  readonly #places: Uint32Array;
  readonly #keysBefore: Uint32Array;
  readonly #byCode = new Float64Array(CODES_MAX);

  constructor(packed: Uint8Array) {
    this.#bytes = toCurrentFormat(packed);
    const [places, keysBefore]: [number[], number[]] = [[], []];
    const cursor = new Cursor(this.#bytes, COUNTS_START, 0);
    for (let counts = 0; !cursor.isAtEnd; counts++) {
      if (counts % STEP === 0) {
        places.push(cursor.at);
        keysBefore.push(cursor.key);
      }
      const count = cursor.next();
      const code = codeOf(cursor.key);
      this.#byCode[code] = (this.#byCode[code] ?? 0) + count;
    }
    this.#places = Uint32Array.from(places);
    this.#keysBefore = Uint32Array.from(keysBefore);
  }

  /** Returns 0 for a key that is not counted. */
  countOf(key: number): number {
    const step = this.#stepOf(key);
    const cursor = new Cursor(this.#bytes, this.#places[step] ?? this.#bytes.length, this.#keysBefore[step] ?? 0);
    while (!cursor.isAtEnd) {
      const count = cursor.next();
      if (cursor.key >= key) return cursor.key === key ? count : 0;
    }
    return 0;
  }

  /** Returns the sum over all keys of the dimension. */
  sumOf(code: number): number {
    return this.#byCode[code] ?? 0;
  }

  /** Returns the last step that is preceded by a smaller key, or the first step if there is none. */
  #stepOf(key: number): number {
    let [low, high] = [1, this.#keysBefore.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keysBefore[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

class Cursor {
  readonly #bytes: Uint8Array;
  at: number;
  /** The key that was read last. */
  key: number;

  constructor(bytes: Uint8Array, at: number, key: number) {
    this.#bytes = bytes;
    this.at = at;
    this.key = key;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  /** Moves to the next key and returns its count. */
  next(): number {
    this.key = (this.key + this.#number()) >>> 0;
    const folded = this.#number();
    return (folded >>> 1) ^ -(folded & 1);
  }

  #number(): number {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.at++] ?? 0;
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
  }
}
