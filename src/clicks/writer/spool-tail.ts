/**
 * The reading end of one spool: takes lines off it, finds out what they are about and makes batches of them. It reads ahead
 * of what is applied; `rewind` takes that back. What cannot be applied is handed to `onPoison` on the way.
 */

import type { Enrich, EnrichedClick, SpooledVisit } from "../enrich/enrich";
import type { LinkTargetCache } from "../enrich/link-targets";
import { type ClickRecord, decodeRecord, encodeRecord } from "../record";
import { isBefore, type Position, SegmentReader, type SpooledLine } from "../spool/segment-reader";
import type { Batch, SpoolIdentity } from "./batch";
import type { PoisonedRecord } from "./poison";

export interface SpoolTailOptions {
  /** The id of its folder. */
  name: string;
  identity: SpoolIdentity;
  folder: string;
  /** What Postgres has of it. */
  applied: Position;
  /** Where it ends for now. */
  end(): Position;
  targets: LinkTargetCache;
  enrich: Enrich;
  /** Of a round trip to Postgres. */
  roundTripMs(): number;
  onPoison(records: readonly PoisonedRecord[]): void;
  onTorn(bytes: number): void;
  /** What the disk did not keep: set aside where there is anything to keep of it. */
  onDamage(bytes: number): void;
}

const BATCH_RECORDS = 32_768;
/** With as much waiting, there is no point in waiting for more. */
const FULL_BATCH_BYTES = 8 * 1024 * 1024;
/** A batch takes three round trips whatever its size: past this one brings more, twice as much at most, to fill the line. */
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
  /** Where the next batch begins, for Postgres. */
  #batchFrom: Position;
  /** Where reading goes on; ahead of the above where there was nothing to apply. */
  #cursor: Position;
  /** Read and not yet in a batch: what is left when Postgres went away in between. */
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

  /** Where the next batch begins: as far as Postgres has it, when none is on its way. */
  get applied(): Position {
    return this.#batchFrom;
  }

  /** Everything before it has been put into batches. */
  get position(): Position {
    return this.#pending ? this.#batchFrom : this.#cursor;
  }

  /** Whether enough waits for a batch of full size. */
  get isFull(): boolean {
    const end = this.#options.end();
    const bytes = FULL_BATCH_BYTES * this.#growth;
    return end.segment > this.#cursor.segment || end.offset - this.#cursor.offset >= bytes;
  }

  get #growth(): number {
    return Math.min(FAR_GROWTH_MAX, Math.max(1, this.#options.roundTripMs() / FAR_MS));
  }

  /** Undefined at the spool's end. When it rejects, which Postgres may cause, it is to be called again. */
  async nextBatch(): Promise<Batch | undefined> {
    this.#pending ??= this.#readChunk();
    const pending = this.#pending;
    if (!pending) return undefined;
    const clicks = await this.#enrich(pending.records);
    const batch = { spool: this.#identity, from: this.#batchFrom, to: pending.end, clicks };
    this.#batchFrom = pending.end;
    this.#pending = undefined;
    return batch;
  }

  /** Goes on from what Postgres has after all, where it is known by another identity. Batches made before are void. */
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
    for (const { line, isWhole, end } of lines) {
      const record = isWhole ? decodeRecord(line) : undefined;
      if (record) records.push({ record, end });
      else poisoned.push({ reason: isWhole ? "undecodable" : "damaged", line });
    }
    if (poisoned.length > 0) this.#options.onPoison(poisoned);
    return records;
  }

  /** Nothing is set aside before all else is known, so that another try finds everything as it was. */
  async #enrich(records: readonly SpooledRecord[]): Promise<EnrichedClick[]> {
    const { targets, enrich, onPoison } = this.#options;
    const links = await targets.load(records.map(({ record }) => record));
    const visits: SpooledVisit[] = [];
    const poisoned: PoisonedRecord[] = [];
    for (const [place, { record, end }] of records.entries()) {
      const link = links[place];
      if (link?.orgId === record.orgId) visits.push({ record, targets: link, end });
      else poisoned.push({ reason: link ? "foreign_link" : "unknown_link", line: encodeRecord(record) });
    }
    const clicks = await enrich(visits);
    if (poisoned.length > 0) onPoison(poisoned);
    return clicks;
  }
}
