import { expect, test } from "bun:test";
import { killWorkers, type RollingReport, rollUnderLoad } from "./rolling";

const flawless = ({ rows }: RollingReport) => ({ failed: 0, why: "", lost: 0, countedTwice: 0, counted: rows });

/** Enough to be there at every moment, and few enough to leave the machine to the workers that start. */
const PAUSE_MS = 25;

test.each([
  { workers: 2, times: 1 },
  { workers: 1, times: 2 },
])(
  "$workers workers replaced ($times times) and ended under load fail no request that got a connection and lose no click",
  async ({ workers, times }) => {
    const report = await rollUnderLoad(times, workers, PAUSE_MS);
    expect(report).toMatchObject({ ...flawless(report), cut: 0, refused: 0, rows: report.acknowledged });
    expect(report.acknowledged).toBeGreaterThan(0);
  },
  90_000,
);

test("of a killed worker only requests under way fail; it is started again, and no click is lost or doubled", async () => {
  const report = await killWorkers(1, PAUSE_MS);
  expect(report).toMatchObject({ ...flawless(report), refused: 0 });
  expect(report.acknowledged).toBeGreaterThan(0);
  expect(report.rows).toBeGreaterThanOrEqual(report.acknowledged);
}, 240_000);
