import { expect, test } from "bun:test";
import { createCommitCell } from "@/clicks/messages";

const HOUR_MS = 3_600_000;

test("a position is read in another thread as it was set", () => {
  const cell = createCommitCell();
  cell.set(3, 2 ** 31);
  expect(createCommitCell(cell.shared).get()).toEqual({ segment: 3, offset: 2 ** 31 });
});

test("waiting ends when another position is set", async () => {
  const cell = createCommitCell();
  cell.set(1, 10);
  const waiting = createCommitCell(cell.shared).untilPast(cell.get(), HOUR_MS);
  cell.set(1, 20);
  expect(await waiting).toBe("ok");
});

test("there is no wait if another position was set before", async () => {
  const cell = createCommitCell();
  const before = cell.get();
  cell.set(1, 10);
  expect(await cell.untilPast(before, HOUR_MS)).toBe("not-equal");
});

test("waiting ends in time if nothing is set", async () => {
  const cell = createCommitCell();
  expect(await cell.untilPast(cell.get(), 1)).toBe("timed-out");
});
