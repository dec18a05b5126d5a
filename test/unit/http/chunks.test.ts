/** Downloads are read in chunks that fit into memory, whatever their rows contain. */
import { expect, test } from "bun:test";
import { chunksOf } from "@/http/chunks";

const MEMORY = 16_000_000;

async function lengthsRead(rows: readonly number[], lengthMax: number): Promise<number[]> {
  const read = async (after = 0, limit: number) => {
    const some = rows.slice(after, after + limit);
    return { rows: some, next: after + limit < rows.length ? after + limit : undefined };
  };
  const chunks = await Array.fromAsync(chunksOf(read, { length: (row) => row, lengthMax }));
  expect(chunks.flat()).toEqual([...rows]);
  return chunks.map((chunk) => chunk.reduce((sum, row) => sum + row));
}

const repeated = (count: number, length: number): number[] => Array.from({ length: count }, () => length);

test("large rows after small ones do not make a chunk exceed the memory limit", async () => {
  const read = await lengthsRead([...repeated(4_000, 1), ...repeated(4_000, 80_000)], 80_000);
  expect(Math.max(...read)).toBeLessThanOrEqual(MEMORY);
});

test("a row that is larger than the memory limit is read alone", async () => {
  expect(await lengthsRead(repeated(3, 2 * MEMORY), 2 * MEMORY)).toEqual(repeated(3, 2 * MEMORY));
});

test("small rows are read in chunks of more than a thousand", async () => {
  expect((await lengthsRead(repeated(20_000, 100), 8_000)).length).toBeLessThan(15);
});
