/**
 * Brings clicks from the edge to Postgres: a spool on this thread, and a worker thread that applies it. The edge
 * hands over a record and waits only for a write to a file, whatever state Postgres or the worker is in.
 *
 * States: open → closing → closed. The worker starts with the first record, with a spool that a dead process left, or
 * after a minute (it also maintains partitions), so that startup does not wait for it. If it exits on its own, it is
 * replaced after one second. A crash of the process loses what `append` had not yet acknowledged; the next process on
 * the same folder continues where this one stopped.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Copy } from "@/platform/db/copies";
import type { Log } from "@/platform/telemetry/log";
import { databaseOf, type VisitorRotation } from "@/platform/visitor";
import { type AppliedBatch, type CommitCell, createCommitCell, type WorkerSettings } from "./messages";
import type { ClickRecord } from "./record";
import { deleteApplied } from "./spool/housekeeping";
import type { Position } from "./spool/segment-reader";
import { takesSegments } from "./spool/segment-writer";
import { Spool } from "./spool/spool";
import { segmentsOf } from "./spool/spool-folders";
import { TakenSpools } from "./spool/taken-spools";
import { WorkerThread } from "./worker-thread";

export interface ClickPipelineOptions {
  dataDir: string;
  databaseUrl: string;
  /** Path of the geolocation database. Absent: the one from the installed package. */
  geoDatabase?: string;
  /** Milliseconds between a write and its fsync; 0 leaves syncing to the operating system. */
  fsyncMs: number;
  /** Unapplied bytes from which on clicks are shed. */
  spoolBytesMax: number;
  visitorSecret: Uint8Array;
  visitorRotation: VisitorRotation;
  /** The service's own origin, for the short URLs in webhooks. Absent: http://localhost. */
  baseUrl?: string;
  /**
   * Milliseconds between looks for spools that dead processes left, and until one that could not be applied is tried
   * again. Tests shorten it.
   */
  adoptEveryMs?: number;
  /** Milliseconds within which closing applies what Postgres takes: ten seconds. Tests extend it. */
  closeMsMax?: number;
  /** Called for each batch that is committed in Postgres. */
  onBatch?(batch: AppliedBatch): void;
  log: Log;
}

export interface ClickPipelineStats {
  appended: number;
  shed: number;
  applied: number;
  /** Records set aside because they could not be applied. */
  poisoned: number;
  /** Bytes of spool data that the disk corrupted or lost. */
  damagedBytes: number;
  /** Transactions that wrote clicks or opens. */
  batches: number;
  pendingBytes: number;
  /**
   * Milliseconds from the oldest click of a batch to its commit. While nothing goes through, the time since something
   * last did.
   */
  lagMs: number;
  /**
   * Whether the disk refused the latest record, and still takes none; or refused one in the last ten seconds: a full one
   * takes some again and again, in the room of what is applied.
   */
  isBlocked: boolean;
}

export interface ClickPipeline extends Copy {
  /**
   * Resolves to true once the record would survive a crash of this process, to false if it was shed. Never rejects.
   */
  append(record: ClickRecord): Promise<boolean>;
  /** Postgres is reachable again: retries pending work immediately. */
  retryNow(): void;
  /** Resolves to whether everything appended so far reaches Postgres within `timeoutMs`. */
  drain(timeoutMs?: number): Promise<boolean>;
  /**
   * Flushes, applies what Postgres takes within `closeMsMax`, and releases the spool. Calling it again has no effect.
   */
  close(): Promise<void>;
  stats(): ClickPipelineStats;
}

const DRAIN_MS_MAX = 30_000;
const CLOSE_MS_MAX = 10_000;
/** Processes that share the folder may die while this one runs. */
const ADOPT_EVERY_MS = 60_000;
const FAULT_LOG_EVERY_MS = 10_000;
/** How often the disk is tried after a fault, while no record shows that it works again. */
const PROBE_EVERY_MS = 5_000;
const FAULT_SHOWN_MS = 10_000;
const IDLE_LOOK_EVERY_MS = 250;
/** Longer than the usual time between batches. */
const STUCK_MS = 1_000;
/** The share of `spoolBytesMax` that applied segments may take in addition. */
const KEPT_SHARE = 0.25;

/** Returns immediately. Throws if the folder cannot be used. */
export function startClickPipeline(options: ClickPipelineOptions): ClickPipeline {
  const spoolsFolder = join(options.dataDir, "spool");
  mkdirSync(spoolsFolder, { recursive: true, mode: 0o700 });
  return new Pipeline(options, spoolsFolder);
}

class Pipeline implements ClickPipeline {
  readonly #options: ClickPipelineOptions;
  readonly #spoolsFolder: string;
  readonly #spools: TakenSpools;
  readonly #committed: CommitCell = createCommitCell();
  readonly #spool: Spool;
  readonly #worker: WorkerThread;
  /** Segments with lower sequence numbers are in Postgres. */
  #appliedBefore = 0;
  /** These times are by the monotonic clock. */
  #faultLoggedAt = Number.NEGATIVE_INFINITY;
  #faultAt = Number.NEGATIVE_INFINITY;
  /** When the disk was last tried, or refused a record; undefined if it works. */
  #refusedAt: number | undefined;
  #appendedAtFault = -1;
  /** When the spool was last seen with nothing to apply; whatever waits now arrived later. */
  #idleAt = performance.now();
  readonly #idleTimer: Timer;
  readonly #adoptTimer: Timer;
  #closing: Promise<void> | undefined;

