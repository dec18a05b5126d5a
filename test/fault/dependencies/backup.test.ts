import { expect, test } from "bun:test";
import { backUpAndRestore, isRestored } from "./backup";
import { upgrade } from "./upgrade";

test("a dump taken while clicks flow, restored beside the spool: nobody is missing, and figures agree", async () => {
  const report = await backUpAndRestore({ backup: "pg_dump", volume: "kept", loadMs: 400 });
  expect({ ...report, isRestored: isRestored(report) }).toMatchObject({ isRestored: true, lost: 0, errors: 0 });
  expect(report.before).toBeGreaterThan(0);
}, 240_000);

test("a copy of the cluster taken while clicks flow, restored without the spool: nobody from before is missing", async () => {
  const report = await backUpAndRestore({ backup: "pg_basebackup", volume: "lost", loadMs: 400 });
  expect({ ...report, isRestored: isRestored(report) }).toMatchObject({ isRestored: true, lostOfBefore: 0, errors: 0 });
}, 240_000);

test("a database of an earlier release is brought up to date and served; its dump is the way back", async () => {
  expect(await upgrade()).toEqual({
    ...{ from: 9, wrong: 0, filledDays: 2, errors: 0, restored: 9, isRestoredAlike: true },
    figures: expect.stringMatching(/: 0 differences$/),
  });
}, 240_000);
