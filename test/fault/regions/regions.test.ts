import { expect, test } from "bun:test";
import { regions } from "./regions";

test("a remote server keeps serving from its replica while cut off, and delivers every click exactly once", async () => {
  const report = await regions({ calmMs: 2_000, cutMs: 3_000, perSecond: 100, apiTries: 1 });
  expect(report).toMatchObject({ cutOffFailed: 0, staleAfterCut: 0, failed: 0, lost: 0, doubled: 0 });
  expect(report.cutOff).toBeGreaterThan(0);
  expect(report.changes).toBeGreaterThan(0);
}, 240_000);
