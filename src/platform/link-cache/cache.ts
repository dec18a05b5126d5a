/**
 * Compiled links in process, by address: what carries the redirect traffic.
 *
 * - A found link is an entry until it is changed or makes room for others (`Entries`, bounded in bytes). Then it is kept
 *   packed (`PackedLinks`, likewise), and compiled again when it is asked for. Past its freshness it is loaded again
 *   behind the answers, and goes on being served while that fails, so cached redirects outlive Postgres.
 * - Distrusted entries (`distrust`) are loaded again before the next answer; they stand in when that fails or takes long.
 * - A change of an organization distrusts the entries of its links: each notices it when it is next asked for.
 * - An address without a link is remembered for `MISSING_MS` in a bounded map of its own: probing cannot push links out.
 * - One load per address is under way at a time (`Flights`). A version older than the one known (`KnownVersions`) is not kept.
 *
 * A crash loses nothing: everything here can be loaded again.
 */
import { type CompiledLink, compileLink } from "@/core/routing/compiled-link";
import type { LinkDefinition } from "@/core/routing/link";
import { createBoundedMap } from "../bounded-map";
import { isAnyMade, isOfOrganization, type LinkChange } from "./changes";
import { Entries, type Entry } from "./entries";
import { Flights, LOADS_MAX } from "./flights";
import { KnownVersions } from "./known-versions";
import { PackedLinks } from "./packed-links";
import { weightOf } from "./weight";

export const FRESH_MS = 60_000;
export const MISSING_MS = 10_000;
const MISSING_MAX = 50_000;
/** So many of them behind answers, so that they leave connections to those who wait. */
const REFRESHES_MAX = 8;
const RECHECK_MS_MAX = 250;
const RECHECK_EVERY_MS = 1_000;
/** Of the bytes, what packed links may take; a cache that is smaller than some chunks of them has only ready ones. */
const PACKED_SHARE = 0.85;
const PACKED_FROM_BYTES = 16 * 1024 * 1024;

export interface LinkCacheOptions {
  bytesMax: number;
  /** With `isFresh`, the link comes from the source itself and not from a shared copy. */
  load(key: string, isFresh: boolean): Promise<LinkDefinition | null>;
  now(): number;
  onRefreshFailed(error: unknown): void;
}

export interface LinkCacheStats {
  /** Ready to be served. */
  entries: number;
  /** Kept packed; most of the ready ones are among them. */
  packed: number;
  /** Estimates compiled and packed links together. */
  bytes: number;
  bytesMax: number;
  /** Addresses known to have no link. */
  missing: number;
  /** Links found here, and asked of the source, since the start. */
  hits: number;
  loads: number;
}

export class LinkCache {
  #entries = new Entries();
  #distrusted = new Entries();
  #distrustedBefore = 0;
  readonly #packed: PackedLinks;
  readonly #readyMax: number;
  #freshMs = FRESH_MS;
  #refreshes = 0;
  #hits = 0;
  readonly #missing = createBoundedMap<string, number>(MISSING_MAX);
  readonly #known = new KnownVersions();
  readonly #flights: Flights;

