/**
 * The click worker as seen by the main thread. If it exits on its own or cannot start, it is started again after a
 * second, and gets every request again that it had not finished. Its work in progress is safe: Postgres has all of a
 * batch or nothing.
 */
import { entryPath } from "@/platform/own-files";
import type { Log } from "@/platform/telemetry/log";
import type { AppliedBatch, FromWorker, ToWorker, WorkerCounts, WorkerSettings } from "./messages";
import type { Position } from "./spool/segment-reader";

export interface WorkerThreadOptions {
  settings: WorkerSettings;
  log: Log;
  onProgress(spoolId: string, position: Position): void;
  onKept(spoolId: string, isKept: boolean): void;
  onEmptied(spoolId: string): void;
  onBatch?(batch: AppliedBatch): void;
}

const RESTART_AFTER_MS = 1_000;
/** Added to the worker's own deadline for closing. */
const CLOSE_GRACE_MS = 2_000;

const NOTHING: WorkerCounts = { applied: 0, batches: 0, poisoned: 0, damagedBytes: 0 };

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
  /**
   * A starting worker gets no messages, and all of them once it is ready. If it got them both times, it would adopt a
   * spool twice.
   */
  #isReady = false;
  #restartTimer: Timer | undefined;
  #hasBegun = false;
  #closed: PromiseWithResolvers<void> | undefined;
  /** Kept for a worker that is not ready yet, which gets it once it is. */
  #closeMessage: ToWorker | undefined;
  /** Counts of the workers that have ended, and of the running one. */
  #before: WorkerCounts = NOTHING;
  #current: WorkerCounts = NOTHING;
  lagMs = 0;
  /** By the monotonic clock. */
  progressedAt = performance.now();

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  get counts(): WorkerCounts {
    return sum(this.#before, this.#current);
  }

  /** Starts the worker. Has no effect if it is started already, or closed. */
  begin(): void {
    if (this.#hasBegun || this.#closed) return;
    this.#hasBegun = true;
    this.#spawn();
  }

  adopt(spoolId: string): void {
    this.begin();
    this.#adopted.add(spoolId);
    this.#sendToWorker({ type: "adopt", spoolId });
  }

  /** Makes the worker drop what it cached from Postgres. A starting worker has cached nothing yet. */
  forget(): void {
    this.#sendToWorker({ type: "forget" });
  }

  retryNow(): void {
    this.#sendToWorker({ type: "hurry" });
  }

  /** Resolves to whether everything before `until` is applied within `timeoutMs`. */
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
    this.#sendToWorker({ type: "drain", request, until });
    return promise;
  }

  /** Lets the worker apply what it can within `timeoutMs`, then ends it in any case. */
  async close(until: Position, timeoutMs: number): Promise<void> {
    this.#closed = Promise.withResolvers<void>();
    clearTimeout(this.#restartTimer);
    if (!this.#worker) this.#closed.resolve();
    this.#closeMessage = { type: "close", until, deadlineAt: Date.now() + timeoutMs };
    this.#sendToWorker(this.#closeMessage);
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
    const { log, onProgress, onKept, onEmptied, onBatch } = this.#options;
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
      case "kept":
        onKept(message.spoolId, message.isKept);
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

  #progressed({ applied, batches, poisoned, damagedBytes, lagMs }: Extract<FromWorker, { type: "progress" }>): void {
    this.#current = { applied, batches, poisoned, damagedBytes };
    this.lagMs = lagMs;
    this.progressedAt = performance.now();
  }

  #ready(): void {
    this.#isReady = true;
    for (const spoolId of this.#adopted) this.#sendToWorker({ type: "adopt", spoolId });
    for (const [request, { until }] of this.#drains) this.#sendToWorker({ type: "drain", request, until });
    if (this.#closeMessage) this.#sendToWorker(this.#closeMessage);
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

  #sendToWorker(message: ToWorker): void {
    if (this.#isReady) this.#worker?.postMessage(message);
  }
}

const sum = (one: WorkerCounts, other: WorkerCounts): WorkerCounts => ({
  applied: one.applied + other.applied,
  batches: one.batches + other.batches,
  poisoned: one.poisoned + other.poisoned,
  damagedBytes: one.damagedBytes + other.damagedBytes,
});
