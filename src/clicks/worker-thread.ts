/**
 * The click worker as the main thread sees it. It is started anew a second after it ended by itself or could not start, and
 * is then told again what it had not answered. What it had under way is safe: Postgres has all of a batch or nothing.
 */
import { entryPath } from "@/platform/own-files";
import type { Log } from "@/platform/telemetry/log";
import type { AppliedBatch, FromWorker, ToWorker, WorkerCounts, WorkerSettings } from "./messages";
import type { Position } from "./spool/segment-reader";

export interface WorkerThreadOptions {
  settings: WorkerSettings;
  log: Log;
  onProgress(spoolId: string, position: Position): void;
  onEmptied(spoolId: string): void;
  onBatch?(batch: AppliedBatch): void;
}

const RESTART_AFTER_MS = 1_000;
/** Beyond the deadline it was given to close. */
const CLOSE_GRACE_MS = 2_000;

const NOTHING: WorkerCounts = { applied: 0, poisoned: 0, damagedBytes: 0 };

interface Drain {
  until: Position;
  resolve(isDrained: boolean): void;
}

export class WorkerThread {
  readonly #options: WorkerThreadOptions;
  readonly #adopted = new Set<string>();
  readonly #drains = new Map<number, Drain>();
  #drainsTotal = 0;
  #worker: Worker | undefined;
  /** A worker that is only beginning is told nothing, and all of it once it is ready: told both times, it would adopt twice. */
  #isReady = false;
  #restartTimer: Timer | undefined;
  #hasBegun = false;
  #closed: PromiseWithResolvers<void> | undefined;
  /** A worker that is not ready yet does not hear it, and is told again. */
  #closeMessage: ToWorker | undefined;
  /** Of workers that have ended, and of the one that runs. */
  #before: WorkerCounts = NOTHING;
  #current: WorkerCounts = NOTHING;
  /** Counts transactions that wrote something to Postgres. */
  batches = 0;
  lagMs = 0;
  progressedAt = Date.now();

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  get counts(): WorkerCounts {
    return sum(this.#before, this.#current);
  }

  /** There is something to do, or may be. Again, or once it is closed: changes nothing. */
  begin(): void {
    if (this.#hasBegun || this.#closed) return;
    this.#hasBegun = true;
    this.#spawn();
  }

  adopt(spoolId: string): void {
    this.begin();
    this.#adopted.add(spoolId);
    this.#tell({ type: "adopt", spoolId });
  }

  /** A worker that is only beginning has nothing to forget. */
  forget(): void {
    this.#tell({ type: "forget" });
  }

  hurry(): void {
    this.#tell({ type: "hurry" });
  }

  /** Whether everything before `until` is applied before the time is up. */
  drain(until: Position, timeoutMs: number): Promise<boolean> {
    if (!this.#hasBegun) return Promise.resolve(true);
    const request = ++this.#drainsTotal;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => this.#endDrain(request, false), timeoutMs);
    this.#drains.set(request, {
      until,
      resolve: (isDrained) => {
        clearTimeout(timer);
        resolve(isDrained);
      },
    });
    this.#tell({ type: "drain", request, until });
    return promise;
  }

  /** Lets it apply what it can in `timeoutMs`, and ends it in any case. */
  async close(until: Position, timeoutMs: number): Promise<void> {
    this.#closed = Promise.withResolvers<void>();
    clearTimeout(this.#restartTimer);
    if (!this.#worker) this.#closed.resolve();
    this.#closeMessage = { type: "close", until, deadlineAt: Date.now() + timeoutMs };
    this.#tell(this.#closeMessage);
    const timer = setTimeout(this.#closed.resolve, timeoutMs + CLOSE_GRACE_MS);
    await this.#closed.promise;
    clearTimeout(timer);
    for (const request of this.#drains.keys()) this.#endDrain(request, false);
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #spawn(): void {
    const worker = new Worker(entryPath("clickWorker"));
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#heard(data);
    worker.onerror = ({ message }) => this.#ended(worker, message);
    worker.addEventListener("close", () => this.#ended(worker, "the thread ended"));
    const start: ToWorker = { type: "start", settings: this.#options.settings };
    worker.postMessage(start);
  }

  #heard(message: FromWorker): void {
    const { log, onProgress, onEmptied, onBatch } = this.#options;
    switch (message.type) {
      case "ready":
        this.#ready();
        break;
      case "failed":
        if (this.#worker) this.#ended(this.#worker, message.message);
        break;
      case "progress":
        this.#progressed(message);
        if (message.batch) onBatch?.(message.batch);
        onProgress(message.spoolId, message.position);
        break;
      case "drained":
        this.#endDrain(message.request, true);
        break;
      case "emptied":
        this.#adopted.delete(message.spoolId);
        onEmptied(message.spoolId);
        break;
      case "closed":
        this.#closed?.resolve();
        break;
      case "log":
        log[message.level](message.message, message.fields);
        break;
      default:
        message satisfies never;
    }
  }

  #progressed({ applied, poisoned, damagedBytes, lagMs }: Extract<FromWorker, { type: "progress" }>): void {
    this.#current = { applied, poisoned, damagedBytes };
    this.batches += 1;
    this.lagMs = lagMs;
    this.progressedAt = Date.now();
  }

  #ready(): void {
    this.#isReady = true;
    for (const spoolId of this.#adopted) this.#tell({ type: "adopt", spoolId });
    for (const [request, { until }] of this.#drains) this.#tell({ type: "drain", request, until });
    if (this.#closeMessage) this.#tell(this.#closeMessage);
  }

  #ended(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#isReady = false;
    worker.terminate();
    this.#before = this.counts;
    this.#current = NOTHING;
    if (this.#closed) {
      this.#closed.resolve();
      return;
    }
    this.#options.log.error("click worker ended", { reason });
    this.#restartTimer = setTimeout(() => this.#spawn(), RESTART_AFTER_MS);
  }

  #endDrain(request: number, isDrained: boolean): void {
    const drain = this.#drains.get(request);
    this.#drains.delete(request);
    drain?.resolve(isDrained);
  }

  #tell(message: ToWorker): void {
    if (this.#isReady) this.#worker?.postMessage(message);
  }
}

const sum = (one: WorkerCounts, other: WorkerCounts): WorkerCounts => ({
  applied: one.applied + other.applied,
  poisoned: one.poisoned + other.poisoned,
  damagedBytes: one.damagedBytes + other.damagedBytes,
});
