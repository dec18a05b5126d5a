/**
 * Clicks from the edge to Postgres: a spool on this thread, and a worker thread that applies it. The edge hands over a
 * record and awaits a write to a file, nothing else; whatever becomes of Postgres or of the worker, it goes on.
 *
 * States: open → closing → closed. The worker begins with the first record, with what dead processes left, or after a
 * minute, since it also sees to partitions: a start does without it. One that ends by itself is replaced after a second. A crash of the process loses
 * what `append` had not answered yet; the next process on the same folder goes on where this one was.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Copy } from "@/platform/db/copies";
import type { Log } from "@/platform/telemetry/log";
import type { VisitorRotation } from "@/platform/visitor";
import { type AppliedBatch, type CommitCell, createCommitCell, type WorkerSettings } from "./messages";
import type { ClickRecord } from "./record";
import { deleteApplied } from "./spool/housekeeping";
import type { Position } from "./spool/segment-reader";
import { Spool } from "./spool/spool";
import {
  claimAbandoned,
  createSpoolFolder,
  removeSpoolFolder,
  type SpoolFolder,
  segmentsOf,
} from "./spool/spool-folders";
import { WorkerThread } from "./worker-thread";

export interface ClickPipelineOptions {
  dataDir: string;
  databaseUrl: string;
  /** Absent: the one that comes as a package. */
  geoDatabase?: string;
  /** Between a write and its sync to the disk; 0 leaves that to the system. */
  fsyncMs: number;
  /** Unapplied bytes past which clicks are shed. */
  spoolBytesMax: number;
  visitorSecret: Uint8Array;
  visitorRotation: VisitorRotation;
  /** The service's own origin, for the short URLs that webhooks tell; absent: http://localhost. */
  baseUrl?: string;
  /** Told of each batch that is in Postgres. */
  onBatch?(batch: AppliedBatch): void;
  log: Log;
}

export interface ClickPipelineStats {
  appended: number;
  shed: number;
  applied: number;
  /** Set aside, since they could not be applied. */
  poisoned: number;
  /** Of spools, which the disk did not keep. */
  damagedBytes: number;
  /** Counts transactions that wrote something to Postgres. */
  batches: number;
  pendingBytes: number;
  /** From the oldest click of a batch to its row; while Postgres is away, since when nothing went through. */
  lagMs: number;
  /** Whether the disk took no record when it was last asked, a moment ago. */
  isBlocked: boolean;
}

export interface ClickPipeline extends Copy {
  /** True once the record survives the process, false when it was shed. Never rejects. */
  append(record: ClickRecord): Promise<boolean>;
  /** Postgres was away, and is back: what waits for it is tried at once. */
  hurry(): void;
  /** Whether everything appended so far is in Postgres before the time is up. */
  drain(timeoutMs?: number): Promise<boolean>;
  /** Flushes, applies what Postgres takes within ten seconds, and lets the spool go. Calling it again changes nothing. */
  close(): Promise<void>;
  stats(): ClickPipelineStats;
}

const DRAIN_MS_MAX = 30_000;
const CLOSE_MS_MAX = 10_000;
/** Processes that share the folder may die while this one lives. */
const ADOPT_EVERY_MS = 60_000;
const FAULT_LOG_EVERY_MS = 10_000;
/** After a fault, while no record came that could show that the disk takes them again. */
const BLOCKED_MS = 10_000;
const IDLE_LOOK_EVERY_MS = 250;
/** Longer than ordinary batches are apart. */
const STUCK_MS = 1_000;
/** Share of the bound that applied segments may take. */
const KEPT_SHARE = 0.25;

/** Waits for nobody. Throws when the folder cannot be used. */
export function startClickPipeline(options: ClickPipelineOptions): ClickPipeline {
  const spoolsFolder = join(options.dataDir, "spool");
  mkdirSync(spoolsFolder, { recursive: true, mode: 0o700 });
  const own = claimAbandoned(spoolsFolder, new Set(), 1)[0] ?? createSpoolFolder(spoolsFolder);
  return new Pipeline(options, spoolsFolder, own);
}

class Pipeline implements ClickPipeline {
  readonly #options: ClickPipelineOptions;
  readonly #spoolsFolder: string;
  readonly #own: SpoolFolder;
  readonly #adopted = new Map<string, SpoolFolder>();
  readonly #committed: CommitCell = createCommitCell();
  readonly #spool: Spool;
  readonly #worker: WorkerThread;
  /** Segments of lower sequences are in Postgres. */
  #appliedBefore = 0;
  #faultLoggedAt = 0;
  #faultedAt = 0;
  #appendedAtFault = -1;
  /** When nothing was waiting: what waits came after it. */
  #idleAt = Date.now();
  readonly #idleTimer: Timer;
  readonly #adoptTimer: Timer;
  #closing: Promise<void> | undefined;

