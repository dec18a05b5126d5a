import { expect, test } from "bun:test";
import { killRollAndEnd, type RollingReport, rollUnderLoad } from "./rolling";

const flawless = ({ rows }: RollingReport) => ({ failed: 0, why: "", lost: 0, countedTwice: 0, counted: rows });

/** Often enough for visits at every moment, and rarely enough to leave the machine to the starting workers. */
const PAUSE_MS = 25;

test("a single worker that is replaced and stopped under load fails no connected request and loses no click", async () => {
  const report = await rollUnderLoad(1, 1, PAUSE_MS);
  expect(report).toMatchObject({ ...flawless(report), cut: 0, refused: 0, rows: report.acknowledged });
  expect(report.acknowledged).toBeGreaterThan(0);
}, 240_000);

test("a killed worker fails only requests in progress; restarting, replacing and stopping lose or double no click", async () => {
  const report = await killRollAndEnd(PAUSE_MS);
  expect(report).toMatchObject({ ...flawless(report), refused: 0 });
  expect(report.acknowledged).toBeGreaterThan(0);
  expect(report.rows).toBeGreaterThanOrEqual(report.acknowledged);
}, 240_000);
