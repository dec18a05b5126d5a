import { expect, test } from "bun:test";
import { killRollAndEnd, type RollingReport, rollUnderLoad } from "./rolling";

const flawless = ({ rows }: RollingReport) => ({ failed: 0, why: "", lost: 0, countedTwice: 0, counted: rows });

/** Often enough for visits at every moment, and rarely enough to leave the machine to the starting workers. */
const PAUSE_MS = 25;

test("a worker alone, replaced and ended under load, fails no request that got a connection and loses no click", async () => {
  const report = await rollUnderLoad(1, 1, PAUSE_MS);
  expect(report).toMatchObject({ ...flawless(report), cut: 0, refused: 0, rows: report.acknowledged });
  expect(report.acknowledged).toBeGreaterThan(0);
}, 240_000);

test("of a killed worker only requests under way fail; it is started again, both are replaced and end, and no click is lost or doubled", async () => {
  const report = await killRollAndEnd(PAUSE_MS);
  expect(report).toMatchObject({ ...flawless(report), refused: 0 });
  expect(report.acknowledged).toBeGreaterThan(0);
  expect(report.rows).toBeGreaterThanOrEqual(report.acknowledged);
}, 240_000);
