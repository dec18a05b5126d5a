/**
 * Holds compiled links by address, bounded in bytes. Eviction is second chance: a hand moves through the entries,
 * oldest first, and evicts the first one that was not used since the hand last passed it. The hand keeps its position
 * between evictions, because finding a map's first entry takes longer the more entries were deleted before it.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";

export interface Entry {
  link: CompiledLink;
  loadedAt: number;
  /** When a reload last failed or took too long while the entry was distrusted; 0 if none has. */
  recheckFailedAt: number;
  /** The count of organization changes (`KnownVersions`) that the entry was last checked against. */
  checkedAtChange: number;
  isUsed: boolean;
  /** Whether it was unpacked, so it need not be packed again when it is evicted. */
  isPacked: boolean;
  bytes: number;
}

export class Entries {
  readonly #entries = new Map<string, Entry>();
  #hand = this.#entries.entries();
  #bytes = 0;

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  set(key: string, entry: Entry): void {
    this.delete(key);
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  add(others: Entries): void {
    for (const [key, entry] of others.#entries) this.set(key, entry);
  }

  /**
   * Evicts entries that were not used recently until at most `bytesMax` bytes are left. Passes each to `onRemoved`.
   */
  shrink(bytesMax: number, onRemoved: (key: string, entry: Entry) => void): void {
    while (this.#bytes > bytesMax && this.#entries.size > 0) {
      const { value, done } = this.#hand.next();
      if (done) this.#hand = this.#entries.entries();
      else if (value[1].isUsed) value[1].isUsed = false;
      else {
        this.delete(value[0]);
        onRemoved(value[0], value[1]);
      }
    }
  }
}

/** Adds the entries of the smaller to the larger, and returns that. */
export function merged(some: Entries, others: Entries): Entries {
  const [few, many] = some.size < others.size ? [some, others] : [others, some];
  many.add(few);
  return many;
}
