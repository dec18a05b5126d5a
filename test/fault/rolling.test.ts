import { expect, test } from "bun:test";
import { killWorkers, type RollingReport, rollUnderLoad, terminateUnderLoad } from "./rolling";

const flawless = ({ rows }: RollingReport) => ({ failed: 0, why: "", lost: 0, countedTwice: 0, counted: rows });

test.each([2, 1])(
  "%d workers replaced under load fail no request and lose no click",
  async (workers) => {
    const report = await rollUnderLoad(2, workers);
    expect(report).toMatchObject({ ...flawless(report), cut: 0, refused: 0, rows: report.acknowledged });
    expect(report.acknowledged).toBeGreaterThan(0);
  },
  90_000,
);

test("a service ended under load fails no request that got a connection and loses no click", async () => {
  const report = await terminateUnderLoad(1);
  expect(report).toMatchObject({ ...flawless(report), cut: 0, rows: report.acknowledged });
  expect(report.acknowledged).toBeGreaterThan(0);
}, 240_000);

test("of a killed worker only requests under way fail; it is started again, and no click is lost or doubled", async () => {
  const report = await killWorkers(2);
  expect(report).toMatchObject({ ...flawless(report), refused: 0 });
  expect(report.acknowledged).toBeGreaterThan(0);
  expect(report.rows).toBeGreaterThanOrEqual(report.acknowledged);
}, 240_000);
