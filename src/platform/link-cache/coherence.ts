/**
 * Keeps caches right while connections come and go: they are told of every change as it commits, and after a time without
 * a listening connection of what changed meanwhile, read from Postgres.
 *
 * States: known (everything up to `#knownUntil` has been told, what comes is heard) → lost → catching up → known, beside it
 * away. Until it has caught up, entries are served as they are: with Postgres there they are loaded again behind within a
 * second, with Postgres away not at all. More changes than `MISSED_CHANGES_MAX` are not told one by one: each entry is
 * loaded again before it is served.
 */
import type { LinkCache } from "./cache";
import { FRESH_MS } from "./cache";
import type { LinkChange } from "./changes";

const LOST_FRESH_MS = 1_000;
const MISSED_CHANGES_MAX = 10_000;
const CHANGES_AT_ONCE = 1_000;
const RETRY_AFTER_MS = 250;

export interface CoherenceOptions {
  cache: Pick<LinkCache, "freshFor" | "distrust">;
  onChange(change: LinkChange): void;
  /** The changes since an instant by the database's clock; null when they are more than `linksMax`. */
  changesSince(since: number, linksMax: number): Promise<LinkChange[] | null>;
  onError(error: unknown): void;
}

export class Coherence {
  readonly #options: CoherenceOptions;
  /** By the database's clock, in Unix milliseconds; null before the first connection, when nothing is cached. */
  #knownUntil: number | null = null;
  #isKnown = false;
  /** Counts connections: what was begun for an earlier one is not brought to an end. */
  #connection = 0;

  constructor(options: CoherenceOptions) {
    this.#options = options;
  }

  /** Resolves once everything is known again, or the connection is lost. */
  async listening(now: number): Promise<void> {
    const connection = ++this.#connection;
    while (this.#knownUntil !== null && !(await this.#catchUp(this.#knownUntil))) {
      await Bun.sleep(RETRY_AFTER_MS);
      if (this.#connection !== connection) return;
    }
    if (this.#connection !== connection) return;
    this.#knownUntil = now;
    this.#isKnown = true;
    this.#options.cache.freshFor(FRESH_MS);
  }

  beat(now: number): void {
    if (this.#isKnown) this.#knownUntil = now;
  }

  lost(): void {
    this.#connection++;
    this.#isKnown = false;
    this.#options.cache.freshFor(LOST_FRESH_MS);
  }

  away(): void {
    this.#options.cache.freshFor(Number.POSITIVE_INFINITY);
  }

  returned(): void {
    this.#options.cache.freshFor(LOST_FRESH_MS);
  }

  async #catchUp(since: number): Promise<boolean> {
    const { cache, changesSince, onChange, onError } = this.#options;
    try {
      const missed = await changesSince(since, MISSED_CHANGES_MAX);
      if (missed === null) cache.distrust();
      for (const [index, change] of (missed ?? []).entries()) {
        if (index % CHANGES_AT_ONCE === 0) await Bun.sleep(0);
        onChange(change);
      }
      return true;
    } catch (error) {
      onError(error);
      return false;
    }
  }
}
