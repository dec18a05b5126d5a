import { expect, test } from "bun:test";
import { changes } from "./changes";

test("two servers with one Redis serve every change, and nothing older in the end, even if their listeners are cut", async () => {
  // A busy machine takes longer than a second, but caches are refreshed only after a minute.
  const staleAfterMs = 30_000;
  const extent = { changes: 50, raceMs: 1000, lastRounds: 1, perSecond: 200 };
  const report = await changes({ ...extent, isWithRedis: true, staleAfterMs });
  expect(report).toMatchObject({ staleAfterSecond: 0, staleInTheEnd: 0, raceStale: 0 });
  expect(report.raceWrites).toBeGreaterThan(0);
  expect(report.listenersEnded).toBeGreaterThan(0);
}, 240_000);
