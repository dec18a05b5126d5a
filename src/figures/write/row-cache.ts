/**
 * Rows of figures that are cached between batches, in two generations like `platform/bounded-map`: when the younger
 * one is full, the older one is dropped whole. Bounds: `ROWS_MAX`, and `BYTES_MAX`, because a row of a busy link has a
 * sketch of 12 KB. A row that is dropped is read again. A crash loses nothing.
 */

/** In its stored form, because there are many. */
export interface CachedRow {
  clicks: number;
  opens: number;
  counts: Uint8Array;
  /** A sketch in its stored form. It belongs to the store, which changes it in place. */
  visitors: Uint8Array | null;
}

interface Entry {
  row: CachedRow;
  /** The size of the row when it was last set. */
  bytes: number;
}

const ROWS_MAX = 65_536;
/** Room for the rows of 20,000 busy links; the guide on operating counts it among the caches of figures. */
const BYTES_MAX = 256 * 2 ** 20;
/** What a row takes beside its counts and its sketch: the heap of 30,000 cached rows grew by 370 to 410 bytes a row. */
const ROW_BYTES = 400;

export class RowCache {
  readonly #generationBytesMax: number;
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();
  #youngBytes = 0;

  constructor(bytesMax = BYTES_MAX) {
    this.#generationBytesMax = bytesMax / 2;
  }

  get(key: string): CachedRow | undefined {
    const young = this.#young.get(key);
    if (young) return young.row;
    const old = this.#old.get(key);
    if (old) this.#put(key, old);
    return old?.row;
  }

  /** Must be called again after a change of the row, which may have made it larger. */
  set(key: string, row: CachedRow): void {
    this.#put(key, { row, bytes: ROW_BYTES + row.counts.length + (row.visitors?.length ?? 0) });
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngBytes = 0;
  }

  #put(key: string, entry: Entry): void {
    this.#youngBytes += entry.bytes - (this.#young.get(key)?.bytes ?? 0);
    this.#young.set(key, entry);
    if (this.#youngBytes < this.#generationBytesMax && this.#young.size < ROWS_MAX / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}
