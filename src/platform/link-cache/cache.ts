/**
 * Caches compiled links in this process, by address. Most redirects are served from here.
 *
 * - A link that was found is an entry (`Entries`, bounded in bytes) until it changes or is evicted. An evicted entry
 *   is packed (`PackedLinks`, also bounded) and compiled again when it is next requested. An entry that is no longer
 *   fresh is reloaded in the background and served in the meantime. It is still served if reloading fails, so cached
 *   redirects survive an outage of Postgres.
 * - A distrusted entry (`distrust`) is reloaded before it is served. It stands in if that fails or takes too long; so
 *   does a distrusted link that was packed.
 * - A change of an organization distrusts the entries of its links. Each entry notices the change when it is next
 *   requested.
 * - An address without a link is remembered for some seconds (`MissingAddresses`, bounded separately).
 * - At most one load per address runs at a time (`Flights`). A version older than the newest known one
 *   (`KnownVersions`) is not cached.
 *
 * A crash loses nothing: everything here can be loaded again.
 */
import { type CompiledLink, compileLink } from "@/core/routing/compiled-link";
import type { LinkDefinition } from "@/core/routing/link";
import { steadied } from "../clock";
import { CacheRoom } from "./cache-room";
import { isAnyLinkCreated, isOfOrganization, type LinkChange } from "./changes";
import { Entries, type Entry, merged } from "./entries";
import { Flights, LOADS_MAX } from "./flights";
import { KnownVersions } from "./known-versions";
import { MissingAddresses } from "./missing-addresses";
import type { PackedLink, PackedLinks } from "./packed-links";
import { weightOf } from "./weight";

export const FRESH_MS = 60_000;
/** Background refreshes at a time; few enough to leave connections to visitors whose link must be loaded first. */
const REFRESHES_MAX = 8;
/** Milliseconds that a visitor waits for the reload of an entry that may be outdated, and of one that certainly is. */
const RECHECK_MS_MAX = 250;
const OUTDATED_RECHECK_MS_MAX = 1_000;
const RECHECK_EVERY_MS = 1_000;

export interface LinkCacheOptions {
  bytesMax: number;
  /** With `isFresh`, loads the link from the source itself, not from a shared copy. */
  load(key: string, isFresh: boolean): Promise<LinkDefinition | null>;
  now(): number;
  onRefreshFailed(error: unknown): void;
}

export interface LinkCacheStats {
  /** Compiled links, ready to be served. */
  entries: number;
  /** Packed links. Most compiled links are also packed. */
  packed: number;
  /** Estimated bytes of compiled and packed links together. */
  bytes: number;
  bytesMax: number;
  /** Addresses known to have no link. */
  missing: number;
  /** Counts since the start: lookups that found a link here, and loads from the source. */
  hits: number;
  loads: number;
}

export class LinkCache {
  #entries = new Entries();
  #distrusted = new Entries();
  #distrustedBefore = 0;
  readonly #room: CacheRoom;
  readonly #packed: PackedLinks;
  #freshMs = FRESH_MS;
  #refreshes = 0;
  #hits = 0;
  readonly #missing = new MissingAddresses();
  readonly #known = new KnownVersions();
  readonly #flights: Flights;
  readonly #steady = steadied();

  constructor(private readonly options: LinkCacheOptions) {
    this.#room = new CacheRoom(options.bytesMax);
    this.#packed = this.#room.packed;
    const keep = (key: string, link: CompiledLink | null) => this.#keep(key, link);
    this.#flights = new Flights({ load: options.load, known: this.#known, keep });
  }

  stats(): LinkCacheStats {
    const { bytesMax } = this.options;
    const entries = this.#entries.size + this.#distrusted.size;
    const bytes = this.#entries.bytes + this.#distrusted.bytes + this.#packed.bytes;
    return {
      entries,
      packed: this.#packed.size,
      bytes,
      bytesMax,
      missing: this.#missing.size,
      hits: this.#hits,
      loads: this.#flights.begun,
    };
  }

