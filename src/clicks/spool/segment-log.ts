/**
 * The segments of one folder as one log that only grows. At most one segment is open, the newest; another begins when it
 * is full or old, when it could not be cut back to whole frames, and at every start, so that nothing is ever appended to
 * what someone else wrote. Where no segment can be made, writes keep nothing and are tried again after 100 ms.
 */
import { diskFiles, openSegment, type SegmentFiles, type SegmentWriter } from "./segment-writer";

export interface SegmentLogOptions {
  folder: string;
  /** The newest segment already in the folder, 0 where there is none. */
  sequenceBefore: number;
  /** Between a write and its sync to the disk; 0 leaves that to the system. */
  fsyncMs: number;
  /**
   * Everything up to this position is written, and segments of lower sequences are complete. A sequence beyond the newest
   * file's says that of the newest, too.
   */
  onCommit(sequence: number, position: number): void;
  onFault(fault: Error): void;
  segmentBytesMax?: number;
  segmentAgeMaxMs?: number;
  files?: SegmentFiles;
  now?: () => number;
}

const SEGMENT_BYTES_MAX = 32 * 1024 * 1024;
/** Addresses stand in segments, so that none stays open for days where clicks are few. */
const SEGMENT_AGE_MAX_MS = 3_600_000;
const SEAL_CHECK_MS_MAX = 60_000;
const REOPEN_AFTER_MS = 100;
/** Sequences follow the clock, so that a volume put back to an older state does not repeat numbers already applied. */
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

  /** How many of the buffer's frames are in the log now, where they are, and how many bytes they took. */
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

  /** Completes the segment, so that it can be deleted once it is applied. The next write begins another. */
  seal(): void {
    if (!this.#segment) return;
    this.#endSegment();
    this.#options.onCommit(this.#sequence + 1, 0);
  }

  /** Syncs what was written. */
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
    return isBroken || bytes >= this.#bytesMax || (bytes > 0 && this.#now() - this.#openedAt >= this.#ageMaxMs);
  }

  #rotate(): void {
    this.#endSegment();
    const at = this.#now();
    if (at - this.#openFailedAt < REOPEN_AFTER_MS) return;
    const sequence = Math.max(this.#sequence + 1, Math.floor((at - SEQUENCE_EPOCH_MS) / 1000));
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
    if (this.#options.fsyncMs > 0) await segment.sync().catch(this.#options.onFault);
    await segment.close();
  }

  #sync(): void {
    this.#syncTimer = undefined;
    this.#segment?.sync().catch(this.#options.onFault);
  }

  /** Where no click comes that would begin another segment. */
  #sealOld(): void {
    if (this.#segment && this.#isDue(this.#segment)) this.seal();
  }
}
