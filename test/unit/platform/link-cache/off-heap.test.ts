import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { allocateBlock } from "@/platform/link-cache/off-heap";

const MEGABYTE = 1024 * 1024;

describe.each([
  ["of the system's memory", () => allocateBlock(4096)],
  ["where the system gives none", () => allocateBlock(4096, null)],
])("a block %s", (_, allocate) => {
  test("starts with zeros and keeps what is written to it", () => {
    const block = allocate();
    const bytes = Buffer.alloc(4096, 1);
    block.read(0, bytes);
    expect(bytes.every((byte) => byte === 0)).toBe(true);
    // A subarray has an offset of its own.
    block.write(4090, Buffer.from("before behind").subarray(7));
    block.write(0, Buffer.from("first"));
    block.read(4088, bytes.subarray(8, 16));
    block.read(0, bytes.subarray(0, 5));
    expect(bytes.toString("latin1", 0, 17)).toBe("first\0\0\0\0\0behind\0");
    block.free();
  });

  test("cannot be read or written outside its bounds", () => {
    const block = allocate();
    for (const start of [4090, 4096, -1, -7, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => block.read(start, Buffer.alloc(7))).toThrow(RangeError);
      expect(() => block.write(start, Buffer.alloc(7))).toThrow(RangeError);
    }
    block.write(4089, Buffer.alloc(7));
    block.read(4096, Buffer.alloc(0));
    block.free();
  });

  test("cannot be used once it is freed", () => {
    const block = allocate();
    block.free();
    block.free();
    expect(() => block.read(0, Buffer.alloc(1))).toThrow(RangeError);
    expect(() => block.write(0, Buffer.alloc(1))).toThrow(RangeError);
  });
});

test("the garbage collector does not count blocks as memory", () => {
  const known = () => {
    Bun.gc(true);
    return heapStats().extraMemorySize;
  };
  const before = known();
  const blocks = Array.from({ length: 64 }, () => allocateBlock(MEGABYTE));
  expect(known() - before).toBeLessThan(8 * MEGABYTE);
  for (const block of blocks) block.free();
});
