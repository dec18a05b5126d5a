/**
 * A cache of units that is bounded by bytes. The least recently used units are evicted one by one, so that a range
 * that fits is kept whole. A crash loses nothing.
 */
import type { Versioned } from "../read/versioned-cache";

export class UnitCache<Unit extends Versioned> {
  readonly #bytesMax: number;
  /** In order of use, the least recently used first. */
  readonly #units = new Map<string, Unit>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  forget(): void {
    this.#units.clear();
    this.#bytes = 0;
  }

  get(key: string, version: string): Unit | undefined {
    const found = this.#units.get(key);
    if (found?.version !== version) return undefined;
    this.#units.delete(key);
    this.#units.set(key, found);
    return found;
  }

  set(key: string, unit: Unit): void {
    this.#drop(key);
    this.#units.set(key, unit);
    this.#bytes += unit.bytes;
    for (const [oldest] of this.#units) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#units.get(key)?.bytes ?? 0;
    this.#units.delete(key);
  }
}
