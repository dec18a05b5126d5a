/**
 * Brings batches into Postgres, whatever it takes: tries again while Postgres is away, and where it refuses a batch for
 * its data, halves it until the record is found that is to blame. A record that is there already, since a copy of the
 * spool was applied by another process, is left out, and so is one that was erased. Counts what it has done.
 */
import type { VisitorSecret } from "@/platform/visitor";
import { BATCH_STEPS, type Batch, OffsetMovedError, type Step, writeBatch } from "./batch";
import { type ClickDatabase, isDataFault } from "./click-database";
import { ErasedVisitsError, refuseErased } from "./erased-visits";
import type { FigureStore } from "./figures";
import type { PoisonedRecord } from "./poison";
import { encodeRecord } from "./record";
import { readSpool } from "./registration";
import { retry } from "./retry";
import type { Position } from "./segment-reader";
import { appliedIn, without } from "./without-applied";

export interface BatchWriterOptions {
  database: ClickDatabase;
  figures: FigureStore;
  /** Erased visits are known by hashes made with it. */
  visitorSecret: VisitorSecret;
  /** Aborted when there is no more time to try. */
  signal: AbortSignal;
  onPoison(records: readonly PoisonedRecord[]): void;
  onFailure(error: unknown): void;
  /** For tests. */
  steps?: readonly Step[];
}

const UNIQUE_VIOLATION = "23505";

type Outcome = { applied: number } | "moved" | { refusal: Error };

export class BatchWriter {
  applied = 0;
  readonly #options: BatchWriterOptions;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
  }

  /**
   * Where the spool stands afterwards: at the batch's end, or wherever somebody else has moved it. Undefined where it is
   * not ours any more, or unknown to Postgres: it is to be registered again. Rejects with `GaveUpError` alone.
   */
  async apply(batch: Batch): Promise<Position | undefined> {
    if (await this.#applyWhole(batch)) return batch.to;
    const { id, incarnation } = batch.spool;
    const row = await this.#retry(() => this.#options.database.inTime(() => readSpool(this.#options.database, id)));
    if (row?.incarnation !== incarnation) return undefined;
    // A commit may have arrived whose answer did not.
    const { segment, offset } = row.applied;
    if (segment === batch.to.segment && offset === batch.to.offset) this.applied += batch.clicks.length;
    return row.applied;
  }

  /** False when the spool was not where the batch begins. */
  async #applyWhole(batch: Batch): Promise<boolean> {
    const outcome = await this.#retry(() => this.#tryOnce(batch));
    if (outcome === "moved") return false;
    if ("refusal" in outcome) return this.#applyParts(batch, outcome.refusal);
    this.applied += outcome.applied;
    return true;
  }

  async #applyParts(batch: Batch, refusal: Error): Promise<boolean> {
    const { clicks } = batch;
    const middle = clicks[Math.ceil(clicks.length / 2) - 1];
    if (!middle) throw refusal;
    if (clicks.length === 1) {
      this.#options.onPoison([{ reason: "refused", line: encodeRecord(middle.record), detail: refusal.message }]);
      return this.#applyWhole({ ...batch, clicks: [] });
    }
    const count = Math.ceil(clicks.length / 2);
    const first = { ...batch, to: middle.end, clicks: clicks.slice(0, count) };
    const second = { ...batch, from: middle.end, clicks: clicks.slice(count) };
    return (await this.#applyWhole(first)) && (await this.#applyWhole(second));
  }

  async #tryOnce(batch: Batch): Promise<Outcome> {
    const { database, figures, visitorSecret, steps = BATCH_STEPS } = this.#options;
    const refuse: Step = (tx, { clicks }) => refuseErased(tx, visitorSecret, clicks);
    try {
      await writeBatch(database, figures, batch, [...steps, refuse]);
      return { applied: batch.clicks.length };
    } catch (error) {
      figures.forget();
      if (error instanceof OffsetMovedError) return "moved";
      if (error instanceof ErasedVisitsError) return this.#tryOnce(without(batch, error.ids));
      if (!isDataFault(error)) throw error;
      const rest = error.code === UNIQUE_VIOLATION ? without(batch, await appliedIn(database, batch)) : batch;
      return rest.clicks.length < batch.clicks.length ? this.#tryOnce(rest) : { refusal: error };
    }
  }

  #retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
    return retry(attempt, this.#options.signal, this.#options.onFailure);
  }
}
