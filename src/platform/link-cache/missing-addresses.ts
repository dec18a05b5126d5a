/**
 * Addresses known to have no link, each remembered for `MISSING_MS`. They are bounded separately from the links, so
 * probing cannot evict links. A crash loses nothing: each address is looked up again.
 */
import { createBoundedMap } from "../bounded-map";

export const MISSING_MS = 10_000;
const MISSING_MAX = 50_000;

export class MissingAddresses {
  /** By address; in the cache's milliseconds. */
  readonly #until = createBoundedMap<string, number>(MISSING_MAX);

  get size(): number {
    return this.#until.size;
  }

  has(key: string, now: number): boolean {
    const until = this.#until.get(key);
    if (until === undefined) return false;
    if (until > now) return true;
    this.#until.delete(key);
    return false;
  }

  add(key: string, now: number): void {
    this.#until.set(key, now + MISSING_MS);
  }

  delete(key: string): void {
    this.#until.delete(key);
  }

  clear(): void {
    this.#until.clear();
  }
}
