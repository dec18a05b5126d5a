import { describe, expect, test } from "bun:test";
import { BATCH_MESSAGES_MAX, batchBody, batchesOf } from "@/core/webhooks/batch";

const items = (count: number, letters = 10, letter = "x") =>
  Array.from({ length: count }, (_, number) => ({ number, body: letter.repeat(letters) }));
const sizes = (batches: unknown[][]) => batches.map(({ length }) => length);

describe("batches", () => {
  test("hold at most a hundred messages, in their order", () => {
    const batches = batchesOf(items(250));
    expect(sizes(batches)).toEqual([BATCH_MESSAGES_MAX, BATCH_MESSAGES_MAX, 50]);
    expect(batches.flat()).toEqual(items(250));
  });

  test("stay below the maximum size, with a larger message on its own", () => {
    expect(sizes(batchesOf(items(5, 100_000)))).toEqual([2, 2, 1]);
    expect(sizes(batchesOf(items(2, 300_000)))).toEqual([1, 1]);
    expect(batchesOf([])).toEqual([]);
  });

  test.each([
    ["é", 50_000],
    ["字", 33_000],
    ["🙂", 25_000],
  ])("stay below the maximum size in bytes with %s", (letter, letters) => {
    expect(sizes(batchesOf(items(5, letters, letter)))).toEqual([2, 2, 1]);
  });

  test("are sent as JSON with all their messages", () => {
    expect(JSON.parse(batchBody("an id", ['{"a":1}', '{"b":[]}']))).toEqual({
      id: "an id",
      events: [{ a: 1 }, { b: [] }],
    });
  });
});
