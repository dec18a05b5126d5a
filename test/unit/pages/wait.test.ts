/** How pages word a waiting time. */
import { expect, test } from "bun:test";
import { waitIn } from "@/pages/wait";

const HOUR = 3_600;

test.each([
  [0, "in 1 minute"],
  [1, "in 1 minute"],
  [60, "in 1 minute"],
  [61, "in 2 minutes"],
  [HOUR, "in 60 minutes"],
  [2 * HOUR, "in 120 minutes"],
  [2 * HOUR + 1, "in 3 hours"],
  [24 * HOUR, "in 24 hours"],
  [48 * HOUR, "in 48 hours"],
  [48 * HOUR + 1, "in 3 days"],
])("%p seconds are worded %p", (seconds, worded) => {
  expect(waitIn("en", seconds)).toBe(worded);
});

test("each language uses its own singular and plural", () => {
  expect([1, 60].map((minutes) => waitIn("de", minutes * 60))).toEqual(["in 1 Minute", "in 60 Minuten"]);
  expect([1, 60].map((minutes) => waitIn("it", minutes * 60))).toEqual(["tra 1 minuto", "tra 60 minuti"]);
  expect([5, 90].map((hours) => waitIn("nl", hours * HOUR))).toEqual(["over 5 uur", "over 4 dagen"]);
});
