import { expect, test } from "bun:test";
import { FiguresRow } from "@/figures/read/packed";

test("a row copies its counts instead of keeping a view of the buffer that they were read from", () => {
  const read = Buffer.from([0, 0, 1, 2, 9, 9, 9, 9]);
  const counts = read.subarray(0, 4);
  const row = new FiguresRow({ start: 0, version: "1", clicks: 1, opens: 0, counts, visitors: null });
  read.fill(7);
  expect([...row.counts]).toEqual([0, 0, 1, 2]);
  expect(row.counts.buffer.byteLength).toBe(4);
});
