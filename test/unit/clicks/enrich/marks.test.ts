import { expect, test } from "bun:test";
import { markOf } from "@/clicks/enrich/marks";

test("a hundred visits in one millisecond all have different marks", () => {
  for (let at = Date.UTC(2026, 10, 20), end = at + 200; at < end; at++) {
    const marks = Array.from({ length: 100 }, () => markOf({ at, id: Bun.randomUUIDv7("hex", at) }));
    expect(new Set(marks).size).toBe(100);
    expect(marks.every(Number.isSafeInteger)).toBe(true);
  }
});

test("later visits have greater marks, whatever their ids", () => {
  const at = Date.UTC(2053, 0, 1);
  const [first, last] = ["00000000-0000-7000-8000-000000000000", "ffffffff-ffff-7fff-bfff-ffffffffffff"];
  expect(markOf({ at: at + 1, id: first })).toBeGreaterThan(markOf({ at, id: last }));
});
