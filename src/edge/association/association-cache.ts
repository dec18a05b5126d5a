/**
 * Caches the association files of verified domains, and their `robots.txt`, ready to be sent. `Refreshed` keeps and
 * refreshes them, so that they stay available while Postgres is not. If a change arrives during a load, it loads once
 * more. A domain without files is not cached: once the host directory has received the change, it is not requested
 * any more.
 *
 * Bounds: `BYTES_MAX` of files; `LOADS_MAX` concurrent loads. A crash loses nothing.
 */
import { appleAssociation } from "@/core/association/apple";
import { assetLinks } from "@/core/association/google";
import { robotsFile } from "@/core/association/robots";
import type { AssociationSource } from "@/core/association/source";
import type { Clock } from "@/platform/clock";
import { Refreshed } from "@/platform/refreshed";
import type { LoadAssociation } from "./association-source";

const FRESH_MS = 60_000;
const RECHECK_MS_MAX = 1_000;
const RETRY_MS = 1_000;
const TRIES_MAX = 3;
const LOADS_MAX = 100;
const BYTES_MAX = 16 * 1024 * 1024;
/** Memory of an entry in addition to its files. */
const ENTRY_BYTES = 512;

export interface AssociationFile {
  body: string;
  type: string;
  etag: string;
}

export interface AssociationFiles {
  apple: AssociationFile;
  google: AssociationFile;
  robots: AssociationFile;
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

/** More loads are in progress than the source accepts at a time. */
class TooManyAssociationLoads extends Error {
  override name = "TooManyAssociationLoads";
}

export class AssociationCache {
  readonly #files: Refreshed<AssociatedHost, AssociationFiles | null>;

  constructor({ load, clock, onLoadFailed, bytesMax = BYTES_MAX }: AssociationCacheOptions) {
    this.#files = new Refreshed({
      keyOf: ({ domainId }) => domainId,
      load: async ({ domainId }) => {
        const source = await load(domainId);
        return source && filesOf(source);
      },
      clock,
      freshMs: FRESH_MS,
      loadsMax: LOADS_MAX,
      refusal: () => new TooManyAssociationLoads(`Already loading ${LOADS_MAX} domains`),
      triesMax: TRIES_MAX,
      weightMax: bytesMax,
      weightOf: (files) => (files ? bytesOf(files) : 0),
      standIn: { waitMs: RECHECK_MS_MAX, retryMs: RETRY_MS, onLoadFailed },
    });
  }

  get bytes(): number {
    return this.#files.weight;
  }

  /** Resolves to null for a domain without files. Rejects if they are not cached and cannot be loaded. */
  of(host: AssociatedHost): Promise<AssociationFiles | null> {
    return this.#files.of(host);
  }

  /** Marks the organization's apps, domains and bio pages as changed; those of all organizations if none is given. */
  outdate(orgId?: string): void {
    this.#files.markOutdated((host) => orgId === undefined || host.orgId === orgId);
  }
}

/** Counts two bytes for each character, as text takes that is not Latin-1. */
const bytesOf = ({ apple, google, robots }: AssociationFiles): number =>
  ENTRY_BYTES + 2 * (apple.body.length + google.body.length + robots.body.length);

const filesOf = (source: AssociationSource): AssociationFiles => ({
  apple: fileOf(JSON.stringify(appleAssociation(source)), "application/json"),
  google: fileOf(JSON.stringify(assetLinks(source)), "application/json"),
  robots: fileOf(robotsFile(source), "text/plain; charset=utf-8"),
});

function fileOf(body: string, type: string): AssociationFile {
  return { body, type, etag: `"${new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 20)}"` };
}
