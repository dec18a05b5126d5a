/**
 * Applies what waits in a spool, batch after batch, and prepares the next batch while one is being written. A prepared
 * batch relies on cached data: when that is to be forgotten, it is made anew. A crash loses nothing, because each batch
 * moves the spool's offset in Postgres.
 */
import type { FigureStore } from "@/figures/write/figure-store";
import type { Copies } from "@/platform/db/copies";
import type { Position } from "../spool/segment-reader";
import { type Batch, prepareBatch } from "./batch";
import type { BatchWriter } from "./batch-writer";
import type { ClickDatabase } from "./click-database";
import type { SpoolTail } from "./spool-tail";
import type { SpoolTails } from "./spool-tails";

export interface BatchLoopOptions {
  database: ClickDatabase;
  figures: FigureStore;
  copies: Copies;
  writer: Pick<BatchWriter, "apply">;
  tails: Pick<SpoolTails, "registerAgain">;
  /** The service's own origin. */
  baseUrl: string | undefined;
  /** The name of the spool that this process writes. */
  ownName: string;
  retry<Result>(attempt: () => Promise<Result>): Promise<Result>;
  onProgress(tail: SpoolTail, batch: Batch, position: Position, tookMs: number): void;
}

/** A batch that relies on what was cached in its generation. */
interface Prepared extends Batch {
  generation: number;
}

export class BatchLoop {
  readonly #options: BatchLoopOptions;
  #isToForget = false;
  /** How often what is cached was forgotten. */
  #generation = 0;

  constructor(options: BatchLoopOptions) {
    this.#options = options;
  }

  /** Takes effect before the next batch, because the batch in progress relies on what was cached. */
  forget(): void {
    this.#isToForget = true;
  }

  /**
   * Applies batches until no full batch is left, from wherever Postgres turns out to be, and calls `afterBatch` after
   * each. Returns whether there was any work. Rejects with `GaveUpError`, with an error of `afterBatch`, or with the
   * disk's if it refuses to read another process's spool.
   */
  async apply(tail: SpoolTail, afterBatch = async () => {}): Promise<boolean> {
    const { writer, tails, baseUrl, onProgress } = this.#options;
    let batch = await this.#prepare(tail);
    const hasWorked = batch !== undefined;
    while (batch) {
      this.#forgetIfAsked();
      if (batch.generation !== this.#generation) {
        tail.rewind(batch.from);
        batch = await this.#prepare(tail);
        continue;
      }
      const startedAt = performance.now();
      let tookMs = 0;
      const applied = writer.apply({ ...batch, baseUrl });
      // Awaits both in any case: nothing else may be applied while a batch is being written.
      const [written, prepared] = await Promise.allSettled([
        applied.finally(() => {
          tookMs = performance.now() - startedAt;
        }),
        tail.isFull ? this.#prepare(tail) : undefined,
      ]);
      const position = resultOf(written);
      if (!position) {
        await tails.registerAgain(tail, batch.from);
        batch = await this.#prepare(tail);
        continue;
      }
      onProgress(tail, batch, position, tookMs);
      const isWhereExpected = position.segment === batch.to.segment && position.offset === batch.to.offset;
      if (!isWhereExpected) tail.rewind(position);
      await afterBatch();
      batch = isWhereExpected ? resultOf(prepared) : await this.#prepare(tail);
    }
    return hasWorked;
  }

  #forgetIfAsked(): void {
    if (!this.#isToForget) return;
    this.#isToForget = false;
    this.#options.copies.forget();
    this.#generation++;
  }

  /** Retries what Postgres refuses, and what the disk refuses of this process's own spool. */
  async #prepare(tail: SpoolTail): Promise<Prepared | undefined> {
    const { database, figures, ownName, retry } = this.#options;
    const generation = this.#generation;
    if (tail.name !== ownName) tail.readAhead();
    else await retry(async () => tail.readAhead());
    const batch = await retry(() => database.inTime(() => tail.nextBatch()));
    if (!batch) return undefined;
    await retry(() => prepareBatch(database, figures, batch));
    return { ...batch, generation };
  }
}

/** Throws the error of a promise that was rejected. */
function resultOf<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}
