/**
 * Reads a spool from a position on. A segment that is followed by another is complete: bytes after its last whole
 * frame are the torn tail of a crash and are skipped. The newest segment is read only as far as its writer reports
 * having written, so that a write in progress is never seen.
 *
 * Bytes that are not a frame do not cost the frames behind them: reading resumes where length and checksum agree
 * again, and the bytes in between are returned as damaged. Bytes that the writer reported as written, but that the
 * file does not hold, are skipped and counted.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "./file-faults";
import { FRAME_BYTES_MAX, nextFrameStart, readFrame, segmentName, segmentSequences } from "./segment";

export interface Position {
  segment: number;
  offset: number;
}

/** A position past every segment: the end of a spool that no process writes to. */
export const SPOOL_END: Position = { segment: Number.MAX_SAFE_INTEGER, offset: 0 };

export const isBefore = (a: Position, b: Position): boolean =>
  a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset);

export interface SpooledLine {
  /** The record's text, or the damaged bytes in base64. */
  line: string;
  /** False if the disk does not hold what was written. */
  isWhole: boolean;
  /** Where the next line begins. */
  end: Position;
}

export interface SpoolChunk {
  lines: SpooledLine[];
  end: Position;
  /** Bytes skipped after the last whole frames of complete segments. */
  tornBytes: number;
  /** Bytes of damaged lines, plus bytes that the file lost or filled with zeros. */
  damagedBytes: number;
}

/** Has room for many frames of the largest size. */
const READ_BYTES = 1024 * 1024;

/** What the buffer holds of a segment. */
interface Filled {
  bytes: number;
  /** Bytes of the segment that follow those in the buffer. */
  rest: number;
  /** Bytes reported as written that are not in the file. */
  missing: number;
  /** Whether the writer may still append to the segment, whose readable part then ends with a whole frame. */
  isNewest: boolean;
}

export class SegmentReader {
  readonly #folder: string;
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);
  #open: { segment: number; fd: number } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns at most `linesMax` lines from `from` up to `until`. A missing segment counts as applied and deleted. */
  read(from: Position, until: Position, linesMax: number): SpoolChunk {
    const chunk: SpoolChunk = { lines: [], end: from, tornBytes: 0, damagedBytes: 0 };
    while (chunk.lines.length < linesMax) {
      const { segment, offset } = chunk.end;
      const filled = this.#fill(chunk.end, until);
      const taken = this.#take(chunk, filled, linesMax);
      chunk.end = { segment, offset: offset + taken };
      if (chunk.lines.length >= linesMax) break;
      if (filled.rest > 0) continue;
      if (filled.missing > 0) {
        chunk.damagedBytes += filled.missing;
        chunk.end = until;
      }
      const next = this.#after(segment, until);
      if (next === undefined) break;
      chunk.tornBytes += filled.bytes - taken;
      chunk.end = { segment: next, offset: 0 };
    }
    return chunk;
  }

  close(): void {
    if (this.#open) closeSync(this.#open.fd);
    this.#open = undefined;
  }

  /** Fills the buffer from the given position on. */
  #fill({ segment, offset }: Position, until: Position): Filled {
    const isNewest = segment === until.segment;
    const fd = this.#descriptor(segment);
    const size = fd === undefined ? 0 : fstatSync(fd).size;
    const end = isNewest ? Math.min(until.offset, size) : size;
    const wanted = Math.max(0, Math.min(READ_BYTES, end - offset));
    const bytes = fd === undefined || wanted === 0 ? 0 : readSync(fd, this.#buffer, 0, wanted, offset);
    const missing = isNewest ? Math.max(0, until.offset - Math.max(offset, size)) : 0;
    return { bytes, rest: Math.max(0, end - offset - bytes), missing, isNewest };
  }

  /**
   * Appends the buffer's lines to `chunk`, damaged ones included, and returns how many bytes they take. Takes at
   * least one frame if the segment continues past the buffer, because the buffer has room for many of the largest.
   */
  #take(chunk: SpoolChunk, filled: Filled, linesMax: number): number {
    const { bytes, rest } = filled;
    const { segment, offset } = chunk.end;
    let taken = 0;
    while (taken < bytes && chunk.lines.length < linesMax) {
      const frame = readFrame(this.#buffer, taken, bytes);
      if (frame.kind !== "whole" && rest > 0 && bytes - taken < 2 * FRAME_BYTES_MAX) break;
      const start = taken;
      taken = frame.kind === "whole" ? frame.end : this.#damageEnd(taken, filled);
      if (taken === start) break;
      const end = { segment, offset: offset + taken };
      if (frame.kind === "whole") chunk.lines.push({ line: frame.payload.toString("utf8"), isWhole: true, end });
      else this.#putDamaged(chunk, this.#buffer.subarray(start, taken), end);
    }
    return taken;
  }

  /**
   * Returns where the damage at `start` ends: at the next frame if the buffer holds one. Returns `start` itself if
   * the bytes are a torn tail.
   */
  #damageEnd(start: number, { bytes, rest, isNewest }: Filled): number {
    const next = nextFrameStart(this.#buffer, start + 1, bytes);
    if (next !== undefined) return next;
    if (rest > 0) return bytes - FRAME_BYTES_MAX;
    const isTorn = !isNewest && readFrame(this.#buffer, start, bytes).kind === "partial";
    return isTorn ? start : bytes;
  }

  /** Counts damaged bytes, and keeps them as a line unless all are zero: a hole in the file reads as zeros. */
  #putDamaged(chunk: SpoolChunk, damaged: Buffer, end: Position): void {
    chunk.damagedBytes += damaged.length;
    if (damaged.every((byte) => byte === 0)) return;
    chunk.lines.push({ line: damaged.toString("base64"), isWhole: false, end });
  }

  /**
   * Returns the segment that follows, or undefined at the spool's end. The newest one may be announced before its
   * file exists.
   */
  #after(segment: number, until: Position): number | undefined {
    if (segment >= until.segment) return undefined;
    const following = segmentSequences(readdirSync(this.#folder)).find((sequence) => sequence > segment);
    if (following !== undefined && following <= until.segment) return following;
    return until === SPOOL_END ? undefined : until.segment;
  }

  #descriptor(segment: number): number | undefined {
    if (this.#open?.segment === segment) return this.#open.fd;
    this.close();
    try {
      const fd = openSync(join(this.#folder, segmentName(segment)), "r");
      this.#open = { segment, fd };
      return fd;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}
