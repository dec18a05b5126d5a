/**
 * A file's bytes without reading them: the file is mapped, so all threads and processes that open it share one copy, which
 * the system reads as it is touched and may drop when it needs the memory. Opening 130 MB takes less than a millisecond.
 *
 * Only for files that are replaced, never overwritten: whoever shortens a mapped file takes its readers down. Never write
 * to the bytes either. A mapping lasts as long as the process. `Bun.mmap` opens for writing, which is refused to a user who
 * does not own the file. Where the system cannot map, the file is read.
 */
import { type Pointer, toArrayBuffer } from "bun:ffi";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { openCLibrary } from "./c-library";

/** The same on Linux and macOS. */
const PROT_READ = 1;
const MAP_PRIVATE = 2;
const MADV_WILLNEED = 3;

/** Throws when the file cannot be opened. */
export function mapFile(path: string): Buffer {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const start = mapped(fd, size);
    return start === null ? readFileSync(fd) : Buffer.from(toArrayBuffer(start, 0, size));
  } finally {
    closeSync(fd);
  }
}

/** Where it begins in memory; null when the system refuses. */
function mapped(fd: number, size: number): Pointer | null {
  const system = library();
  const start = system?.mmap(null, size, PROT_READ, MAP_PRIVATE, fd, 0);
  // A refusal is the highest address there is, which is too large for a number.
  if (!system || typeof start !== "number") return null;
  // What the disk still has to be asked for is on its way before anybody waits for it.
  system.madvise(start, size, MADV_WILLNEED);
  return start;
}

let loaded: ReturnType<typeof loadLibrary>;

function library() {
  loaded ??= loadLibrary();
  return loaded;
}

function loadLibrary() {
  try {
    return openCLibrary({
      mmap: { args: ["ptr", "u64", "i32", "i32", "i32", "i64"], returns: "ptr" },
      madvise: { args: ["ptr", "u64", "i32"], returns: "i32" },
    });
  } catch {
    return undefined;
  }
}
