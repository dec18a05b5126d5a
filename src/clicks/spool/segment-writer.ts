/**
 * Appends frames to the newest segment of a spool. Only whole frames stay: if the disk takes only part of a write
 * (ENOSPC shows as a short write first, then as an error), the file is truncated to its last whole frame. If even
 * that fails, the segment is left as it is and the next write begins another, so that nothing is ever appended to a
 * torn tail.
 */
import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { segmentName, wholeFramesEnd } from "./segment";

/** The file system operations that the writer needs. Tests pass in failing ones. */
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
    try {
      syncFolder(dirname(path));
    } catch (error) {
      closeSync(fd);
      // The next attempt may use the same name.
      rmSync(path, { force: true });
      throw error;
    }
    return fd;
  },
  write: writeSync,
  truncate: ftruncateSync,
  sync: (fd, done) => fdatasync(fd, done),
  close: closeSync,
};

/** Syncs a folder: a new file survives power loss only once its folder entry is on disk. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** As much as dozens of clicks take. */
const PROBE = Buffer.alloc(64 * 1024);

/** Tries whether a segment could be written in the folder. Leaves no file behind. */
export function takesSegments(folder: string, files: SegmentFiles = diskFiles): boolean {
  const path = join(folder, "probe");
  try {
    // A process that crashed may have left one.
    rmSync(path, { force: true });
    const fd = files.open(path);
    try {
      return files.write(fd, PROBE, 0, PROBE.length, 0) === PROBE.length;
    } finally {
      files.close(fd);
      rmSync(path);
    }
  } catch {
    return false;
  }
}

export interface SegmentWriter {
  readonly sequence: number;
  readonly bytes: number;
  /**
   * Appends the first `length` bytes of the buffer and returns how many of its frames the file holds now. Nothing of
   * the other frames is left in the file, unless the segment is broken.
   */
  write(buffer: Buffer, length: number): { frames: number; error?: Error };
  /** True if part of a frame is left in the file, so that nothing may be appended any more. */
  readonly isBroken: boolean;
  /**
   * Resolves once everything written so far is on disk. Only one sync runs at a time: a call shares it if nothing was
   * written since it began, and otherwise shares one that follows it.
   */
  sync(): Promise<void>;
  /** Closes the file once every requested sync has ended. */
  close(): Promise<void>;
}

/** Creates a segment. Throws if the file cannot be created; never opens an existing file. */
export function openSegment(folder: string, sequence: number, files: SegmentFiles = diskFiles): SegmentWriter {
  const fd = files.open(join(folder, segmentName(sequence)));
  let bytes = 0;
  let isBroken = false;
  /** The running sync, and what the file held when it began. */
  let syncing: { bytes: number; done: Promise<void> } | undefined;
  /** The sync that follows the running one. */
  let following: Promise<void> | undefined;

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

  const startSync = () => {
    const { promise: done, resolve, reject } = Promise.withResolvers<void>();
    syncing = { bytes, done };
    files.sync(fd, (error) => {
      syncing = undefined;
      if (error) reject(error);
      else resolve();
    });
    return done;
  };
  const syncAfter = async (running: Promise<void>) => {
    // Whoever requested the running sync gets its error.
    await running.catch(() => undefined);
    following = undefined;
    await sync();
  };
  const sync = (): Promise<void> => {
    if (!syncing) return startSync();
    if (syncing.bytes === bytes) return syncing.done;
    following ??= syncAfter(syncing.done);
    return following;
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
      await (following ?? syncing?.done)?.catch(() => undefined);
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