  /**
   * Returns the link if it is cached, null if the address is known to have none, and undefined if it must be loaded.
   * Never waits.
   */
  peek(key: string, now: number): CompiledLink | null | undefined {
    const entry = this.#entries.get(key);
    const at = this.#steady(now);
    if (entry === undefined) return this.#unpack(key) ?? (this.#missing.has(key, at) ? null : undefined);
    if (entry.checkedAtChange !== this.#known.organizationChanges && this.#isOutdated(key, entry)) return undefined;
    entry.isUsed = true;
    this.#hits += 1;
    if (at - entry.loadedAt > this.#freshMs) this.#refreshBehind(key, entry, at);
    return entry.link;
  }

  /** Reports whether a load of this address is under way. Another caller joins it at no extra cost to the source. */
  isLoading(key: string): boolean {
    return this.#flights.isUnderWay(key);
  }

  /** Returns the link, loading it if necessary. Rejects if the load fails and no cached entry can stand in. */
  async get(key: string): Promise<CompiledLink | null> {
    const here = this.peek(key, this.options.now());
    if (here !== undefined) return here;
    const entry = this.#standIn(key);
    if (entry === undefined) return this.#flights.joinForVisitor(key);
    return this.#hasJustFailed(entry, this.#steady(this.options.now())) ? entry.link : this.#recheck(key, entry);
  }

  /** A reload that failed before a change, or before everything was distrusted, says nothing about what came after. */
  #hasJustFailed({ recheckFailedAt, checkedAtChange }: Entry, now: number): boolean {
    const isLatest = recheckFailedAt >= this.#distrustedBefore && checkedAtChange === this.#known.organizationChanges;
    return isLatest && now - recheckFailedAt < RECHECK_EVERY_MS;
  }

  /** Applies a change. Nothing older than the version that it names is cached from then on. */
  change(change: LinkChange): void {
    if (isAnyLinkCreated(change)) this.#forgetMissing();
    else if (isOfOrganization(change)) this.#changeOrganization(change);
    else this.#changeLink(change);
  }

  #changeLink({ id, version, key }: LinkChange): void {
    this.#known.seeLink(id, version);
    this.#missing.delete(key);
    const isPast = (definition: LinkDefinition | undefined) =>
      definition !== undefined && (definition.id !== id || definition.version < version);
    for (const entries of [this.#entries, this.#distrusted]) {
      if (isPast(entries.get(key)?.link.definition)) entries.delete(key);
    }
    if (isPast(this.#packed.get(key)?.definition)) this.#packed.delete(key);
    this.#flights.outdate(key);
  }

  #changeOrganization({ id, version }: LinkChange): void {
    this.#known.seeOrganization(id, version);
    // One of its domains may now serve addresses that it did not serve before.
    this.#forgetMissing();
  }

  #forgetMissing(): void {
    this.#missing.clear();
    this.#flights.outdateAbsences();
  }

  /** Reports whether a newer version of the entry's organization is known, and if so distrusts the entry. */
  #isOutdated(key: string, entry: Entry): boolean {
    entry.checkedAtChange = this.#known.organizationChanges;
    if (this.#known.isOrganizationCurrent(entry.link.definition)) return false;
    this.#entries.delete(key);
    this.#distrusted.set(key, entry);
    return true;
  }

  /** Reports whether no later version of the organization is known. */
  isOrganizationCurrent(orgId: string, orgVersion: number): boolean {
    return this.#known.isOrganizationCurrent({ orgId, orgVersion });
  }

  /**
   * Sets how long an entry is served before it is refreshed in the background; Infinity while there is nothing to
   * load from.
   */
  freshFor(ms: number): void {
    this.#freshMs = ms;
  }

  /** Distrusts every entry, because any link may have changed: each is reloaded before it is served. */
  distrust(): void {
    this.#missing.clear();
    // What was distrusted before and has not been reloaded since can still stand in.
    this.#distrusted = merged(this.#entries, this.#distrusted);
    this.#distrustedBefore = this.#steady(this.options.now());
    this.#entries = new Entries();
    this.#flights.outdateAll();
  }

  /**
   * Begins a new epoch of the database, in which version numbers may repeat. Forgets all known versions and distrusts
   * every entry.
   */
  beginEpoch(): void {
    this.#known.forget();
    this.distrust();
  }

  /**
   * Compiles a packed link again. Returns undefined if there is none, or if it must be reloaded before it is served.
   */
  #unpack(key: string): CompiledLink | undefined {
    if (this.#distrusted.get(key) !== undefined) return undefined;
    const found = this.#packed.get(key);
    if (found === undefined || !this.#isTrusted(found)) return undefined;
    this.#hits += 1;
    return this.#makeReady(this.#entries, key, found).link;
  }

  #isTrusted({ definition, loadedAt }: PackedLink): boolean {
    return loadedAt > this.#distrustedBefore && this.#known.isOrganizationCurrent(definition);
  }

  /**
   * Returns the distrusted entry; if there is none, makes it from the packed link. All requests that wait for a reload
   * must find the same entry, because it records when a reload was last tried.
   */
  #standIn(key: string): Entry | undefined {
    const entry = this.#distrusted.get(key);
    if (entry === undefined) {
      const found = this.#packed.get(key);
      return found && this.#makeReady(this.#distrusted, key, found);
    }
    entry.isUsed = true;
    return entry;
  }

