import { expect, test } from "bun:test";
import { hasCurrent } from "@/core/headers/if-none-match";

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ["*", true],
  ['"b"', false],
  ['"ab"', false],
  ["", false],
  [null, false],
])("a client that sends %p already has the current version: %p", (header, isCurrent) => {
  expect(hasCurrent(header, '"a"')).toBe(isCurrent);
});
