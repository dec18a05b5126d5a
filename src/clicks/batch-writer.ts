/**
 * Brings batches into Postgres, whatever it takes: tries again while Postgres is away, and where it refuses a batch for
 * its data, halves it until the record is found that is to blame. Counts what it has done.
 */
import { type Batch, OffsetMovedError, type SpoolIdentity, type Step, writeBatch } from "./batch";
import { type ClickDatabase, isDataFault } from "./click-database";
import type { FigureStore } from "./figures";
import type { PoisonedRecord } from "./poison";
import { encodeRecord } from "./record";
import { retry } from "./retry";
import type { Position } from "./segment-reader";

export interface BatchWriterOptions {
  database: ClickDatabase;
  figures: FigureStore;
  /** Aborted when there is no more time to try. */
  signal: AbortSignal;
  onPoison(records: readonly PoisonedRecord[]): void;
  onFailure(error: unknown): void;
  /** For tests. */
  steps?: readonly Step[];
}

type Outcome = "applied" | "moved" | { refusal: Error };

export class BatchWriter {
  applied = 0;
  readonly #options: BatchWriterOptions;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
  }

  /**
   * Where the spool stands afterwards: at the batch's end, or wherever somebody else has moved it. Rejects with
   * `GaveUpError` alone.
   */
  async apply(batch: Batch): Promise<Position> {
    if (await this.#applyWhole(batch)) return batch.to;
    const position = await this.#retry(() => this.#readOffset(batch.spool));
    // A commit may have arrived whose answer did not.
    if (position.segment === batch.to.segment && position.offset === batch.to.offset)
      this.applied += batch.clicks.length;
    return position;
  }

  /** False when the spool was not where the batch begins. */
  async #applyWhole(batch: Batch): Promise<boolean> {
    const outcome = await this.#retry(() => this.#tryOnce(batch));
    if (outcome === "moved") return false;
    if (outcome !== "applied") return this.#applyParts(batch, outcome.refusal);
    this.applied += batch.clicks.length;
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
    const { database, figures, steps } = this.#options;
    try {
      await writeBatch(database, figures, batch, steps);
      return "applied";
    } catch (error) {
      figures.forget();
      if (error instanceof OffsetMovedError) return "moved";
      if (isDataFault(error)) return { refusal: error };
      throw error;
    }
  }

  async #readOffset({ id }: SpoolIdentity): Promise<Position> {
    const { database } = this.#options;
    const [row] = await database.inTime(() => database.reader.unsafe<SpoolRow[]>(SELECT_SPOOL, [id]));
    if (!row) throw new Error(`Spool ${id} has lost its row.`);
    return positionOf(row);
  }

  #retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
    return retry(attempt, this.#options.signal, this.#options.onFailure);
  }
}

/** The spool's number and what is applied of it; makes its row where there is none. */
export async function registerSpool(
  database: ClickDatabase,
  id: string,
): Promise<SpoolIdentity & { applied: Position }> {
  const sql = database.reader;
  await sql.unsafe("insert into spools (id) values ($1::text::uuid) on conflict (id) do nothing", [id]);
  const [row] = await sql.unsafe<SpoolRow[]>(SELECT_SPOOL, [id]);
  if (!row) throw new Error(`Spool ${id} has lost its row.`);
  return { id, writer: row.writer, applied: positionOf(row) };
}

const SELECT_SPOOL = "select writer, segment, position from spools where id = $1::text::uuid";

interface SpoolRow {
  writer: number;
  segment: number;
  /** A bigint, which the driver gives as text. */
  position: string;
}

const positionOf = ({ segment, position }: SpoolRow): Position => ({ segment, offset: Number(position) });
