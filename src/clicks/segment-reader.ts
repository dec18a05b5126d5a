/**
 * Reads a spool from a position on. A segment followed by another is complete: what stands behind its last whole frame is
 * the torn tail of a crash and passed over. The newest one is read only as far as its writer says it has written, so that
 * a write in progress is never seen.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { readFrame, segmentName, segmentSequences } from "./segment";

export interface Position {
  segment: number;
  offset: number;
}

/** Past every segment: where a spool ends that nobody writes to. */
export const SPOOL_END: Position = { segment: Number.MAX_SAFE_INTEGER, offset: 0 };

export const isBefore = (a: Position, b: Position): boolean =>
  a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset);

export interface SpooledLine {
  line: string;
  /** False where the disk did not keep what was written. */
  isWhole: boolean;
  /** Where the next one begins. */
  end: Position;
}

export interface SpoolChunk {
  lines: SpooledLine[];
  end: Position;
  /** Passed over behind the last whole frames of complete segments. */
  tornBytes: number;
}

/** Holds many frames of the largest kind. */
const READ_BYTES = 1024 * 1024;

export class SegmentReader {
  readonly #folder: string;
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);
  #open: { segment: number; fd: number } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** At most `linesMax` lines from `from` on and before `until`. A missing segment has been applied and deleted. */
  read(from: Position, until: Position, linesMax: number): SpoolChunk {
    const lines: SpooledLine[] = [];
    let tornBytes = 0;
    let position = from;
    while (lines.length < linesMax) {
      const { bytes, rest } = this.#fill(position, until);
      const taken = this.#take(lines, position, bytes, linesMax);
      position = { segment: position.segment, offset: position.offset + taken };
      if (lines.length >= linesMax) break;
      if (taken > 0 && rest > 0) continue;
      const next = this.#after(position.segment, until);
      if (next === undefined) break;
      tornBytes += bytes - taken + rest;
      position = { segment: next, offset: 0 };
    }
    return { lines, end: position, tornBytes };
  }

  close(): void {
    if (this.#open) closeSync(this.#open.fd);
    this.#open = undefined;
  }

  /** Reads from `position` into the buffer; `rest` are the bytes of the segment behind what was read. */
  #fill({ segment, offset }: Position, until: Position): { bytes: number; rest: number } {
    const fd = this.#descriptor(segment);
    if (fd === undefined) return { bytes: 0, rest: 0 };
    const end = segment === until.segment ? until.offset : fstatSync(fd).size;
    const wanted = Math.max(0, Math.min(READ_BYTES, end - offset));
    const bytes = wanted === 0 ? 0 : readSync(fd, this.#buffer, 0, wanted, offset);
    return { bytes, rest: Math.max(0, end - offset - bytes) };
  }

  /** How many of the buffer's bytes were lines. */
  #take(lines: SpooledLine[], { segment, offset }: Position, bytes: number, linesMax: number): number {
    let taken = 0;
    while (lines.length < linesMax) {
      const frame = readFrame(this.#buffer, taken, bytes);
      if (frame.kind === "partial") break;
      taken = frame.end;
      const end = { segment, offset: offset + taken };
      lines.push({ line: frame.payload.toString("utf8"), isWhole: frame.kind === "whole", end });
    }
    return taken;
  }

  /** The segment that follows, undefined at the spool's end. The newest may be announced before it is made. */
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
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  }
}
