/**
 * Memory that the garbage collector knows nothing of. By what it knows of, it tells how much garbage may pile up before it
 * comes: half of it and more, so that bytes kept in buffers cost one and a half times what they are.
 *
 * Blocks are copied from and to, never handed out: a view would outlive what it shows. Where the system does not give memory
 * in this way, a block is a buffer like any other.
 */
import type { Pointer } from "bun:ffi";
import { openCLibrary } from "../c-library";

/** It begins as noughts. */
export interface Block {
  /** Copies `into.length` bytes from there. This and `write` throw a RangeError past the end of the block, and once it is freed. */
  read(start: number, into: Buffer): void;
  write(start: number, from: Buffer): void;
  /** Gives the memory back at once. Calling it again changes nothing. */
  free(): void;
}

/** The same on Linux and macOS. */
const PROT_READ_WRITE = 3;
const MAP_PRIVATE = 2;
const MAP_ANONYMOUS = process.platform === "darwin" ? 0x1000 : 0x20;

export function allocateBlock(bytes: number, system = library()): Block {
  const start = system?.mmap(null, bytes, PROT_READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // A refusal is the highest address there is, which is too large for a number.
  return system && typeof start === "number" ? new MappedBlock(system, start, bytes) : new BufferBlock(bytes);
}

/** Of blocks that nobody holds any more. */
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
    if (this.#isFreed || !isWithin(start, length, this.bytes)) throw new RangeError("Outside a block of memory");
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
    if (!isWithin(start, length, this.#buffer.length)) throw new RangeError("Outside a block of memory");
    return this.#buffer.subarray(start, start + length);
  }
}

const isWithin = (start: number, length: number, bytes: number): boolean =>
  Number.isInteger(start) && start >= 0 && start + length <= bytes;

type System = NonNullable<ReturnType<typeof library>>;

let loaded: ReturnType<typeof loadLibrary> | null | undefined;

/** Null where the system has none that can be loaded. */
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
