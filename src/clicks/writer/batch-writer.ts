/**
 * Writes batches to Postgres by all means: retries while Postgres is unreachable, and if Postgres rejects a batch's
 * data, halves it until the offending record is found. A batch that takes too long is halved as well, since a backlog
 * of many links that nothing has in memory can take Postgres longer than the time limit. Leaves out records that
 * Postgres already has, because another process applied a copy of the spool, and records that were erased. Sets aside
 * those whose organization was deleted. Counts what it has applied.
 */
import type { FigureStore } from "@/figures/write/figure-store";
import type { VisitorSecret } from "@/platform/visitor";
import { ErasedVisitsError, refuseErased } from "../erased-visits";
import type { Position } from "../spool/segment-reader";
import { BATCH_STEPS, type Batch, type BatchStep, OffsetMovedError, writeBatch } from "./batch";
import { type ClickDatabase, isDataFault, mayBeApplied, TookTooLongError } from "./click-database";
import { DeletedOrganizationsError } from "./deleted-organizations";
import { type PoisonedRecord, refused, withoutLink } from "./poisoned-record";
import { readSpool } from "./registration";
import type { Retries } from "./retry";
import { appliedIn, withoutClicks } from "./without-applied";

export interface BatchWriterOptions {
  database: ClickDatabase;
  figures: FigureStore;
  /** The key of the hashes by which erased visits are recognized. */
  visitorSecret: VisitorSecret;
  retries: Pick<Retries, "run">;
  onFailure(error: unknown): void;
  onPoison(records: readonly PoisonedRecord[]): void;
  /** Replaced in tests. */
  steps?: readonly BatchStep[];
}

/** A part written within this time, in addition to its round trips, lets the next parts grow again. */
const QUICK_MS = 1_000;
const ROUND_TRIPS = 4;

type Outcome = { applied: number } | "moved" | "tooLong" | { refusal: Error };

export class BatchWriter {
  applied = 0;
  /** Transactions that applied some. */
  batches = 0;
  readonly #options: BatchWriterOptions;
  /** Clicks per transaction; bounded once a transaction took too long. */
  #clicksMax = Number.POSITIVE_INFINITY;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
  }

  /**
   * Applies a batch and returns where the spool stands then: at the batch's end, or wherever another process has
   * moved it. Returns undefined if the spool now belongs to another process or Postgres no longer has it: it must be
   * registered again. Rejects only with `GaveUpError`.
   */
  async apply(batch: Batch): Promise<Position | undefined> {
    const before = this.applied;
    if (await this.#applyWhole(batch)) return batch.to;
    const { id, incarnation } = batch.spool;
    const row = await this.#options.retries.run(() =>
      this.#options.database.inTime(() => readSpool(this.#options.database, id)),
    );
    if (row?.incarnation !== incarnation) return undefined;
    // A commit may have succeeded although its response was lost.
    const { segment, offset } = row.applied;
    if (segment === batch.to.segment && offset === batch.to.offset) this.#count(before + batch.clicks.length);
    return row.applied;
  }

  /** Returns false if the spool was not where the batch begins. */
  async #applyWhole(batch: Batch): Promise<boolean> {
    if (batch.clicks.length > this.#clicksMax) return this.#applyHalves(batch);
    const startedAt = performance.now();
    const outcome = await this.#options.retries.run(() => this.#tryOnce(batch));
    if (outcome === "moved") return false;
    if (outcome === "tooLong") return this.#applyHalves(batch);
    if ("refusal" in outcome) return this.#applyRefused(batch, outcome.refusal);
    this.#count(this.applied + outcome.applied);
    const lineMs = ROUND_TRIPS * this.#options.database.roundTripMs;
    const isQuick = performance.now() - startedAt < QUICK_MS + lineMs;
    if (isQuick && batch.clicks.length * 2 > this.#clicksMax) this.#clicksMax *= 2;
    return true;
  }

  #count(applied: number): void {
    if (applied > this.applied) this.batches += 1;
    this.applied = applied;
  }

  #applyRefused(batch: Batch, refusal: Error): Promise<boolean> {
    const [click, ...others] = batch.clicks;
    if (!click) throw refusal;
    if (others.length > 0) return this.#applyHalves(batch);
    this.#options.onPoison([refused(click.record, refusal)]);
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
      if (error instanceof DeletedOrganizationsError) return this.#tryWithout(batch, error.ids);
      if (error instanceof ErasedVisitsError) return this.#tryOnce(withoutClicks(batch, error.ids));
      if (error instanceof TookTooLongError && batch.clicks.length > 1) {
        this.#options.onFailure(error);
        this.#clicksMax = Math.ceil(batch.clicks.length / 2);
        return "tooLong";
      }
      const rest = mayBeApplied(error) ? withoutClicks(batch, await appliedIn(database, batch)) : batch;
      if (rest.clicks.length < batch.clicks.length) return this.#tryOnce(rest);
      if (!isDataFault(error)) throw error;
      return { refusal: error };
    }
  }

  /** Sets nothing aside until everything else has succeeded, so that a retry finds everything unchanged. */
  async #tryWithout(batch: Batch, organizations: ReadonlySet<string>): Promise<Outcome> {
    const gone = batch.clicks.flatMap(({ record }) => (organizations.has(record.orgId) ? [record] : []));
    const outcome = await this.#tryOnce(withoutClicks(batch, new Set(gone.map(({ id }) => id))));
    const isApplied = typeof outcome === "object" && "applied" in outcome;
    if (isApplied) this.#options.onPoison(gone.map((record) => withoutLink(record, "unknown_link")));
    return outcome;
  }
}