  constructor(options: ClickPipelineOptions, spoolsFolder: string) {
    const { log } = options;
    this.#options = options;
    this.#spoolsFolder = spoolsFolder;
    this.#spools = new TakenSpools({ spoolsFolder, database: databaseOf(options.visitorSecret), log });
    const { own } = this.#spools;
    const segmentsBefore = segmentsOf(own);
    const sequenceBefore = segmentsBefore.at(-1)?.sequence ?? 0;
    // What is there already was left by a dead process, so its segments are complete.
    this.#committed.set(sequenceBefore + 1, 0);
    this.#spool = new Spool({
      folder: own.path,
      sequenceBefore,
      segmentsBefore,
      bytesMax: options.spoolBytesMax,
      fsyncMs: options.fsyncMs,
      onCommit: this.#committed.set,
      onFault: (fault) => this.#faulted(fault),
    });
    this.#worker = new WorkerThread({
      settings: this.#workerSettings(),
      log,
      onBatch: options.onBatch,
      onProgress: (spoolId, position) => spoolId === own.id && this.#progressed(position),
      onKept: (spoolId, isKept) => this.#spools.kept(spoolId, isKept),
      onEmptied: (spoolId) => this.#spools.emptied(spoolId),
    });
    if (segmentsBefore.length > 0) this.#worker.begin();
    this.#adoptAbandoned();
    this.#adoptTimer = setInterval(() => {
      this.#worker.begin();
      this.#adoptAbandoned();
    }, options.adoptEveryMs ?? ADOPT_EVERY_MS);
    this.#adoptTimer.unref();
    this.#idleTimer = setInterval(() => {
      this.#noteIdle();
      this.#probe();
    }, IDLE_LOOK_EVERY_MS);
    this.#idleTimer.unref();
  }

  forget(): void {
    this.#worker.forget();
  }

  retryNow(): void {
    this.#worker.retryNow();
  }

  append(record: ClickRecord): Promise<boolean> {
    const appended = this.#spool.append(record);
    this.#worker.begin();
    return appended;
  }

  async drain(timeoutMs = DRAIN_MS_MAX): Promise<boolean> {
    if (this.#closing) return this.#spool.stats().pendingBytes === 0;
    await this.#spool.written();
    return this.#worker.drain(this.#committed.get(), timeoutMs);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  stats(): ClickPipelineStats {
    const { appended, shed, pendingBytes } = this.#spool.stats();
    const { counts, lagMs, progressedAt } = this.#worker;
    const now = performance.now();
    const stuckMs = now - Math.max(progressedAt, this.#idleAt);
    // What waits now came after the last batch if nothing waited since.
    const lagOfOthersMs = this.#idleAt >= progressedAt ? 0 : lagMs;
    const currentLagMs = pendingBytes === 0 ? 0 : Math.max(lagOfOthersMs, stuckMs > STUCK_MS ? stuckMs : 0);
    const takesNone = this.#refusedAt !== undefined && appended === this.#appendedAtFault;
    const isBlocked = takesNone || now - this.#faultAt < FAULT_SHOWN_MS;
    return { appended, shed, ...counts, pendingBytes, lagMs: Math.max(0, currentLagMs), isBlocked };
  }

  async #shut(): Promise<void> {
    clearInterval(this.#adoptTimer);
    clearInterval(this.#idleTimer);
    await this.#spool.close();
    await this.#worker.close(this.#committed.get(), this.#options.closeMsMax ?? CLOSE_MS_MAX);
    this.#spools.release(this.#spool.stats().pendingBytes === 0);
  }

  #workerSettings(): WorkerSettings {
    const { databaseUrl, geoDatabase, visitorSecret, visitorRotation, baseUrl, spoolBytesMax } = this.#options;
    const { adoptEveryMs = ADOPT_EVERY_MS } = this.#options;
    return {
      databaseUrl,
      geoDatabase,
      visitorSecret,
      visitorRotation,
      baseUrl,
      spoolsFolder: this.#spoolsFolder,
      spoolId: this.#spools.own.id,
      committed: this.#committed.shared,
      adoptEveryMs,
      keptBytesMax: spoolBytesMax * KEPT_SHARE,
    };
  }

  #adoptAbandoned(): void {
    for (const spoolId of this.#spools.look()) this.#worker.adopt(spoolId);
  }

  #progressed({ segment, offset }: Position): void {
    this.#appliedBefore = segment;
    this.#spool.settle(segment, offset);
    this.#noteIdle();
  }

  #noteIdle(): void {
    if (this.#spool.stats().pendingBytes === 0) this.#idleAt = performance.now();
  }

  #probe(): void {
    const now = performance.now();
    if (this.#refusedAt === undefined || now - this.#refusedAt < PROBE_EVERY_MS) return;
    this.#refusedAt = takesSegments(this.#spools.own.path) ? undefined : now;
  }

  #faulted(fault: Error): void {
    const now = performance.now();
    this.#faultAt = now;
    this.#refusedAt = now;
    this.#appendedAtFault = this.#spool.stats().appended;
    this.#makeRoom(Date.now());
    if (now - this.#faultLoggedAt < FAULT_LOG_EVERY_MS) return;
    this.#faultLoggedAt = now;
    this.#options.log.error("cannot write clicks to the spool", { error: fault, shed: this.#spool.stats().shed });
  }

  /** Deletes applied segments, which are kept only as a precaution, in case the disk is full. */
  #makeRoom(now: number): void {
    this.#dispose(() => deleteApplied(this.#spools.own.path, this.#appliedBefore, 0, now));
    this.#dispose(() => this.#spools.deleteKept(now));
  }

  #dispose(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.log.error("cannot delete applied clicks from the spool", { error });
    }
  }
}
