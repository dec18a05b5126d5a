/** Numbers for texts that stay bytes, equal to those that a map of strings would assign. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { TextNumbers } from "@/figures/columns/value-names";

const numbersOf = (names: TextNumbers, texts: readonly string[]) => {
  const numbers = new Uint32Array(texts.length);
  names.numberAll(new TextEncoder().encode(texts.join("\0")), numbers);
  return [...numbers];
};

test("texts are numbered in order of first appearance, and each finds the other", () => {
  const text = fc
    .oneof(fc.constantFrom("", "a", "ab", "abc", "abcd", "abcde", "\u0080", "é", "ニュース", "\u{1f600}x"), fc.string())
    .map((each) => each.replaceAll("\0", ""));
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 30 }), { maxLength: 5 }), (parts) => {
      const names = new TextNumbers();
      const known: string[] = [];
      for (const part of parts) {
        for (const each of part) if (!known.includes(each)) known.push(each);
        expect(numbersOf(names, part)).toEqual(part.map((each) => known.indexOf(each)));
      }
      expect(names.count).toBe(known.length);
      expect(known.map((_, number) => names.textOf(number))).toEqual(known);
      expect(known.map((each) => names.find(each))).toEqual(known.map((_, number) => number));
      expect([names.find("never"), names.textOf(known.length)]).toEqual([known.includes("never") ? 0 : undefined, ""]);
    }),
    { numRuns: 200 },
  );
});

test("a hundred thousand texts that differ only in their digits get different numbers", () => {
  const names = new TextNumbers();
  const texts = Array.from({ length: 100_000 }, (_, place) => `https://example.com/landing/${place}`);
  const places = texts.map((_, place) => place);
  expect(numbersOf(names, texts)).toEqual(places);
  expect(numbersOf(names, texts)).toEqual(places);
  expect(names.textOf(99_999)).toBe("https://example.com/landing/99999");
});
