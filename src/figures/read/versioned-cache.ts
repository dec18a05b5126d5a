/**
 * A cache of values that were read and unpacked, each valid while Postgres has the same version. It has two
 * generations, like `platform/bounded-map`, and is bounded by bytes: the least recently used half is evicted first. A
 * crash loses nothing.
 */
import type { Copies, Copy } from "@/platform/db/copies";

export interface Versioned {
  /** Any change to the value changes it. */
  readonly version: string;
  readonly bytes: number;
}

export class VersionedCache<Value extends Versioned> implements Copy {
  readonly #bytesMax: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #youngBytes = 0;

  constructor(bytesMax: number, copies: Copies) {
    this.#bytesMax = bytesMax;
    copies.add(this);
  }

  /** Needed when another history of the database begins, in which the same version may belong to another row. */
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
