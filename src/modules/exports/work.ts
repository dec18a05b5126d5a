/**
 * Writes archives, a part at a time. States of an archive: queued → running → done or failed. A worker leases the
 * archive, and renews the lease with each part and while it writes one, for `PART_MS_MAX` at most: two workers that need
 * longer than the lease would otherwise begin the same part in turns. A part written without the lease is not stored. A
 * part that fails, or whose process dies, is retried once the lease expires; after `ATTEMPTS_MAX` attempts at one part the
 * archive fails. An archive that another version began is left to its servers for a while, and then begun anew. Bounds:
 * `BYTES_MAX` per archive, one archive at a time per process, for `SLICE_MS`: then those of other organizations have their
 * turn. A crash loses the current part.
 */
import { EXPORT_KEPT_DAYS } from "@/contract/accounts/exports";
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import {
  ARCHIVE_START,
  type ArchiveLines,
  type ArchiveOptions,
  type ArchivePart,
  type ArchivePlace,
  writeArchivePart,
} from "@/platform/archive/write";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { levelOfFailure } from "@/platform/db/faults";
import type { Log } from "@/platform/telemetry/log";
import * as store from "./store";

const ATTEMPTS_MAX = 5;
const BYTES_MAX = 4 * 1024 ** 3;
const SLICE_MS = 20_000;
const RENEW_EVERY_MS = 20_000;
/** Then another worker may try, since this one may be stuck. */
const PART_MS_MAX = 15 * 60_000;

export interface ExportWorkOptions {
  db: Drizzle;
  archives: ArchiveReader;
  clock: Clock;
  log: Log;
  /** For tests. */
  bytesMax?: number;
  sliceMs?: number;
  renewEveryMs?: number;
  holder?: string;
}

/** Reads the contents of an archive. */
export interface ArchiveReader {
  readPart(orgId: OrgId, startedAt: number, place: ArchivePlace): Promise<ArchivePart>;
}

export interface ArchiveReaderOptions extends Pick<ArchiveOptions, "sql"> {
  /** Returns what the archive contains besides the tables. */
  alsoOf(orgId: OrgId): ArchiveLines[];
}

export const createArchiveReader = ({ sql, alsoOf }: ArchiveReaderOptions): ArchiveReader => ({
  readPart: (orgId, startedAt, place) => writeArchivePart({ sql, orgId, startedAt, also: alsoOf(orgId) }, place),
});

export function createExportWork(options: ExportWorkOptions) {
  const { db, archives, clock, log, holder = crypto.randomUUID() } = options;
  const { bytesMax = BYTES_MAX, sliceMs = SLICE_MS, renewEveryMs = RENEW_EVERY_MS } = options;
  return {
    finish,
    deleteExpired: (now: number) => store.deleteExpiredExports(db, new Date(now)),

    /**
     * Works on the archive that has waited longest, until it is done, its turn is over or `signal` aborts. Returns
     * false if there is none that nobody is working on.
     */
    async workOff(signal: AbortSignal): Promise<boolean> {
      const claimed = await store.claimExport(db, holder);
      if (!claimed) return false;
      if (claimed.attempts > ATTEMPTS_MAX) return fail(claimed, FAILED).then(() => true);
      try {
        await finish(claimed, signal);
      } catch (error) {
        log[levelOfFailure(error)]("could not write an export, will retry", { error, exportId: claimed.id });
        await store.releaseExport(db, claimed, holder);
      }
      return true;
    },
  };

  async function finish(claimed: store.ExportRow, signal: AbortSignal): Promise<void> {
    const until = performance.now() + sliceMs;
    for (let row: store.ExportRow | undefined = claimed; row?.status === "running"; ) {
      if (signal.aborted) break;
      if (row.bytes > bytesMax) return fail(row, TOO_LARGE);
      row = await writeNext(row);
      if (performance.now() > until) break;
    }
    await store.leaveExport(db, claimed, holder);
  }

  /** Returns undefined if another worker has taken over the archive, or it was deleted. */
  async function writeNext(row: store.ExportRow): Promise<store.ExportRow | undefined> {
    const { orgId, createdAt, counts } = row;
    const renew = () =>
      store.renewExport(db, row, holder).catch((error) => log.warn("could not renew an export", { error }));
    const part = await repeating(renew, renewEveryMs, () =>
      archives.readPart(orgId as OrgId, createdAt.getTime(), row.place ?? ARCHIVE_START),
    );
    const { bytes, name, rows, expiredClicks, next } = part;
    const progress: store.ExportProgress = {
      place: next ?? null,
      counts: counted(counts, name, rows),
      ...(expiredClicks && { expiredClicks }),
      ...(!next && { status: "done" as const, ...until(clock()) }),
    };
    return db.transaction((tx) => store.savePart(tx, row, holder, bytes, progress));
  }

  async function fail(row: store.ExportRow, error: string): Promise<void> {
    await db.transaction(async (tx) => {
      const isOurs = await store.releaseExport(tx, row, holder, {
        ...{ status: "failed", error, place: null },
        ...until(clock()),
      });
      // Otherwise, the parts are those of the worker that has taken over.
      if (isOurs) await store.deleteParts(tx, row.id);
    });
  }
}

/** Renews until the work is done, for `PART_MS_MAX` at most. */
async function repeating<Result>(renew: () => unknown, everyMs: number, work: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + PART_MS_MAX;
  const timer = setInterval(() => (performance.now() > until ? clearInterval(timer) : renew()), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

const until = (now: number) => ({ finishedAt: new Date(now), expiresAt: new Date(now + EXPORT_KEPT_DAYS * DAY_MS) });

/** The archive contains links twice, as rows and in a format of their own; only the rows are counted. */
function counted(counts: Record<string, number>, name: string, rows: number): Record<string, number> {
  const [, table] = /^tables\/(\w+)$/.exec(name) ?? [];
  return table && rows > 0 ? { ...counts, [table]: (counts[table] ?? 0) + rows } : counts;
}

const FAILED = "The archive could not be written; try again";
const TOO_LARGE =
  "The archive is larger than 4 GB; export clicks with analytics/clicks/export.csv, or ask the operator for an archive";
