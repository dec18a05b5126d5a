import { expect, test } from "bun:test";
import { killRepeatedly } from "./kill";

test("clicks acknowledged before kill -9 are neither lost nor counted twice", async () => {
  const { lost, acknowledged, sums, expected, poisoned } = await killRepeatedly({ kills: 2, processes: 1 });
  expect({ lost, sums, poisoned }).toEqual({ lost: 0, sums: expected, poisoned: 0 });
  expect(acknowledged).toBeGreaterThan(0);
  expect(sums.clicks).toBeGreaterThanOrEqual(acknowledged);
}, 240_000);