  constructor(options: ClickPipelineOptions, spoolsFolder: string, own: SpoolFolder) {
    this.#options = options;
    this.#spoolsFolder = spoolsFolder;
    this.#own = own;
    const segmentsBefore = segmentsOf(own);
    const sequenceBefore = segmentsBefore.at(-1)?.sequence ?? 0;
    // Whatever is there already was left by a dead process: it is complete, as far as it goes.
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
      log: options.log,
      onBatch: options.onBatch,
      onProgress: (spoolId, position) => spoolId === own.id && this.#progressed(position),
      onEmptied: (spoolId) => this.#emptied(spoolId),
    });
    if (segmentsBefore.length > 0) this.#worker.begin();
    this.#adoptAbandoned();
    this.#adoptTimer = setInterval(() => {
      this.#worker.begin();
      this.#adoptAbandoned();
    }, ADOPT_EVERY_MS);
    this.#adoptTimer.unref();
    this.#idleTimer = setInterval(() => this.#noteIdle(), IDLE_LOOK_EVERY_MS);
    this.#idleTimer.unref();
  }

  forget(): void {
    this.#worker.forget();
  }

  hurry(): void {
    this.#worker.hurry();
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
    const { counts, batches, lagMs, progressedAt } = this.#worker;
    const now = Date.now();
    const stuckMs = now - Math.max(progressedAt, this.#idleAt);
    const currentLagMs = pendingBytes === 0 ? 0 : Math.max(lagMs, stuckMs > STUCK_MS ? stuckMs : 0);
    const isBlocked = appended === this.#appendedAtFault && now - this.#faultedAt < BLOCKED_MS;
    return { appended, shed, ...counts, batches, pendingBytes, lagMs: Math.max(0, currentLagMs), isBlocked };
  }

  async #shut(): Promise<void> {
    clearInterval(this.#adoptTimer);
    clearInterval(this.#idleTimer);
    await this.#spool.close();
    await this.#worker.close(this.#committed.get(), CLOSE_MS_MAX);
    for (const { lock } of [this.#own, ...this.#adopted.values()]) lock.release();
  }

  #workerSettings(): WorkerSettings {
    const { databaseUrl, geoDatabase, visitorSecret, visitorRotation, baseUrl, spoolBytesMax } = this.#options;
    return {
      databaseUrl,
      geoDatabase,
      visitorSecret,
      visitorRotation,
      baseUrl,
      spoolsFolder: this.#spoolsFolder,
      spoolId: this.#own.id,
      committed: this.#committed.shared,
      keptBytesMax: spoolBytesMax * KEPT_SHARE,
    };
  }

  #adoptAbandoned(): void {
    for (const folder of claimAbandoned(this.#spoolsFolder, new Set([this.#own.id, ...this.#adopted.keys()]))) {
      this.#options.log.info("adopted the spool of a dead process", { spoolId: folder.id });
      this.#adopted.set(folder.id, folder);
      this.#worker.adopt(folder.id);
    }
  }

  #emptied(spoolId: string): void {
    const folder = this.#adopted.get(spoolId);
    if (folder) removeSpoolFolder(folder);
    this.#adopted.delete(spoolId);
  }

  #progressed({ segment, offset }: Position): void {
    this.#appliedBefore = segment;
    this.#spool.settle(segment, offset);
  }

  #noteIdle(): void {
    if (this.#spool.stats().pendingBytes === 0) this.#idleAt = Date.now();
  }

  #faulted(fault: Error): void {
    const now = Date.now();
    this.#faultedAt = now;
    this.#appendedAtFault = this.#spool.stats().appended;
    this.#makeRoom(now);
    if (now - this.#faultLoggedAt < FAULT_LOG_EVERY_MS) return;
    this.#faultLoggedAt = now;
    this.#options.log.error("cannot write clicks to the spool", { error: fault, shed: this.#spool.stats().shed });
  }

  /** Where the disk is full, what was kept although it is applied goes first. */
  #makeRoom(now: number): void {
    try {
      deleteApplied(this.#own.path, this.#appliedBefore, 0, now);
    } catch (error) {
      this.#options.log.error("cannot delete applied clicks from the spool", { error });
    }
  }
}
