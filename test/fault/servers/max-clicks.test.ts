import { expect, test } from "bun:test";
import { maxClicks } from "./max-clicks";

test("a thousand visitors at once over two servers, and exactly a hundred are let in, with a password too", async () => {
  const { visitors, places, admitted, noted, wrongLinks, unexpected } = await maxClicks({ rounds: 1 });
  expect(visitors).toBe(2000);
  expect({ admitted, noted, wrongLinks, unexpected }).toEqual({
    admitted: places,
    noted: places,
    wrongLinks: 0,
    unexpected: {},
  });
}, 240_000);
