import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { frameBytes, putFrame, segmentName, segmentSequences } from "@/clicks/spool/segment";
import { SegmentReader, SPOOL_END } from "@/clicks/spool/segment-reader";
import { temporaryFolder } from "../records";

const START = { segment: 0, offset: 0 };
let folder: ReturnType<typeof temporaryFolder>;
let reader: SegmentReader;

beforeEach(() => {
  folder = temporaryFolder();
  reader = new SegmentReader(folder.path);
});
afterEach(() => {
  reader.close();
  folder.remove();
});

function frames(lines: readonly string[]): Buffer {
  const payloads = lines.map((line) => Buffer.from(line));
  const buffer = Buffer.alloc(payloads.reduce((bytes, { length }) => bytes + frameBytes(length), 0));
  payloads.reduce((end, payload) => putFrame(buffer, end, payload), 0);
  return buffer;
}

const put = (sequence: number, bytes: Buffer) => writeFileSync(join(folder.path, segmentName(sequence)), bytes);
const read = (until = SPOOL_END, linesMax = 1000) => reader.read(START, until, linesMax);
const lines = (chunk: ReturnType<typeof read>) => chunk.lines.map(({ line }) => line);

describe("a segment", () => {
  test("torn at any byte returns every frame before the tear", () => {
    const texts = ["first", "second with ümlauts and 漢字", "third"];
    const whole = frames(texts);
    const ends = texts.map((_, count) => frames(texts.slice(0, count + 1)).length);
    for (let size = 0; size <= whole.length; size += 1) {
      put(1, whole.subarray(0, size));
      const chunk = new SegmentReader(folder.path).read(START, SPOOL_END, 1000);
      expect(lines(chunk)).toEqual(texts.filter((_, index) => (ends[index] ?? 0) <= size));
    }
  });

  test("that is torn is followed by the next one, and its torn bytes are counted", () => {
    put(1, Buffer.concat([frames(["one"]), frames(["lost"]).subarray(0, 9)]));
    put(2, frames(["two"]));
    const chunk = read();
    expect(lines(chunk)).toEqual(["one", "two"]);
    expect(chunk.tornBytes).toBe(9);
  });

  test("with a changed byte shows which frame is damaged, and is read on after it", () => {
    const bytes = frames(["one", "two", "three"]);
    const inTwo = frames(["one"]).length + 9;
    bytes.writeUInt8(bytes.readUInt8(inTwo) ^ 0x20, inTwo);
    put(1, bytes);
    expect(read().lines.map(({ isWhole }) => isWhole)).toEqual([true, false, true]);
  });

  test("with any flipped bit loses only the record that contains it", () => {
    const texts = Array.from({ length: 8 }, (_, index) => `record ${index} ${"x".repeat(index * 5)}`);
    const sound = frames(texts);
    for (let bit = 0; bit < sound.length * 8; bit += 1) {
      const bytes = Buffer.from(sound);
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const hit = texts.findIndex((_, index) => bit >> 3 < frames(texts.slice(0, index + 1)).length);
      put(1, bytes);
      put(2, frames(["after"]));
      const survivor = new SegmentReader(folder.path);
      const chunk = survivor.read(START, SPOOL_END, 1000);
      survivor.close();
      const kept = chunk.lines.filter(({ isWhole }) => isWhole).map(({ line }) => line);
      expect(kept).toEqual([...texts.filter((_, index) => index !== hit), "after"]);
      expect(chunk.damagedBytes + chunk.tornBytes).toBe(frames([texts[hit] ?? ""]).length);
    }
  });

  test("is read past noise that is larger than the reader's buffer", () => {
    const noise = Buffer.alloc(3 * 1024 * 1024, "noise ");
    put(1, Buffer.concat([frames(["before"]), noise, frames(["behind"])]));
    const chunk = read();
    expect(chunk.lines.filter(({ isWhole }) => isWhole).map(({ line }) => line)).toEqual(["before", "behind"]);
    const aside = chunk.lines.filter(({ isWhole }) => !isWhole).map(({ line }) => Buffer.from(line, "base64"));
    expect(Buffer.concat(aside).equals(noise)).toBe(true);
    expect(chunk.damagedBytes).toBe(noise.length);
  });

  test("that is still being written has no torn tail: bytes without a valid frame count as damaged", () => {
    const bytes = frames(["one", "two"]);
    bytes.writeUInt8(0xff, frames(["one"]).length);
    put(1, bytes);
    const until = { segment: 1, offset: bytes.length };
    const chunk = read(until);
    expect(chunk.lines.map(({ isWhole }) => isWhole)).toEqual([true, false]);
    expect(chunk.end).toEqual(until);
  });

  test("truncated while being written counts the missing bytes, and continues with later frames", () => {
    const [one, two, three] = [frames(["one"]), frames(["two"]), frames(["three"])];
    put(1, one);
    const written = { segment: 1, offset: one.length + two.length };
    const first = read(written);
    expect(lines(first)).toEqual(["one"]);
    expect(first).toMatchObject({ end: written, damagedBytes: two.length });
    put(1, Buffer.concat([one, Buffer.alloc(two.length), three]));
    const further = { segment: 1, offset: written.offset + three.length };
    expect(lines(reader.read(first.end, further, 10))).toEqual(["three"]);
    expect(lines(read(further))).toEqual(["one", "three"]);
  });

  test("deleted while being written is skipped, and its bytes are counted as damaged", () => {
    const chunk = read({ segment: 5, offset: 100 });
    expect(chunk.lines).toEqual([]);
    const behind = reader.read({ segment: 5, offset: 0 }, { segment: 5, offset: 100 }, 10);
    expect(behind).toMatchObject({ end: { segment: 5, offset: 100 }, damagedBytes: 100 });
  });

  test("that ends in zeros, as after a power loss, has no frames there", () => {
    put(1, Buffer.concat([frames(["one"]), Buffer.alloc(64)]));
    put(2, frames(["two"]));
    expect(lines(read())).toEqual(["one", "two"]);
  });

  test("of random bytes does not stop the reader", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        put(1, Buffer.from(bytes));
        put(2, frames(["after"]));
        const survivor = new SegmentReader(folder.path);
        expect(lines(survivor.read(START, SPOOL_END, 1000)).at(-1)).toBe("after");
        survivor.close();
      }),
    );
  });

  test("larger than the reader's buffer is read whole", () => {
    const texts = Array.from({ length: 3000 }, (_, index) => `${index}:${"x".repeat(1000)}`);
    put(1, frames(texts));
    expect(lines(read(SPOOL_END, 5000))).toEqual(texts);
  });
});

