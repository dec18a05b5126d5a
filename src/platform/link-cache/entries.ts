/**
 * Holds compiled links by address, within a bound of bytes. Room is made by second chance: a hand goes round, oldest
 * first, and takes the first entry that nobody has used since it last passed. The hand stays where it is between
 * evictions, since coming to the first of a map's entries costs more the more have been removed before it.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";

export interface Entry {
  link: CompiledLink;
  loadedAt: number;
  /** When a load of it last failed while it was distrusted. */
  triedAt: number;
  /** How many changes of organizations it has been held against. */
  seenChanges: number;
  isUsed: boolean;
  /** Whether it was unpacked, so that it need not be packed again. */
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

  /** Removes entries not used lately until no more than `bytesMax` are left, and hands each of them on. */
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
