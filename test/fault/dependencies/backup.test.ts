import { expect, test } from "bun:test";
import { backUpAndRestore, isRestored } from "./backup";
import { upgrade } from "./upgrade";

test("a dump taken during traffic and restored with the spool loses no click, and figures agree", async () => {
  const report = await backUpAndRestore({ backup: "pg_dump", volume: "kept", loadMs: 400 });
  expect({ ...report, isRestored: isRestored(report) }).toMatchObject({ isRestored: true, lost: 0, errors: 0 });
  expect(report.before).toBeGreaterThan(0);
}, 240_000);

test("a cluster copy taken during traffic and restored without the spool loses no click from before the backup", async () => {
  const report = await backUpAndRestore({ backup: "pg_basebackup", volume: "lost", loadMs: 400 });
  expect({ ...report, isRestored: isRestored(report) }).toMatchObject({ isRestored: true, lostOfBefore: 0, errors: 0 });
}, 240_000);

test("a database of an earlier release is upgraded and served; its dump restores the earlier state", async () => {
  expect(await upgrade()).toEqual({
    ...{ from: 9, wrong: 0, filledDays: 2, errors: 0, restored: 9, isRestoredAlike: true },
    figures: expect.stringMatching(/: 0 differences$/),
  });
}, 240_000);
