/**
 * The association files of verified domains, ready to be sent.
 *
 * States of a domain's files: absent → loading → current → outdated (the organization has changed, or `FRESH_MS` are past)
 * → loading. Outdated files are loaded again before they are served; they stand in when that fails or takes longer than
 * `RECHECK_MS_MAX`, and are then served as they are for `RETRY_MS`, so that they outlive Postgres. A change that arrives
 * during a load makes it load once more. That a domain has no files is not kept: it is asked for no more once the
 * directory of hosts has heard of it.
 *
 * Bounds: `BYTES_MAX` of files, the longest unused going first; one load a domain, `LOADS_MAX` in all. A crash loses
 * nothing: everything here can be loaded again.
 */
import { appleAssociation } from "@/core/association/apple";
import { assetLinks } from "@/core/association/google";
import type { AssociationSource } from "@/core/association/source";
import type { Clock } from "@/platform/clock";
import type { LoadAssociation } from "./association-source";

const FRESH_MS = 60_000;
const RECHECK_MS_MAX = 1_000;
const RETRY_MS = 1_000;
const TRIES_MAX = 3;
const LOADS_MAX = 100;
const BYTES_MAX = 16 * 1024 * 1024;
/** An entry takes this much besides its files. */
const ENTRY_BYTES = 512;
const NEVER = Number.NEGATIVE_INFINITY;

export interface AssociationFile {
  body: string;
  etag: string;
}

export interface AssociationFiles {
  apple: AssociationFile;
  google: AssociationFile;
}

export interface AssociatedHost {
  domainId: string;
  orgId: string;
}

export interface AssociationCacheOptions {
  load: LoadAssociation;
  clock: Clock;
  onLoadFailed(error: unknown): void;
  bytesMax?: number;
}

interface Entry {
  orgId: string;
  files: AssociationFiles;
  bytes: number;
  isOutdated: boolean;
  loadedAt: number;
  /** When loading it again last failed or took too long. */
  triedAt: number;
}

interface Flight {
  orgId: string;
  isOutdated: boolean;
  files: Promise<AssociationFiles | null>;
}

/** More loads are under way than the source can be asked for at once. */
class TooManyAssociationLoads extends Error {
  override name = "TooManyAssociationLoads";
}

export class AssociationCache {
  /** Maps domains to their files, the longest unused first. */
  readonly #entries = new Map<string, Entry>();
  readonly #flights = new Map<string, Flight>();
  #bytes = 0;

  constructor(private readonly options: AssociationCacheOptions) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns null for a domain without files. Rejects if they are not cached and cannot be loaded. */
  async of(host: AssociatedHost): Promise<AssociationFiles | null> {
    const entry = this.#entries.get(host.domainId);
    if (entry === undefined) return this.#fly(host);
    this.#entries.delete(host.domainId);
    this.#entries.set(host.domainId, entry);
    return this.#isDue(entry) ? this.#recheck(host, entry) : entry.files;
  }

  /** The organization's apps, domains or bio pages have changed; any organization's, when it is not named. */
  outdate(orgId?: string): void {
    for (const entry of this.#entries.values()) {
      if (orgId === undefined || entry.orgId === orgId) Object.assign(entry, { isOutdated: true, triedAt: NEVER });
    }
    for (const flight of this.#flights.values()) {
      if (orgId === undefined || flight.orgId === orgId) flight.isOutdated = true;
    }
  }

  #isDue({ isOutdated, loadedAt, triedAt }: Entry): boolean {
    const now = this.options.clock();
    return (isOutdated || now - loadedAt > FRESH_MS) && now - triedAt > RETRY_MS;
  }

  async #recheck(host: AssociatedHost, entry: Entry): Promise<AssociationFiles | null> {
    const { clock, onLoadFailed } = this.options;
    const outcome = await Promise.race([this.#fly(host), Bun.sleep(RECHECK_MS_MAX)]).catch(
      (error: unknown) => void onLoadFailed(error),
    );
    if (outcome !== undefined) return outcome;
    entry.triedAt = clock();
    return entry.files;
  }

  async #fly(host: AssociatedHost): Promise<AssociationFiles | null> {
    const under = this.#flights.get(host.domainId);
    if (under) return under.files;
    if (this.#flights.size >= LOADS_MAX) throw new TooManyAssociationLoads(`Already loading ${LOADS_MAX} domains`);
    const flight: Flight = { orgId: host.orgId, isOutdated: false, files: Promise.resolve(null) };
    this.#flights.set(host.domainId, flight);
    flight.files = this.#load(host, flight).finally(() => this.#flights.delete(host.domainId));
    return flight.files;
  }

  async #load({ domainId, orgId }: AssociatedHost, flight: Flight): Promise<AssociationFiles | null> {
    for (let attempt = 1; ; attempt++) {
      flight.isOutdated = false;
      const source = await this.options.load(domainId);
      if (flight.isOutdated && attempt < TRIES_MAX) continue;
      this.#drop(domainId);
      if (source === null) return null;
      const files = filesOf(source);
      this.#keep(domainId, { orgId, files, isOutdated: flight.isOutdated });
      return files;
    }
  }

  #keep(domainId: string, made: Pick<Entry, "orgId" | "files" | "isOutdated">): void {
    const { clock, bytesMax = BYTES_MAX } = this.options;
    // Text that is not Latin-1 takes two bytes a character.
    const bytes = ENTRY_BYTES + 2 * (made.files.apple.body.length + made.files.google.body.length);
    this.#entries.set(domainId, { ...made, bytes, loadedAt: clock(), triedAt: NEVER });
    this.#bytes += bytes;
    for (const other of this.#entries.keys()) {
      if (this.#bytes <= bytesMax) return;
      this.#drop(other);
    }
  }

  #drop(domainId: string): void {
    this.#bytes -= this.#entries.get(domainId)?.bytes ?? 0;
    this.#entries.delete(domainId);
  }
}

const filesOf = (source: AssociationSource): AssociationFiles => ({
  apple: fileOf(appleAssociation(source)),
  google: fileOf(assetLinks(source)),
});

function fileOf(content: unknown): AssociationFile {
  const body = JSON.stringify(content);
  return { body, etag: `"${new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 20)}"` };
}
