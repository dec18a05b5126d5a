/**
 * Reports of the writer to the main thread: how far spools are applied, which drains are done, what was set aside or
 * damaged, and log lines. Counts cover this process only and are kept in memory.
 */
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import type { AppliedBatch, FromWorker, WorkerSettings } from "../messages";
import { isBefore, type Position } from "../spool/segment-reader";
import { poisonPath, setAside, tidySetAside } from "./poison";
import type { PoisonedRecord } from "./poisoned-record";

export interface WriterReportsOptions {
  settings: Pick<WorkerSettings, "spoolId" | "spoolsFolder">;
  sendToMain(message: FromWorker): void;
}

const FAULT_LOG_EVERY_MS = 10_000;

export interface Progress {
  spoolId: string;
  position: Position;
  lagMs: number;
  /** Clicks applied since the worker started. */
  applied: number;
  /** Transactions that applied some. */
  batches: number;
  batch?: AppliedBatch;
}

export class WriterReports {
  readonly #options: WriterReportsOptions;
  #drains: { request: number; until: Position }[] = [];
  #poisoned = 0;
  #damagedBytes = 0;
  /** How far the main thread knows this process's own spool to be applied. */
  #told: Position = { segment: 0, offset: 0 };

  readonly #cannotDispose = throttleReports(FAULT_LOG_EVERY_MS, (error: unknown, unsaid) =>
    this.log("error", "cannot delete clicks that are no longer needed", { error: String(error), unsaid }),
  );

  constructor(options: WriterReportsOptions) {
    this.#options = options;
  }

  get isDraining(): boolean {
    return this.#drains.length > 0;
  }

  /** Registers a drain request, to be answered once everything before `until` is applied. */
  drain(request: number, until: Position): void {
    this.#drains.push({ request, until });
  }

  answerDrains(position: Position): void {
    const answered = this.#drains.filter(({ until }) => !isBefore(position, until));
    this.#drains = this.#drains.filter(({ until }) => isBefore(position, until));
    for (const { request } of answered) this.#options.sendToMain({ type: "drained", request });
  }

  progress({ spoolId, position, ...facts }: Progress): void {
    const { settings, sendToMain } = this.#options;
    if (spoolId === settings.spoolId) this.#told = position;
    const counts = { poisoned: this.#poisoned, damagedBytes: this.#damagedBytes };
    sendToMain({ type: "progress", ...counts, ...facts, spoolId, position });
  }

  /** Reports stretches of this process's own spool without records, which belong to no batch. */
  passedOver(progress: Progress): void {
    if (isBefore(this.#told, progress.position)) this.progress(progress);
  }

  kept(spoolId: string, isKept: boolean): void {
    this.#options.sendToMain({ type: "kept", spoolId, isKept });
  }

  emptied(spoolId: string): void {
    this.#options.sendToMain({ type: "emptied", spoolId });
  }

  damaged(spoolId: string, bytes: number): void {
    this.#damagedBytes += bytes;
    this.log("error", "spool data is damaged on disk; records may be lost", { spoolId, bytes });
  }

  /**
   * Sets records aside. If even that fails, they are lost and the loss is logged, so that the others are not held up.
   */
  setAside(records: readonly PoisonedRecord[]): void {
    const { spoolsFolder } = this.#options.settings;
    this.#poisoned += records.length;
    const { reason, detail } = records[0] ?? {};
    this.log("error", "set aside clicks that could not be applied", {
      count: records.length,
      reason,
      detail,
      file: poisonPath(spoolsFolder),
    });
    const now = new Date();
    try {
      setAside(spoolsFolder, records, now);
    } catch (error) {
      this.log("error", "could not set clicks aside", { count: records.length, error: String(error) });
    }
    this.tidySetAside(now.getTime());
  }

  /** Deletes what was set aside long ago. */
  tidySetAside(now: number): void {
    this.dispose(() => tidySetAside(this.#options.settings.spoolsFolder, now));
  }

  /** Disposes of files that are no longer needed. If that fails, it is logged, and left to the next time. */
  dispose(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#cannotDispose(error);
    }
  }

  log(level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>): void {
    this.#options.sendToMain({ type: "log", level, message, fields });
  }
}
