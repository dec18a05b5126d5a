import { expect, test } from "bun:test";
import { maxClicks } from "./max-clicks";

test("of a thousand simultaneous visitors on two servers, exactly a hundred are admitted, also with a password", async () => {
  const { visitors, places, admitted, noted, wrongLinks, unexpected } = await maxClicks({ rounds: 1 });
  expect(visitors).toBe(2000);
  expect({ admitted, noted, wrongLinks, unexpected }).toEqual({
    admitted: places,
    noted: places,
    wrongLinks: 0,
    unexpected: {},
  });
}, 240_000);
