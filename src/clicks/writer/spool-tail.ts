/**
 * The reading end of one spool: reads its lines, loads their links, and makes batches of them. It reads ahead of what
 * is applied; `rewind` undoes that. Records that cannot be applied are passed to `onPoison`.
 */
import type { Enrich, EnrichedClick, SpooledVisit } from "../enrich/enrich";
import type { LinkTargetCache } from "../enrich/link-targets";
import { type ClickRecord, decodeRecord } from "../record";
import { isBefore, type Position, SegmentReader, type SpooledLine } from "../spool/segment-reader";
import type { Batch, SpoolIdentity } from "./batch";
import { type PoisonedRecord, unread, withoutLink } from "./poisoned-record";

export interface SpoolTailOptions {
  /** The name of its folder. */
  name: string;
  identity: SpoolIdentity;
  folder: string;
  /** How far Postgres has applied the spool. */
  applied: Position;
  /** Returns the spool's current end. */
  end(): Position;
  targets: LinkTargetCache;
  enrich: Enrich;
  /** Milliseconds of a round trip to Postgres. */
  roundTripMs(): number;
  onPoison(records: readonly PoisonedRecord[]): void;
  onTorn(bytes: number): void;
  /** Reports bytes that the disk corrupted or lost. Those that are not just zeros are also set aside. */
  onDamage(bytes: number): void;
}

const BATCH_RECORDS = 32_768;
/** Bytes that make a full batch: with so much waiting, there is no point in waiting for more. */
const FULL_BATCH_BYTES = 8 * 1024 * 1024;
/**
 * A batch takes three round trips whatever its size. Past this many milliseconds per trip, batches grow, to twice the
 * size at most, to use the connection fully.
 */
const FAR_MS = 75;
const FAR_GROWTH_MAX = 2;

interface SpooledRecord {
  record: ClickRecord;
  end: Position;
}

export class SpoolTail {
  readonly name: string;
  readonly folder: string;
  #identity: SpoolIdentity;
  readonly #options: SpoolTailOptions;
  readonly #reader: SegmentReader;
  /** Where the next batch begins in Postgres's view. */
  #batchFrom: Position;
  /** Where reading continues; ahead of `#batchFrom` after a stretch with nothing to apply. */
  #cursor: Position;
  /** Records read and not yet in a batch: kept for a retry if Postgres becomes unreachable in between. */
  #pending: { records: SpooledRecord[]; end: Position } | undefined;

  constructor(options: SpoolTailOptions) {
    this.name = options.name;
    this.#identity = options.identity;
    this.folder = options.folder;
    this.#options = options;
    this.#reader = new SegmentReader(options.folder);
    this.#batchFrom = options.applied;
    this.#cursor = options.applied;
  }

  get identity(): SpoolIdentity {
    return this.#identity;
  }

  /** Where the next batch begins: as far as Postgres has applied the spool when no batch is being written. */
  get applied(): Position {
    return this.#batchFrom;
  }

  /** Everything before this position has been put into batches. */
  get position(): Position {
    return this.#pending ? this.#batchFrom : this.#cursor;
  }

  /** Whether enough waits for a full batch. */
  get isFull(): boolean {
    const end = this.#options.end();
    const bytes = FULL_BATCH_BYTES * this.#growth;
    return end.segment > this.#cursor.segment || end.offset - this.#cursor.offset >= bytes;
  }

  get #growth(): number {
    return Math.min(FAR_GROWTH_MAX, Math.max(1, this.#options.roundTripMs() / FAR_MS));
  }

  /** Reads what the next batch is made of, unless that is done already. Throws if the disk refuses. */
  readAhead(): void {
    this.#pending ??= this.#readChunk();
  }

  /**
   * Returns the batch of what was read ahead, or undefined at the spool's end. If it rejects, as it may because of
   * Postgres, call it again.
   */
  async nextBatch(): Promise<Batch | undefined> {
    const pending = this.#pending;
    if (!pending) return undefined;
    const clicks = await this.#enrich(pending.records);
    const batch = { spool: this.#identity, from: this.#batchFrom, to: pending.end, clicks };
    this.#batchFrom = pending.end;
    this.#pending = undefined;
    return batch;
  }

  /** Continues from what Postgres really has applied, possibly under another identity. Batches made before are void. */
  rewind(applied: Position, identity = this.#identity): void {
    this.#identity = identity;
    this.#batchFrom = applied;
    this.#cursor = applied;
    this.#pending = undefined;
  }

  close(): void {
    this.#reader.close();
  }

  #readChunk(): { records: SpooledRecord[]; end: Position } | undefined {
    const until = this.#options.end();
    if (!isBefore(this.#cursor, until)) return undefined;
    const recordsMax = Math.floor(BATCH_RECORDS * this.#growth);
    const { lines, end, tornBytes, damagedBytes } = this.#reader.read(this.#cursor, until, recordsMax);
    this.#cursor = end;
    if (tornBytes > 0) this.#options.onTorn(tornBytes);
    if (damagedBytes > 0) this.#options.onDamage(damagedBytes);
    return lines.length > 0 ? { records: this.#decode(lines), end } : undefined;
  }

  #decode(lines: readonly SpooledLine[]): SpooledRecord[] {
    const records: SpooledRecord[] = [];
    const poisoned: PoisonedRecord[] = [];
    for (const spooled of lines) {
      const record = spooled.isWhole ? decodeRecord(spooled.line) : undefined;
      if (record) records.push({ record, end: spooled.end });
      else poisoned.push(unread(spooled));
    }
    if (poisoned.length > 0) this.#options.onPoison(poisoned);
    return records;
  }

  /** Sets nothing aside until everything else has succeeded, so that a retry finds everything unchanged. */
  async #enrich(records: readonly SpooledRecord[]): Promise<EnrichedClick[]> {
    const { targets, enrich, onPoison } = this.#options;
    const links = await targets.load(records.map(({ record }) => record));
    const visits: SpooledVisit[] = [];
    const poisoned: PoisonedRecord[] = [];
    for (const [place, { record, end }] of records.entries()) {
      const link = links[place];
      if (link?.orgId === record.orgId) visits.push({ record, targets: link, end });
      else poisoned.push(withoutLink(record, link ? "foreign_link" : "unknown_link"));
    }
    const clicks = await enrich(visits);
    if (poisoned.length > 0) onPoison(poisoned);
    return clicks;
  }
}
