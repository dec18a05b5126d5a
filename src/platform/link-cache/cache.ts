/**
 * Compiled links in process, by address: what carries the redirect traffic.
 *
 * - A found link is an entry until it is evicted (second chance: an entry used since the hand last passed stays) or
 *   changed. Past `FRESH_MS` it is loaded again behind the answers, and goes on being served while that fails, so cached
 *   redirects outlive Postgres.
 * - An address without a link is remembered for `MISSING_MS` in a bounded map of its own: probing cannot push links out.
 * - One load per address is under way at a time. A change that arrives meanwhile makes it load again: a version older
 *   than the one known is never kept.
 *
 * A crash loses nothing: everything here can be loaded again.
 */
import { type CompiledLink, compileLink } from "@/core/compiled-link";
import type { LinkDefinition } from "@/core/link";
import type { LinkChange } from "./changes";

const FRESH_MS = 60_000;
const MISSING_MS = 10_000;
const MISSING_MAX = 50_000;
const KNOWN_VERSIONS_MAX = 100_000;
const LOADS_MAX = 3;

interface Entry {
  link: CompiledLink;
  loadedAt: number;
  isUsed: boolean;
}

interface Flight {
  isOutdated: boolean;
  result: Promise<CompiledLink | null>;
}

export interface LinkCacheOptions {
  entriesMax: number;
  /** `isFresh`: from the source itself, past any shared copy. */
  load(key: string, isFresh: boolean): Promise<LinkDefinition | null>;
  now(): number;
  onRefreshFailed(error: unknown): void;
}

export class LinkCache {
  readonly #entries = new Map<string, Entry>();
  readonly #missing = new Map<string, number>();
  readonly #flights = new Map<string, Flight>();
  readonly #versions = new Map<string, number>();

  constructor(private readonly options: LinkCacheOptions) {}

  get size(): number {
    return this.#entries.size;
  }

  /** The link if it is here; null when it is known that there is none; undefined when it must be loaded. Never waits. */
  peek(key: string, now: number): CompiledLink | null | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return this.#peekMissing(key, now);
    entry.isUsed = true;
    if (now - entry.loadedAt > FRESH_MS) this.#refreshBehind(key, entry, now);
    return entry.link;
  }

  /** Rejects when neither the cache nor the source can tell. */
  async get(key: string): Promise<CompiledLink | null> {
    const here = this.peek(key, this.options.now());
    return here === undefined ? this.#fly(key) : here;
  }

  /** From the version on that a change names, nothing older is kept. */
  change({ id, version, key }: LinkChange): void {
    put(this.#versions, id, Math.max(version, this.#versions.get(id) ?? 0), KNOWN_VERSIONS_MAX);
    this.#missing.delete(key);
    const entry = this.#entries.get(key);
    if (entry && (entry.link.definition.id !== id || entry.link.definition.version < version))
      this.#entries.delete(key);
    const flight = this.#flights.get(key);
    if (flight) flight.isOutdated = true;
  }

  /** Everything may have changed: entries are loaded again behind the answers, the next time they are asked for. */
  revalidate(): void {
    this.#missing.clear();
    for (const entry of this.#entries.values()) entry.loadedAt = 0;
    for (const flight of this.#flights.values()) flight.isOutdated = true;
  }

  #peekMissing(key: string, now: number): null | undefined {
    const until = this.#missing.get(key);
    if (until === undefined) return undefined;
    if (until > now) return null;
    this.#missing.delete(key);
    return undefined;
  }

  #refreshBehind(key: string, entry: Entry, now: number): void {
    entry.loadedAt = now;
    this.#fly(key).catch(this.options.onRefreshFailed);
  }

  #fly(key: string): Promise<CompiledLink | null> {
    const under = this.#flights.get(key);
    if (under) return under.result;
    const flight: Flight = { isOutdated: false, result: Promise.resolve(null) };
    flight.result = this.#load(key, flight).finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight.result;
  }

  async #load(key: string, flight: Flight): Promise<CompiledLink | null> {
    for (let attempt = 1; ; attempt++) {
      flight.isOutdated = false;
      const definition = await this.options.load(key, attempt > 1);
      const isOld = definition !== null && definition.version < (this.#versions.get(definition.id) ?? 0);
      if ((flight.isOutdated || isOld) && attempt < LOADS_MAX) continue;
      const link = definition && compileLink(definition);
      if (!flight.isOutdated && !isOld) this.#keep(key, link);
      return link;
    }
  }

  #keep(key: string, link: CompiledLink | null): void {
    const now = this.options.now();
    if (link === null) {
      this.#entries.delete(key);
      put(this.#missing, key, now + MISSING_MS, MISSING_MAX);
      return;
    }
    this.#missing.delete(key);
    this.#entries.set(key, { link, loadedAt: now, isUsed: false });
    if (this.#entries.size > this.options.entriesMax) this.#evict();
  }

  /** The oldest entry not used since it was last looked at; a used one goes to the back. */
  #evict(): void {
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key);
      if (!entry.isUsed) return;
      entry.isUsed = false;
      this.#entries.set(key, entry);
    }
  }
}

/** Sets within a bound: the oldest goes. */
function put<Value>(map: Map<string, Value>, key: string, value: Value, sizeMax: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > sizeMax ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}
