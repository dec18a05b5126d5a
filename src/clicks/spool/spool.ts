/**
 * The queue between the edge and Postgres. All appends of one event-loop turn share one write, and their promise
 * resolves after it, so that acknowledged records survive a crash of the process. A crash loses what was appended in
 * its last turn and not yet acknowledged. Power loss costs at most the last `fsyncMs`, because syncs are grouped and
 * no append waits for one.
 *
 * States: open → closed. While open, the spool sheds records (counts them and resolves to false) when `bytesMax`
 * bytes wait to be applied, or when the disk takes no more; it recovers from both without intervention. Once closed,
 * it sheds everything.
 */
import { type ClickRecord, RECORD_BYTES_MAX, writeRecord } from "../record";
import { createBacklog } from "./backlog";
import { frameBytes, putFrame } from "./segment";
import { SegmentLog, type SegmentLogOptions } from "./segment-log";

export interface SpoolOptions extends SegmentLogOptions {
  /** Unapplied bytes from which on records are shed. */
  bytesMax: number;
  /** The segments already in the folder, and their sizes. */
  segmentsBefore?: readonly { sequence: number; bytes: number }[];
}

export interface SpoolStats {
  appended: number;
  shed: number;
  /** Bytes written and not yet applied. */
  pendingBytes: number;
}

const TURN_BUFFER_BYTES = 1024 * 1024;

const SHED = Promise.resolve(false);

/**
 * The buffer in which a record is encoded. It keeps one view per length, since making a view takes longer than using
 * it.
 */
class Draft {
  readonly bytes = Buffer.allocUnsafe(RECORD_BYTES_MAX);
  readonly #views: Buffer[] = [];

  upTo(length: number): Buffer {
    const known = this.#views[length];
    if (known) return known;
    const view = this.bytes.subarray(0, length);
    this.#views[length] = view;
    return view;
  }
}

export class Spool {
  readonly #log: SegmentLog;
  readonly #bytesMax: number;
  readonly #backlog = createBacklog();
  readonly #buffer = Buffer.allocUnsafe(TURN_BUFFER_BYTES);
  readonly #draft = new Draft();
  #used = 0;
  #frames = 0;
  #turn: PromiseWithResolvers<boolean> | undefined;
  #appended = 0;
  #shed = 0;
  /**
   * True after the disk took only part of a write. Once everything is applied, even the open segment is sealed, so
   * that it can be deleted to make room.
   */
  #isDiskFull = false;
  #closing: Promise<void> | undefined;

  constructor(options: SpoolOptions) {
    this.#log = new SegmentLog(options);
    this.#bytesMax = options.bytesMax;
    for (const { sequence, bytes } of options.segmentsBefore ?? []) this.#backlog.add(sequence, bytes);
  }

  /**
   * Resolves to true once the record would survive a crash of this process, and to false if it was shed or may have
   * been. Never rejects.
   */
  append(record: ClickRecord): Promise<boolean> {
    if (this.#closing || this.#backlog.bytes + this.#used >= this.#bytesMax) {
      this.#shed += 1;
      return SHED;
    }
    const payload = this.#draft.upTo(writeRecord(record, this.#draft.bytes));
    if (this.#used + frameBytes(payload.length) > TURN_BUFFER_BYTES) this.#flush();
    this.#used = putFrame(this.#buffer, this.#used, payload);
    this.#frames += 1;
    this.#turn ??= this.#beginTurn();
    return this.#turn.promise;
  }

  /** Resolves once everything appended so far is written or shed. */
  async written(): Promise<void> {
    await this.#turn?.promise;
  }

  /** Marks everything up to this position as applied. */
  settle(sequence: number, position: number): void {
    this.#backlog.settle(sequence, position);
    if (!this.#isDiskFull || this.#backlog.bytes > 0) return;
    this.#isDiskFull = false;
    this.#log.seal();
  }

  stats(): SpoolStats {
    return { appended: this.#appended, shed: this.#shed, pendingBytes: this.#backlog.bytes };
  }

  /** Writes and syncs what was appended. Calling it again has no effect. */
  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  async #shut(): Promise<void> {
    this.#flush();
    await this.#log.close();
  }

  #beginTurn(): PromiseWithResolvers<boolean> {
    setImmediate(() => this.#flush());
    return Promise.withResolvers<boolean>();
  }

  #flush(): void {
    const turn = this.#turn;
    if (!turn) return;
    const { frames, bytes, sequence } = this.#log.write(this.#buffer, this.#used);
    this.#backlog.add(sequence, bytes);
    this.#appended += frames;
    this.#shed += this.#frames - frames;
    if (frames < this.#frames) this.#isDiskFull = true;
    turn.resolve(frames === this.#frames);
    this.#turn = undefined;
    this.#used = 0;
    this.#frames = 0;
  }
}
