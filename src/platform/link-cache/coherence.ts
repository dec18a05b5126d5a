/**
 * Keeps caches current while connections come and go. Changes normally arrive as they commit. After a time without a
 * listening connection, this reads the changes that were missed from Postgres and applies them.
 *
 * States: current (every change up to `#knownUntil` was applied, and new ones arrive) → lost → catching up → current.
 * Independently of these, Postgres may be unreachable. Until the cache has caught up, its entries are served
 * unchecked: while Postgres is reachable, each is reloaded in the background once it is a second old; while Postgres
 * is unreachable, none is. If more than `MISSED_CHANGES_MAX` changes were missed, they are not applied one by one:
 * each entry is reloaded before it is served.
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
  /** Returns the changes since an instant by the database's clock; null if there are more than `linksMax`. */
  changesSince(since: number, linksMax: number): Promise<LinkChange[] | null>;
  onError(error: unknown): void;
}

export class Coherence {
  readonly #options: CoherenceOptions;
  /**
   * Every change up to this instant was applied. By the database's clock, in Unix milliseconds; null before the first
   * connection, when nothing is cached.
   */
  #knownUntil: number | null = null;
  #isKnown = false;
  /** Counts connections, so that work begun for an earlier one is abandoned. */
  #connection = 0;

  constructor(options: CoherenceOptions) {
    this.#options = options;
  }

  /** Catches up on missed changes. Resolves once the cache is current, or the connection is lost. */
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
