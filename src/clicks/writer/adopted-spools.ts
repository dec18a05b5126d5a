/**
 * The spools that dead processes left, as the applier sees them. Each is applied to its end, in turn. Its segments are
 * then kept for an hour, like those of the process's own spool, in case Postgres is restored to an earlier state.
 *
 * States: waiting → kept → emptied. A kept spool of which Postgres no longer has everything waits again. What the disk
 * does not let be read stays waiting and is tried again later, so that the process's own spool is not held up; a spool
 * that cannot be applied is logged once in ten minutes. Bound: all kept segments share the bytes that applied segments
 * may take. A crash loses nothing: the next process finds the folders, and how far each is applied is in Postgres.
 */
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import { deleteApplied, markApplied } from "../spool/housekeeping";
import { SPOOL_END } from "../spool/segment-reader";
import type { WriterReports } from "./reports";
import { GaveUpError } from "./retry";
import type { SpoolTail } from "./spool-tail";
import type { SpoolTails } from "./spool-tails";

export interface AdoptedSpoolsOptions {
  tails: Pick<SpoolTails, "open" | "check" | "confirm">;
  reports: Pick<WriterReports, "kept" | "emptied" | "dispose" | "log">;
  /** Milliseconds until a spool that could not be applied is tried again. */
  retryMs: number;
}

/** Applies all that waits in a spool, and returns whether there was any. */
export type ApplyAll = (tail: SpoolTail) => Promise<boolean>;

const FAULT_LOG_EVERY_MS = 600_000;

export class AdoptedSpools {
  readonly #options: AdoptedSpoolsOptions;
  /** When each is due, by the monotonic clock. */
  readonly #waiting = new Map<string, number>();
  /** The one applied last is the last. */
  readonly #kept = new Map<string, SpoolTail>();
  #isToCheck = false;
  readonly #cannotApply: (failed: { spoolId: string; error: unknown }) => void;

  constructor(options: AdoptedSpoolsOptions) {
    this.#options = options;
    this.#cannotApply = throttleReports(FAULT_LOG_EVERY_MS, ({ spoolId, error }, unsaid) =>
      options.reports.log("error", "could not apply the spool of a dead process; will try again", {
        ...{ spoolId, error: String(error), unsaid },
      }),
    );
  }

  adopt(spoolId: string): void {
    this.#waiting.set(spoolId, 0);
  }

  /** Postgres may be at an earlier state: the next `apply` checks it. */
  forget(): void {
    this.#isToCheck = true;
  }

  /** Applies those that are due. Rejects only with `GaveUpError`. */
  async apply(applyAll: ApplyAll): Promise<void> {
    if (this.#isToCheck) await this.#check();
    for (const [spoolId, dueAt] of this.#waiting) {
      if (dueAt > performance.now()) continue;
      try {
        await this.#applyOne(spoolId, applyAll);
        this.#waiting.delete(spoolId);
      } catch (error) {
        if (error instanceof GaveUpError) throw error;
        this.#cannotApply({ spoolId, error });
        this.#waiting.set(spoolId, performance.now() + this.#options.retryMs);
      }
    }
  }

  /**
   * Finds those that Postgres no longer has all of, and deletes what was kept for long enough, or exceeds
   * `keptBytesMax`.
   */
  async keepHouse(keptBytesMax: number, now: number): Promise<void> {
    await this.#check();
    let bytesLeft = keptBytesMax;
    for (const [spoolId, tail] of [...this.#kept].reverse()) {
      bytesLeft -= this.#deleteOld(spoolId, tail, bytesLeft, now);
    }
  }

  /** What is kept is deleted without another look, so Postgres must first confirm that it has everything. */
  async #applyOne(spoolId: string, applyAll: ApplyAll): Promise<void> {
    const { tails, reports } = this.#options;
    reports.kept(spoolId, false);
    const tail = await tails.open(spoolId, () => SPOOL_END);
    let hasWorked = false;
    try {
      do hasWorked = (await applyAll(tail)) || hasWorked;
      while (!(await tails.confirm(tail)));
    } finally {
      tail.close();
    }
    const now = Date.now();
    // Without work, a former process has started the hour.
    if (hasWorked) reports.dispose(() => markApplied(tail.folder, tail.applied.segment, Infinity, now));
    this.#kept.set(spoolId, tail);
    reports.kept(spoolId, true);
    reports.log("info", "applied the spool of a dead process", { spoolId });
    this.#deleteOld(spoolId, tail, Infinity, now);
  }

  async #check(): Promise<void> {
    this.#isToCheck = false;
    for (const [spoolId, tail] of this.#kept) {
      if (await this.#options.tails.check(tail)) continue;
      this.#kept.delete(spoolId);
      this.#waiting.set(spoolId, 0);
    }
  }

  /** Reports the spool as emptied if nothing of it is left, and returns the bytes that are. */
  #deleteOld(spoolId: string, { folder }: SpoolTail, keptBytesMax: number, now: number): number {
    const { reports } = this.#options;
    let bytes = 0;
    reports.dispose(() => {
      bytes = deleteApplied(folder, Infinity, keptBytesMax, now);
      if (bytes > 0) return;
      this.#kept.delete(spoolId);
      reports.emptied(spoolId);
    });
    return bytes;
  }
}
