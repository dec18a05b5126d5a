/**
 * Memory that the garbage collector does not count. From the memory it counts, the collector derives how much garbage
 * may pile up before it runs (at least half that amount), so bytes held in buffers cost one and a half times their
 * size.
 *
 * Blocks are copied to and from, never handed out, because a view could outlive its block. Where the system cannot
 * provide such memory, a block is an ordinary buffer.
 */
import type { Pointer } from "bun:ffi";
import { openCLibrary } from "../c-library";

/** A block of memory, which begins as zeros. */
export interface Block {
  /**
   * Copies `into.length` bytes from `start` on. `read` and `write` throw a RangeError past the end of the block, and
   * once it is freed.
   */
  read(start: number, into: Buffer): void;
  write(start: number, from: Buffer): void;
  /** Returns the memory to the system immediately. Calling it again has no effect. */
  free(): void;
}

/** These two are the same on Linux and macOS. */
const PROT_READ_WRITE = 3;
const MAP_PRIVATE = 2;
const MAP_ANONYMOUS = process.platform === "darwin" ? 0x1000 : 0x20;

export function allocateBlock(bytes: number, system = library()): Block {
  const start = system?.mmap(null, bytes, PROT_READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // On failure, mmap returns the highest address, which is too large for a number.
  return system && typeof start === "number" ? new MappedBlock(system, start, bytes) : new BufferBlock(bytes);
}

/** Unmaps blocks that were dropped without being freed. */
const forgotten = new FinalizationRegistry<() => void>((unmap) => unmap());

class MappedBlock implements Block {
  #isFreed = false;

  constructor(
    private readonly system: System,
    private readonly first: Pointer,
    private readonly bytes: number,
  ) {
    forgotten.register(this, () => system.munmap(first, bytes), this);
  }

  read(start: number, into: Buffer): void {
    this.system.memcpy(into, this.#at(start, into.length), into.length);
  }

  write(start: number, from: Buffer): void {
    this.system.memcpy(this.#at(start, from.length), from, from.length);
  }

  free(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    forgotten.unregister(this);
    this.system.munmap(this.first, this.bytes);
  }

  #at(start: number, length: number): Pointer {
    if (this.#isFreed || !isWithin(start, length, this.bytes)) throw new RangeError("Access beyond the memory block");
    return (this.first + start) as Pointer;
  }
}

class BufferBlock implements Block {
  #buffer: Buffer;

  constructor(bytes: number) {
    this.#buffer = Buffer.alloc(bytes);
  }

  read(start: number, into: Buffer): void {
    this.#at(start, into.length).copy(into);
  }

  write(start: number, from: Buffer): void {
    from.copy(this.#at(start, from.length));
  }

  free(): void {
    this.#buffer = Buffer.alloc(0);
  }

  #at(start: number, length: number): Buffer {
    if (!isWithin(start, length, this.#buffer.length)) throw new RangeError("Access beyond the memory block");
    return this.#buffer.subarray(start, start + length);
  }
}

const isWithin = (start: number, length: number, bytes: number): boolean =>
  Number.isInteger(start) && start >= 0 && start + length <= bytes;

type System = NonNullable<ReturnType<typeof library>>;

let loaded: ReturnType<typeof loadLibrary> | null | undefined;

/** Returns null if no C library can be loaded. */
function library() {
  if (loaded !== undefined) return loaded;
  try {
    loaded = loadLibrary();
  } catch {
    loaded = null;
  }
  return loaded;
}

const loadLibrary = () =>
  openCLibrary({
    mmap: { args: ["ptr", "u64", "i32", "i32", "i32", "i64"], returns: "ptr" },
    munmap: { args: ["ptr", "u64"], returns: "i32" },
    memcpy: { args: ["ptr", "ptr", "u64"], returns: "ptr" },
  });
