/** How many raw clicks a request may load into columns, depending on how many clicks it reads. */
import { expect, test } from "bun:test";
import { rawMaxAmong } from "@/figures/columns/loaded-days";

test.each([
  ["a few thousand may all be raw", 5_000, 30_000],
  ["of a month of a busy organization, those of a whole day may", 3_000_000, 200_000],
  ["of few days, half of the clicks may", 200_000, 100_000],
])("%s", (_, clicks, most) => {
  expect(rawMaxAmong(clicks)).toBe(most);
});
