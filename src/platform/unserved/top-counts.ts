/**
 * Counts the most frequent keys within a bound. A new key that finds no room replaces the rarest one, the oldest
 * among equals, and that one's count is passed to `onEvicted`, which keeps the rest. So no visit is lost, a count is
 * never above the true one, and a flood of keys that come once evicts only itself.
 */
export class TopCounts<Item> {
  readonly #max: number;
  readonly #onEvicted: (item: Item, count: number) => void;
  readonly #counts = new Map<string, { item: Item; count: number }>();

  constructor(max: number, onEvicted: (item: Item, count: number) => void) {
    this.#max = max;
    this.#onEvicted = onEvicted;
  }

  add(key: string, item: Item): void {
    const known = this.#counts.get(key);
    if (known) known.count += 1;
    else {
      if (this.#counts.size >= this.#max) this.#evict();
      this.#counts.set(key, { item, count: 1 });
    }
  }

  values(): IterableIterator<{ item: Item; count: number }> {
    return this.#counts.values();
  }

  #evict(): void {
    let rarest: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [key, { count }] of this.#counts) {
      if (count >= least) continue;
      [rarest, least] = [key, count];
      if (least === 1) break;
    }
    const evicted = rarest === undefined ? undefined : this.#counts.get(rarest);
    if (rarest === undefined || !evicted) return;
    this.#counts.delete(rarest);
    this.#onEvicted(evicted.item, evicted.count);
  }
}
