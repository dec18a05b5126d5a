import { describe, expect, test } from "bun:test";
import { optional, shape, text } from "@/contract/schema";
import { createBodyReader } from "@/http/body/validation";

const read = createBodyReader(shape({ tag: text(3, 2), note: optional(text(2)) }));
const faultsOf = (body: object) => {
  const outcome = read(body);
  return outcome.ok ? [] : outcome.faults;
};

/** One character that UTF-16 needs two units for. */
const ASTRAL = "😀";

describe("the length of text counts characters, as `maxLength` in JSON Schema does", () => {
  test.each([
    ["the fewest", "ab"],
    ["the most", "abc"],
    ["the fewest beyond the basic plane", ASTRAL.repeat(2)],
    ["the most beyond the basic plane", ASTRAL.repeat(3)],
    ["both kinds", `a${ASTRAL}c`],
  ])("%s", (_, tag) => {
    expect(faultsOf({ tag })).toEqual([]);
  });

  test.each([
    ["too few", "a"],
    ["too few, although they have units enough", ASTRAL],
    ["too many", "abcd"],
    ["too many beyond the basic plane", ASTRAL.repeat(4)],
    ["more units than any text of so many characters", "a".repeat(1_000)],
    ["no text", 12],
  ])("%s", (_, tag) => {
    expect(faultsOf({ tag })).toEqual(["tag: expected 2 to 3 characters"]);
  });

  test("without a least length", () => {
    expect(faultsOf({ tag: "ab", note: "" })).toEqual([]);
    expect(faultsOf({ tag: "ab", note: ASTRAL.repeat(3) })).toEqual(["note: expected at most 2 characters"]);
  });
});
