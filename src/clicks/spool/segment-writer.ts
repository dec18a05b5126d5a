/**
 * Appends frames to the newest segment of a spool. Only whole frames stay: where the disk takes a part (ENOSPC shows as a
 * short write first, then as an error), the file is cut back to the last whole frame. Where even that fails, the segment
 * is left as it is and the next write begins another, so that nothing is ever appended to a torn tail.
 */
import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { segmentName, wholeFramesEnd } from "./segment";

/** What the writer needs of the file system; tests hand in one that fails. */
export interface SegmentFiles {
  open(path: string): number;
  write(fd: number, buffer: Buffer, offset: number, length: number, position: number): number;
  truncate(fd: number, size: number): void;
  sync(fd: number, done: (error: Error | null) => void): void;
  close(fd: number): void;
}

export const diskFiles: SegmentFiles = {
  open: (path) => {
    const fd = openSync(path, "wx", 0o600);
    syncFolder(dirname(path));
    return fd;
  },
  write: writeSync,
  truncate: ftruncateSync,
  sync: (fd, done) => fdatasync(fd, done),
  close: closeSync,
};

/** A new file survives power loss only once its folder is written. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export interface SegmentWriter {
  readonly sequence: number;
  readonly bytes: number;
  /** How many of the frames in the buffer's first `length` bytes are in the file now; the others are not, not even partly. */
  write(buffer: Buffer, length: number): { frames: number; error?: Error };
  /** Nothing can be appended any more. */
  readonly isBroken: boolean;
  /** To the disk itself; at most one at a time, several callers share it. */
  sync(): Promise<void>;
  /** Closes the file after the last sync. */
  close(): Promise<void>;
}

/** Throws where the file cannot be made; a file that is already there is never opened. */
export function openSegment(folder: string, sequence: number, files: SegmentFiles = diskFiles): SegmentWriter {
  const fd = files.open(join(folder, segmentName(sequence)));
  let bytes = 0;
  let isBroken = false;
  let syncing: Promise<void> | undefined;

  const cutBack = (size: number) => {
    try {
      files.truncate(fd, size);
    } catch {
      isBroken = true;
    }
  };

  const write = (buffer: Buffer, length: number) => {
    const { written, error } = writeAll(files, fd, buffer, length, bytes);
    const kept = wholeFramesEnd(buffer, written);
    if (kept.end < written) cutBack(bytes + kept.end);
    bytes += kept.end;
    return { frames: kept.frames, error };
  };

  const startSync = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    files.sync(fd, (error) => (error ? reject(error) : resolve()));
    await promise.finally(() => {
      syncing = undefined;
    });
  };
  const sync = () => {
    syncing ??= startSync();
    return syncing;
  };

  return {
    sequence,
    get bytes() {
      return bytes;
    },
    get isBroken() {
      return isBroken;
    },
    write,
    sync,
    close: async () => {
      await syncing?.catch(() => undefined);
      files.close(fd);
    },
  };
}

function writeAll(files: SegmentFiles, fd: number, buffer: Buffer, length: number, position: number) {
  let written = 0;
  try {
    while (written < length) {
      const taken = files.write(fd, buffer, written, length - written, position + written);
      if (taken <= 0) throw new Error("The disk accepted no bytes.");
      written += taken;
    }
    return { written, error: undefined };
  } catch (error) {
    return { written, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