  #makeReady(entries: Entries, key: string, { definition, loadedAt, bytes }: PackedLink): Entry {
    const link = compileLink(definition);
    const checkedAtChange = this.#known.organizationChanges;
    // A distrusted entry is made only to be served. `peek`, which marks the others, does not see it.
    const isUsed = entries === this.#distrusted;
    const entry = { link, loadedAt, recheckFailedAt: 0, checkedAtChange, isUsed, isPacked: true, bytes };
    entries.set(key, entry);
    this.#room.make(this.#entries, this.#distrusted);
    return entry;
  }

  #refreshBehind(key: string, entry: Entry, now: number): void {
    if (this.#refreshes >= REFRESHES_MAX || this.#flights.size >= LOADS_MAX) return;
    entry.loadedAt = now;
    this.#refreshes++;
    this.#flights
      .join(key)
      .catch(this.options.onRefreshFailed)
      .finally(() => this.#refreshes--);
  }

  /**
   * Reloads a distrusted entry. If that fails or takes too long, the entry stands in and is not reloaded again for
   * `RECHECK_EVERY_MS`.
   */
  async #recheck(key: string, distrusted: Entry): Promise<CompiledLink | null> {
    const { now, onRefreshFailed } = this.options;
    const { organizationChanges } = this.#known;
    const isSuspicion = this.#known.isOrganizationCurrent(distrusted.link.definition);
    const msMax = isSuspicion ? RECHECK_MS_MAX : OUTDATED_RECHECK_MS_MAX;
    const outcome = await Promise.race([this.#flights.join(key), Bun.sleep(msMax)]).catch(
      (error: unknown) => void onRefreshFailed(error),
    );
    if (outcome !== undefined) return outcome;
    const here = this.peek(key, now());
    if (here !== undefined) return here;
    const entry = this.#standIn(key);
    // A change has removed it in the meantime, so a load is the only option left.
    if (entry === undefined) return this.#flights.joinForVisitor(key);
    entry.recheckFailedAt = this.#steady(this.options.now());
    entry.checkedAtChange = organizationChanges;
    return entry.link;
  }

  #keep(key: string, link: CompiledLink | null): void {
    const now = this.#steady(this.options.now());
    this.#distrusted.delete(key);
    if (link === null) {
      this.#entries.delete(key);
      this.#packed.delete(key);
      this.#missing.add(key, now);
      return;
    }
    this.#missing.delete(key);
    if (isOlder(link.definition, this.#entries.get(key)?.link.definition)) return;
    const bytes = weightOf(key, link.definition);
    const checkedAtChange = this.#known.organizationChanges;
    const entry = { link, loadedAt: now, recheckFailedAt: 0, checkedAtChange, isUsed: false, isPacked: false, bytes };
    this.#entries.set(key, entry);
    this.#room.make(this.#entries, this.#distrusted);
  }
}

/** Reports whether an outdated copy has returned an older version of the cached link. */
const isOlder = (loaded: LinkDefinition, kept: LinkDefinition | undefined): boolean =>
  kept !== undefined &&
  kept.id === loaded.id &&
  (loaded.version < kept.version || (loaded.version === kept.version && loaded.orgVersion < kept.orgVersion));
