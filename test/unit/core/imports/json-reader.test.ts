/** Links in JSON, wherever the text is split into pieces. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createJsonReader, JsonFault } from "@/core/imports/json-reader";

const readIn = (pieces: string[]) => {
  const reader = createJsonReader();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
};

const piecesOf = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));

const item = fc.record({ url: fc.string(), tags: fc.array(fc.string()) });
const written = fc.oneof(
  fc.constant((items: object[]) => JSON.stringify(items)),
  fc.constant((items: object[]) => JSON.stringify({ count: 1, links: items }, null, 2)),
  fc.constant((items: object[]) => JSON.stringify({ shortUrls: { data: items } })),
  fc.constant((items: object[]) => items.map((one) => JSON.stringify(one)).join("\n")),
  fc.constant((items: object[]) => `\ufeff${items.map((one) => `${JSON.stringify(one)}\r\n`).join("\r\n")}`),
);

test("any split into pieces gives the same items, from each service's list and from JSON lines", () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1 }), written, fc.integer({ min: 1, max: 40 }), (items, write, size) => {
      expect(readIn(piecesOf(write(items), size))).toEqual(items);
    }),
  );
});

test("items on lines are returned as soon as their line ends", () => {
  const reader = createJsonReader();
  expect(reader.push('{"url":"a"}\n{"url"')).toEqual([{ url: "a" }]);
  expect(reader.push(':"b"}\n\n{"url":"c"}\n')).toEqual([{ url: "b" }, { url: "c" }]);
  expect(reader.push('{"url":"d"}')).toEqual([]);
  expect(reader.end()).toEqual([{ url: "d" }]);
});

test("a broken line is reported by its number, after all items before it", () => {
  const reader = createJsonReader();
  expect(reader.push('{"url":"a"}\n\n{"url":"b"}\n')).toHaveLength(2);
  expect(() => reader.push('{"url":\n')).toThrow(new JsonFault("The file is not valid JSON (line 4)"));
  expect(() => readIn(['[{"url":"a"},'])).toThrow(new JsonFault("The file is not valid JSON (line 1)"));
});
