/**
 * The format that Postgres reads with `COPY … (format binary)`; integration tests show that Postgres accepts the
 * rows.
 */
import { expect, test } from "bun:test";
import { BinaryRows, fieldsOf } from "@/platform/db/binary-rows";

const bytesOf = (put: (rows: BinaryRows) => void) => Buffer.from(fieldsOf(put));

test.each([0, 1, 946_684_799_999, 946_684_800_000, 1_790_000_000_123, 9_007_199_254_740, 253_402_300_799_999])(
  "the instant %d is its microseconds since 2000, exactly",
  (at) => {
    const bytes = bytesOf((rows) => rows.instant(at));
    expect([bytes.readInt32BE(0), bytes.readBigInt64BE(4)]).toEqual([8, BigInt(at - 946_684_800_000) * 1_000n]);
  },
);

test.each(["0198f2b1-0000-7abc-8def-0123456789ab", "0198F2B1-0000-7ABC-8DEF-0123456789AB"])(
  "the id %s is its sixteen bytes",
  (id) => {
    expect(bytesOf((rows) => rows.uuid(id)).toString("hex")).toBe("000000100198f2b100007abc8def0123456789ab");
  },
);

test.each([
  ["of any script", "Zürich 東京 🌍", "Zürich 東京 🌍"],
  ["with what Postgres has no room for", "a\0b", "ab"],
  ["cut within a pair", "a\ud83c", "a\ufffd"],
  ["longer than a chunk", "東".repeat(200_000), "東".repeat(200_000)],
])("text %s has its length in bytes before it", (_, text, kept) => {
  const bytes = bytesOf((rows) => rows.text(text));
  expect(bytes.toString("utf8", 4)).toBe(kept);
  expect(bytes.readInt32BE(0)).toBe(bytes.length - 4);
});

test("an array is written with its length, and an empty one with no dimension", () => {
  const some = bytesOf((rows) => rows.texts(["head", "repeat"]));
  expect(some.readInt32BE(0)).toBe(some.length - 4);
  expect([4, 8, 12, 16, 20, 24].map((at) => some.readInt32BE(at))).toEqual([1, 0, 25, 2, 1, 4]);
  expect(some.toString("utf8", 28, 32)).toBe("head");
  expect(bytesOf((rows) => rows.texts([])).toString("hex")).toBe("0000000c000000000000000000000019");
});

test("a chunk contains only whole rows, however long they are", () => {
  const rows = new BinaryRows();
  const value = "x".repeat(100_000);
  const chunks: Uint8Array[] = [];
  for (let row = 0; row < 7; row++) {
    rows.row(1);
    rows.text(value);
    if (rows.isFull) chunks.push(new Uint8Array(rows.take()));
  }
  chunks.push(new Uint8Array(rows.take()));
  expect(chunks.map(({ length }) => length)).toEqual([3, 3, 1].map((count) => count * (2 + 4 + value.length)));
});
