/**
 * Brings batches into Postgres, whatever it takes: tries again while Postgres is away, and where it refuses a batch for
 * its data, halves it until the record is found that is to blame. What takes too long is halved as well, since a backlog of
 * many links that nobody had in memory can take Postgres longer than it is waited for. A record that is there already, since a copy of the
 * spool was applied by another process, is left out, and so is one that was erased. Counts what it has done.
 */

import type { FigureStore } from "@/figures/write/figure-store";
import type { VisitorSecret } from "@/platform/visitor";
import { ErasedVisitsError, refuseErased } from "../erased-visits";
import { encodeRecord } from "../record";
import type { Position } from "../spool/segment-reader";
import { BATCH_STEPS, type Batch, type BatchStep, OffsetMovedError, writeBatch } from "./batch";
import { type ClickDatabase, isDataFault, mayBeApplied, TookTooLongError } from "./click-database";
import type { PoisonedRecord } from "./poison";
import { readSpool } from "./registration";
import type { Retries } from "./retry";
import { appliedIn, without } from "./without-applied";

export interface BatchWriterOptions {
  database: ClickDatabase;
  figures: FigureStore;
  /** Erased visits are known by hashes made with it. */
  visitorSecret: VisitorSecret;
  retries: Pick<Retries, "run">;
  onFailure(error: unknown): void;
  onPoison(records: readonly PoisonedRecord[]): void;
  /** For tests. */
  steps?: readonly BatchStep[];
}

/** Parts that go through as quickly as this, beside their round trips, grow again. */
const QUICK_MS = 1_000;
const ROUND_TRIPS = 4;

type Outcome = { applied: number } | "moved" | "tooLong" | { refusal: Error };

export class BatchWriter {
  applied = 0;
  readonly #options: BatchWriterOptions;
  /** In one transaction; bounded once one took too long. */
  #clicksMax = Number.POSITIVE_INFINITY;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
  }

  /**
   * Where the spool stands afterwards: at the batch's end, or wherever somebody else has moved it. Undefined where it is
   * not ours any more, or unknown to Postgres: it is to be registered again. Rejects with `GaveUpError` alone.
   */
  async apply(batch: Batch): Promise<Position | undefined> {
    const before = this.applied;
    if (await this.#applyWhole(batch)) return batch.to;
    const { id, incarnation } = batch.spool;
    const row = await this.#options.retries.run(() =>
      this.#options.database.inTime(() => readSpool(this.#options.database, id)),
    );
    if (row?.incarnation !== incarnation) return undefined;
    // A commit may have arrived whose answer did not.
    const { segment, offset } = row.applied;
    if (segment === batch.to.segment && offset === batch.to.offset) this.applied = before + batch.clicks.length;
    return row.applied;
  }

  /** False when the spool was not where the batch begins. */
  async #applyWhole(batch: Batch): Promise<boolean> {
    if (batch.clicks.length > this.#clicksMax) return this.#applyHalves(batch);
    const startedAt = performance.now();
    const outcome = await this.#options.retries.run(() => this.#tryOnce(batch));
    if (outcome === "moved") return false;
    if (outcome === "tooLong") return this.#applyHalves(batch);
    if ("refusal" in outcome) return this.#applyRefused(batch, outcome.refusal);
    this.applied += outcome.applied;
    const lineMs = ROUND_TRIPS * this.#options.database.roundTripMs;
    const isQuick = performance.now() - startedAt < QUICK_MS + lineMs;
    if (isQuick && batch.clicks.length * 2 > this.#clicksMax) this.#clicksMax *= 2;
    return true;
  }

  #applyRefused(batch: Batch, refusal: Error): Promise<boolean> {
    const [click, ...others] = batch.clicks;
    if (!click) throw refusal;
    if (others.length > 0) return this.#applyHalves(batch);
    this.#options.onPoison([{ reason: "refused", line: encodeRecord(click.record), detail: refusal.message }]);
    return this.#applyWhole({ ...batch, clicks: [] });
  }

  async #applyHalves(batch: Batch): Promise<boolean> {
    const { clicks } = batch;
    const count = Math.ceil(clicks.length / 2);
    const middle = clicks[count - 1];
    if (!middle) return this.#applyWhole(batch);
    const first = { ...batch, to: middle.end, clicks: clicks.slice(0, count) };
    const second = { ...batch, from: middle.end, clicks: clicks.slice(count) };
    return (await this.#applyWhole(first)) && (await this.#applyWhole(second));
  }

  async #tryOnce(batch: Batch): Promise<Outcome> {
    const { database, figures, visitorSecret, steps = BATCH_STEPS } = this.#options;
    const refuse: BatchStep = async (tx, { clicks, asked }) => {
      if (await asked.isAnyErased) await refuseErased(tx, visitorSecret, clicks);
    };
    try {
      await writeBatch(database, figures, batch, [...steps, refuse]);
      return { applied: batch.clicks.length };
    } catch (error) {
      figures.forget();
      if (error instanceof OffsetMovedError) return "moved";
      if (error instanceof ErasedVisitsError) return this.#tryOnce(without(batch, error.ids));
      if (error instanceof TookTooLongError && batch.clicks.length > 1) {
        this.#options.onFailure(error);
        this.#clicksMax = Math.ceil(batch.clicks.length / 2);
        return "tooLong";
      }
      const rest = mayBeApplied(error) ? without(batch, await appliedIn(database, batch)) : batch;
      if (rest.clicks.length < batch.clicks.length) return this.#tryOnce(rest);
      if (!isDataFault(error)) throw error;
      return { refusal: error };
    }
  }
}
