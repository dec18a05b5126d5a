/**
 * The segments of one folder as one append-only log. At most one segment is open, the newest. Another begins when it
 * is full or old, when it could not be truncated to whole frames, and at every start, so that nothing is ever
 * appended to bytes that another process wrote. While no segment can be created, writes store nothing, and creating
 * one is retried after 100 ms.
 */
import { steadied } from "@/platform/clock";
import { diskFiles, openSegment, type SegmentFiles, type SegmentWriter } from "./segment-writer";

export interface SegmentLogOptions {
  folder: string;
  /** Sequence number of the newest segment already in the folder; 0 if there is none. */
  sequenceBefore: number;
  /** Milliseconds between a write and its fsync; 0 leaves syncing to the operating system. */
  fsyncMs: number;
  /**
   * Reports that everything up to this position is written and that segments with lower sequence numbers are
   * complete. A sequence number above the newest file's means that the newest file is complete, too.
   */
  onCommit(sequence: number, position: number): void;
  onFault(fault: Error): void;
  segmentBytesMax?: number;
  segmentAgeMaxMs?: number;
  files?: SegmentFiles;
  now?: () => number;
}

const SEGMENT_BYTES_MAX = 32 * 1024 * 1024;
/** Segments contain IP addresses, so none stays open for days, even where clicks are rare. */
const SEGMENT_AGE_MAX_MS = 3_600_000;
const SEAL_CHECK_MS_MAX = 60_000;
const REOPEN_AFTER_MS = 100;
/**
 * Sequence numbers follow the clock, so that a volume restored to an earlier state does not reuse numbers already
 * applied.
 */
const SEQUENCE_EPOCH_MS = Date.UTC(2025, 0, 1);

export class SegmentLog {
  #segment: SegmentWriter | undefined;
  #sequence: number;
  #openedAt = 0;
  #openFailedAt = Number.NEGATIVE_INFINITY;
  #syncTimer: Timer | undefined;
  readonly #sealTimer: Timer;
  readonly #endings = new Set<Promise<void>>();
  readonly #options: SegmentLogOptions;
  readonly #now: () => number;
  readonly #steady = steadied();
  readonly #bytesMax: number;
  readonly #ageMaxMs: number;

  constructor(options: SegmentLogOptions) {
    this.#options = options;
    this.#sequence = options.sequenceBefore;
    this.#now = options.now ?? Date.now;
    this.#bytesMax = options.segmentBytesMax ?? SEGMENT_BYTES_MAX;
    this.#ageMaxMs = options.segmentAgeMaxMs ?? SEGMENT_AGE_MAX_MS;
    this.#sealTimer = setInterval(() => this.#sealOld(), Math.min(this.#ageMaxMs, SEAL_CHECK_MS_MAX));
    this.#sealTimer.unref();
  }

  /**
   * Appends the buffer. Returns how many of its frames the log now holds, in which segment, and how many bytes they
   * take.
   */
  write(buffer: Buffer, length: number): { frames: number; bytes: number; sequence: number } {
    if (!this.#segment || this.#isDue(this.#segment)) this.#rotate();
    const segment = this.#segment;
    if (!segment) return { frames: 0, bytes: 0, sequence: this.#sequence };
    const before = segment.bytes;
    const { frames, error } = segment.write(buffer, length);
    if (error) this.#options.onFault(error);
    if (frames > 0) this.#committed(segment);
    return { frames, bytes: segment.bytes - before, sequence: segment.sequence };
  }

  /** Completes the open segment, so that it can be deleted once it is applied. The next write begins another. */
  seal(): void {
    if (!this.#segment) return;
    this.#endSegment();
    this.#options.onCommit(this.#sequence + 1, 0);
  }

  /** Closes the open segment, after syncing it unless `fsyncMs` is 0. */
  async close(): Promise<void> {
    clearInterval(this.#sealTimer);
    clearTimeout(this.#syncTimer);
    this.#endSegment();
    await Promise.all(this.#endings);
  }

  #committed({ sequence, bytes }: SegmentWriter): void {
    const { onCommit, fsyncMs } = this.#options;
    onCommit(sequence, bytes);
    if (fsyncMs > 0) this.#syncTimer ??= setTimeout(() => this.#sync(), fsyncMs);
  }

  #isDue({ bytes, isBroken }: SegmentWriter): boolean {
    return (
      isBroken || bytes >= this.#bytesMax || (bytes > 0 && this.#steady(this.#now()) - this.#openedAt >= this.#ageMaxMs)
    );
  }

  #rotate(): void {
    this.#endSegment();
    const now = this.#now();
    const at = this.#steady(now);
    if (at - this.#openFailedAt < REOPEN_AFTER_MS) return;
    const sequence = Math.max(this.#sequence + 1, Math.floor((now - SEQUENCE_EPOCH_MS) / 1000));
    try {
      this.#segment = openSegment(this.#options.folder, sequence, this.#options.files ?? diskFiles);
      this.#sequence = sequence;
      this.#openedAt = at;
    } catch (error) {
      this.#openFailedAt = at;
      this.#options.onFault(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #endSegment(): void {
    const segment = this.#segment;
    if (!segment) return;
    this.#segment = undefined;
    const ending = this.#end(segment).finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  async #end(segment: SegmentWriter): Promise<void> {
    const { fsyncMs, onFault } = this.#options;
    if (fsyncMs > 0) await segment.sync().catch(onFault);
    await segment.close().catch(onFault);
  }

  #sync(): void {
    this.#syncTimer = undefined;
    this.#segment?.sync().catch(this.#options.onFault);
  }

  /** Seals a segment that is due when no click arrives to begin another. */
  #sealOld(): void {
    if (this.#segment && this.#isDue(this.#segment)) this.seal();
  }
}
