/**
 * Divides the bytes of the link cache between compiled links, those of them that are distrusted, and packed links.
 * Whatever is evicted from the compiled links is packed.
 */
import type { Entries, Entry } from "./entries";
import { PackedLinks } from "./packed-links";

/**
 * Share of the bytes that packed links may take. A cache smaller than `PACKED_FROM_BYTES` has no room for several
 * chunks of them, so it keeps only compiled links.
 */
const PACKED_SHARE = 0.85;
const PACKED_FROM_BYTES = 16 * 1024 * 1024;
/**
 * Share of the compiled links' bytes that distrusted ones keep even when trusted ones could use it. Those in use would
 * otherwise have to be unpacked, and their reload waited for, at every request.
 */
const DISTRUSTED_SHARE = 1 / 8;

export class CacheRoom {
  readonly packed: PackedLinks;
  readonly #readyMax: number;

  constructor(bytesMax: number) {
    const packedMax = bytesMax < PACKED_FROM_BYTES ? 0 : bytesMax * PACKED_SHARE;
    this.packed = new PackedLinks(packedMax);
    this.#readyMax = bytesMax - packedMax;
  }

  /** Evicts what exceeds the bounds, distrusted entries first. Call it after every entry that is added. */
  make(trusted: Entries, distrusted: Entries): void {
    distrusted.shrink(Math.max(DISTRUSTED_SHARE * this.#readyMax, this.#readyMax - trusted.bytes), this.#pack);
    trusted.shrink(this.#readyMax - distrusted.bytes, this.#pack);
  }

  readonly #pack = (key: string, { link, loadedAt, isPacked, bytes }: Entry): void => {
    if (!isPacked || !this.packed.has(key)) this.packed.put(key, { definition: link.definition, loadedAt, bytes });
  };
}
