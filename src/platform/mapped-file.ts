/**
 * Provides a file's bytes without reading them: the file is mapped, so all threads and processes that open it share
 * one copy, which the system reads as it is used and may drop when it needs the memory. Opening 130 MB takes less
 * than a millisecond.
 *
 * Only for files that are replaced, never overwritten: shortening a mapped file crashes its readers. Never write to
 * the bytes either. A mapping lasts as long as the process. `Bun.mmap` is no alternative: it opens the file for
 * writing, which is refused to a user who does not own it. If the system cannot map, the file is read.
 */
import { type Pointer, toArrayBuffer } from "bun:ffi";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { openCLibrary } from "./c-library";

/** These values are the same on Linux and macOS. */
const PROT_READ = 1;
const MAP_PRIVATE = 2;
const MADV_WILLNEED = 3;

/** Throws if the file cannot be opened. */
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

/** Returns the address at which the mapping begins; null if the system refuses. */
function mapped(fd: number, size: number): Pointer | null {
  const system = library();
  const start = system?.mmap(null, size, PROT_READ, MAP_PRIVATE, fd, 0);
  // A refusal is the highest address there is, which does not fit into a number.
  if (!system || typeof start !== "number") return null;
  // Starts reading what is still on disk, before anything waits for it.
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
