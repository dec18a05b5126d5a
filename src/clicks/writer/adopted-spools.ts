/**
 * The spools that dead processes left, as the applier sees them: each is applied to its end, in turn, and then
 * reported as emptied.
 *
 * States: waiting → emptied. What the disk does not let be read is left waiting and tried again later, so that the
 * process's own spool is not held up; a spool that cannot be applied is logged once in ten minutes. A crash loses
 * nothing: the next process finds the folders again.
 */
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import { SPOOL_END } from "../spool/segment-reader";
import type { WriterReports } from "./reports";
import { GaveUpError } from "./retry";
import type { SpoolTail } from "./spool-tail";
import type { SpoolTails } from "./spool-tails";

export interface AdoptedSpoolsOptions {
  tails: Pick<SpoolTails, "open" | "confirm">;
  reports: Pick<WriterReports, "emptied" | "log">;
  /** Milliseconds until a spool that could not be applied is tried again. */
  retryMs: number;
  /** Applies all that waits in a spool. */
  applyAll(tail: SpoolTail): Promise<boolean>;
}

const FAULT_LOG_EVERY_MS = 600_000;

export class AdoptedSpools {
  readonly #options: AdoptedSpoolsOptions;
  /** When each is due, in Unix milliseconds. */
  readonly #waiting = new Map<string, number>();
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

  /** Applies those that are due. Rejects only with `GaveUpError`. */
  async apply(): Promise<void> {
    for (const [spoolId, dueAt] of this.#waiting) {
      if (dueAt > Date.now()) continue;
      try {
        await this.#applyOne(spoolId);
        this.#waiting.delete(spoolId);
      } catch (error) {
        if (error instanceof GaveUpError) throw error;
        this.#cannotApply({ spoolId, error });
        this.#waiting.set(spoolId, Date.now() + this.#options.retryMs);
      }
    }
  }

  /** An emptied spool is deleted, so Postgres must first confirm that it still has everything. */
  async #applyOne(spoolId: string): Promise<void> {
    const { tails, applyAll, reports } = this.#options;
    const tail = await tails.open(spoolId, () => SPOOL_END);
    try {
      do await applyAll(tail);
      while (!(await tails.confirm(tail)));
    } finally {
      tail.close();
    }
    reports.emptied(spoolId);
  }
}
