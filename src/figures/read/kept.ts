/**
 * What was read and unpacked, kept while it is the version that Postgres has. Two generations, as `platform/bounded-map`
 * has them, bounded by bytes: the least recently used half goes first. A crash loses nothing: it is a cache.
 */
import type { Copies, Copy } from "@/platform/db/copies";

export interface Versioned {
  /** Any change makes it another. */
  readonly version: string;
  readonly bytes: number;
}

export class Kept<Value extends Versioned> implements Copy {
  readonly #bytesMax: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #youngBytes = 0;

  constructor(bytesMax: number, copies: Copies) {
    this.#bytesMax = bytesMax;
    copies.add(this);
  }

  /** In another history of the database the same version may be of another row. */
  forget(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngBytes = 0;
  }

  get(key: string, version: string): Value | undefined {
    const found = this.#young.get(key) ?? this.#old.get(key);
    if (found?.version !== version) return undefined;
    this.set(key, found);
    return found;
  }

  set(key: string, value: Value): void {
    this.#youngBytes += value.bytes - (this.#young.get(key)?.bytes ?? 0);
    this.#young.set(key, value);
    if (this.#youngBytes <= this.#bytesMax / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}
