import { expect, test } from "bun:test";
import { regions } from "./regions";

test("a far server goes on beside its replica while the line is cut, and brings every click home once", async () => {
  const report = await regions({ calmMs: 2_000, cutMs: 3_000, perSecond: 100, apiTries: 1 });
  expect(report).toMatchObject({ cutOffFailed: 0, staleAfterCut: 0, failed: 0, lost: 0, doubled: 0 });
  expect(report.cutOff).toBeGreaterThan(0);
  expect(report.changes).toBeGreaterThan(0);
}, 240_000);