  constructor(private readonly options: LinkCacheOptions) {
    const packedMax = options.bytesMax < PACKED_FROM_BYTES ? 0 : options.bytesMax * PACKED_SHARE;
    this.#packed = new PackedLinks(packedMax);
    this.#readyMax = options.bytesMax - packedMax;
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

  /** The link if it is here; null when it is known that there is none; undefined when it must be loaded. Never waits. */
  peek(key: string, now: number): CompiledLink | null | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return this.#unpack(key) ?? this.#peekMissing(key, now);
    if (entry.seenChanges !== this.#known.organizationChanges && this.#isOutdated(key, entry)) return undefined;
    entry.isUsed = true;
    this.#hits += 1;
    if (now - entry.loadedAt > this.#freshMs) this.#refreshBehind(key, entry, now);
    return entry.link;
  }

  /** Whether the source is being asked: one more who asks for it costs it nothing. */
  isLoading(key: string): boolean {
    return this.#flights.isUnderWay(key);
  }

  /** Rejects when neither the cache nor the source can tell. */
  async get(key: string): Promise<CompiledLink | null> {
    const here = this.peek(key, this.options.now());
    if (here !== undefined) return here;
    const entry = this.#distrusted.get(key);
    if (entry === undefined) return this.#flights.join(key);
    return this.options.now() - entry.triedAt < RECHECK_EVERY_MS ? entry.link : this.#recheck(key, entry);
  }

  /** From the version on that a change names, nothing older is kept. */
  change(change: LinkChange): void {
    if (isAnyMade(change)) this.#forgetMissing();
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
    // A domain of it may serve now what it did not.
    this.#forgetMissing();
  }

  #forgetMissing(): void {
    this.#missing.clear();
    this.#flights.outdateAbsences();
  }

  /** Whether its organization has changed; then it is distrusted. */
  #isOutdated(key: string, entry: Entry): boolean {
    entry.seenChanges = this.#known.organizationChanges;
    if (this.#known.isOrganizationCurrent(entry.link.definition)) return false;
    this.#entries.delete(key);
    this.#distrusted.set(key, entry);
    return true;
  }

  /** Whether no later version of the organization was heard of. */
  isOrganizationCurrent(orgId: string, orgVersion: number): boolean {
    return this.#known.isOrganizationCurrent({ orgId, orgVersion });
  }

  /** For so long an entry is served without being loaded again behind; Infinity while there is nothing to load from. */
  freshFor(ms: number): void {
    this.#freshMs = ms;
  }

  /** Everything may have changed: each entry is loaded again before it is served. */
  distrust(): void {
    this.#missing.clear();
    this.#distrusted = this.#entries;
    this.#distrustedBefore = this.options.now();
    this.#entries = new Entries();
    this.#flights.outdateAll();
  }

  /** Versions count on from before: what is known of them holds no more, and everything may have changed. */
  beginEpoch(): void {
    this.#known.forget();
    this.distrust();
  }

  /** Makes a packed link ready again. Undefined when there is none, or none that may be served before it is loaded. */
  #unpack(key: string): CompiledLink | undefined {
    const found = this.#packed.get(key);
    if (found === undefined) return undefined;
    const { definition, loadedAt, bytes } = found;
    const isTrusted = loadedAt > this.#distrustedBefore && this.#known.isOrganizationCurrent(definition);
    const link = compileLink(definition);
    const seenChanges = this.#known.organizationChanges;
    const entry = { link, loadedAt, triedAt: 0, seenChanges, isUsed: false, isPacked: true, bytes };
    (isTrusted ? this.#entries : this.#distrusted).set(key, entry);
    this.#makeRoom();
    if (!isTrusted) return undefined;
    this.#hits += 1;
    return link;
  }

  #peekMissing(key: string, now: number): null | undefined {
    const until = this.#missing.get(key);
    if (until === undefined) return undefined;
    if (until > now) return null;
    this.#missing.delete(key);
    return undefined;
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

  /** What is not settled in time, or at all, is served as it is known for a while. */
  async #recheck(key: string, entry: Entry): Promise<CompiledLink | null> {
    const { now, onRefreshFailed } = this.options;
    const outcome = await Promise.race([this.#flights.join(key), Bun.sleep(RECHECK_MS_MAX)]).catch(
      (error: unknown) => void onRefreshFailed(error),
    );
    if (outcome !== undefined) return outcome;
    // A change meanwhile has removed it; then there is nothing but to wait.
    if (this.#distrusted.get(key) !== entry) return this.get(key);
    entry.triedAt = now();
    return entry.link;
  }

  #keep(key: string, link: CompiledLink | null): void {
    const now = this.options.now();
    this.#distrusted.delete(key);
    if (link === null) {
      this.#entries.delete(key);
      this.#packed.delete(key);
      this.#missing.set(key, now + MISSING_MS);
      return;
    }
    this.#missing.delete(key);
    if (isOlder(link.definition, this.#entries.get(key)?.link.definition)) return;
    const bytes = weightOf(key, link.definition);
    const seenChanges = this.#known.organizationChanges;
    this.#entries.set(key, { link, loadedAt: now, triedAt: 0, seenChanges, isUsed: false, isPacked: false, bytes });
    this.#makeRoom();
  }

  #makeRoom(): void {
    const pack = (key: string, { link, loadedAt, isPacked, bytes }: Entry) => {
      if (!isPacked || !this.#packed.has(key)) this.#packed.put(key, { definition: link.definition, loadedAt, bytes });
    };
    this.#distrusted.shrink(Math.max(0, this.#readyMax - this.#entries.bytes), pack);
    this.#entries.shrink(this.#readyMax, pack);
  }
}

/** Whether a copy that is behind has brought the same link as it was before. */
const isOlder = (loaded: LinkDefinition, kept: LinkDefinition | undefined): boolean =>
  kept !== undefined &&
  kept.id === loaded.id &&
  (loaded.version < kept.version || (loaded.version === kept.version && loaded.orgVersion < kept.orgVersion));