describe("reading", () => {
  test("can resume at the end of any line", () => {
    put(1, frames(["a", "b"]));
    put(7, frames(["c", "d", "e"]));
    const all = read();
    for (const [index, { end }] of all.lines.entries()) {
      expect(reader.read(end, SPOOL_END, 1000).lines).toEqual(all.lines.slice(index + 1));
    }
  });

  test("stops at the requested number of lines", () => {
    put(1, frames(["a", "b", "c"]));
    const chunk = read(SPOOL_END, 2);
    expect(lines(chunk)).toEqual(["a", "b"]);
    expect(lines(reader.read(chunk.end, SPOOL_END, 2))).toEqual(["c"]);
  });

  test("never goes past the position that the writer reports", () => {
    put(1, frames(["a"]));
    put(2, frames(["b", "c"]));
    const chunk = read({ segment: 2, offset: frames(["b"]).length });
    expect(lines(chunk)).toEqual(["a", "b"]);
    expect(chunk.end).toEqual({ segment: 2, offset: frames(["b"]).length });
  });

  test("skips segments that were applied and deleted", () => {
    put(9, frames(["a"]));
    expect(lines(reader.read({ segment: 3, offset: 77 }, SPOOL_END, 10))).toEqual(["a"]);
  });

  test("waits for a segment that is announced but not yet created", () => {
    put(1, frames(["a"]));
    const announced = { segment: 2, offset: 0 };
    const chunk = read(announced);
    expect(chunk.end).toEqual(announced);
    put(5, frames(["b"]));
    expect(lines(reader.read(chunk.end, { segment: 5, offset: frames(["b"]).length }, 10))).toEqual(["b"]);
  });
});

test("segment files are distinguished from other files, and sorted", () => {
  const names = ["lock", segmentName(12), "poison", segmentName(3), "x.seg", "0000000001.seg.bak"];
  expect(segmentSequences(names)).toEqual([3, 12]);
});
