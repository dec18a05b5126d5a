import { expect, test } from "bun:test";
import { sameAnswers } from "./same-answers";

test("with and without the lane, the same bytes get the same responses and record the same clicks, however odd", async () => {
  const report = await sameAnswers({ requests: 300, seed: 20_260_101 });
  expect(report).toMatchObject({ different: 0, clicksDifferent: 0 });
  expect(report.inLane).toBeGreaterThan(20);
  expect(report.clicks).toBeGreaterThan(report.inLane);
}, 240_000);
