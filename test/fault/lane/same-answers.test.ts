import { expect, test } from "bun:test";
import { sameAnswers } from "./same-answers";

test("with the lane and without it, the same bytes get the same answers and leave the same clicks, however odd they are", async () => {
  const report = await sameAnswers({ requests: 300, seed: 20_260_101 });
  expect(report).toMatchObject({ different: 0, clicksDifferent: 0 });
  expect(report.inLane).toBeGreaterThan(20);
  expect(report.clicks).toBeGreaterThan(report.inLane);
}, 240_000);
