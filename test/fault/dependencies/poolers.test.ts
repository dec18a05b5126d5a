import { expect, test } from "bun:test";
import { pooler } from "./poolers";
import { STALE_IN_TESTS_AFTER_MS } from "./takeover";

test("a pooler killed under load loses no acknowledged write or click, and fails no cached redirect", async () => {
  const report = await pooler({ calmMs: 500, perSecond: 50, areHere: true, staleAfterMs: STALE_IN_TESTS_AFTER_MS });
  expect(report).toMatchObject({ redirected: 100, lostWrites: 0, stale: 0, lost: 0, countedTwice: 0 });
  expect(report.made).toBeGreaterThan(0);
  expect(report.clicks).toBeGreaterThan(0);
}, 240_000);
