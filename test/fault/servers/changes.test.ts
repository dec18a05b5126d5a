import { expect, test } from "bun:test";
import { changes } from "./changes";

test("two servers with one Redis serve every change, and nothing older in the end, even if their listeners are cut", async () => {
  const report = await changes({ changes: 50, raceMs: 1000, lastRounds: 1, isWithRedis: true, perSecond: 200 });
  expect(report).toMatchObject({ staleAfterSecond: 0, staleInTheEnd: 0, raceStale: 0 });
  expect(report.raceWrites).toBeGreaterThan(0);
  expect(report.listenersEnded).toBeGreaterThan(0);
}, 240_000);
