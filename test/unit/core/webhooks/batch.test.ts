import { describe, expect, test } from "bun:test";
import { BATCH_MESSAGES_MAX, batchBody, batchesOf } from "@/core/webhooks/batch";

const items = (count: number, bytes = 10) =>
  Array.from({ length: count }, (_, number) => ({ number, body: "x".repeat(bytes) }));
const sizes = (batches: unknown[][]) => batches.map(({ length }) => length);

describe("batches", () => {
  test("hold a hundred messages at most, in their order", () => {
    const batches = batchesOf(items(250));
    expect(sizes(batches)).toEqual([BATCH_MESSAGES_MAX, BATCH_MESSAGES_MAX, 50]);
    expect(batches.flat()).toEqual(items(250));
  });

  test("stay below their size; what is larger is alone", () => {
    expect(sizes(batchesOf(items(5, 100_000)))).toEqual([2, 2, 1]);
    expect(sizes(batchesOf(items(2, 300_000)))).toEqual([1, 1]);
    expect(batchesOf([])).toEqual([]);
  });

  test("are JSON of their messages", () => {
    expect(JSON.parse(batchBody("an id", ['{"a":1}', '{"b":[]}']))).toEqual({
      id: "an id",
      events: [{ a: 1 }, { b: [] }],
    });
  });
});
