import { expect, test } from "bun:test";
import { REDIS_MODES, redisMode } from "./redis-modes";
import { STALE_IN_TESTS_AFTER_MS } from "./takeover";

/** With TLS the servers are separate processes, because a process reads its certificate authority at start. */
test.each([...REDIS_MODES])(
  "redis as %s: its failover costs no redirect, no write, no click, and leaves nothing old",
  async (name) => {
    const report = await redisMode(name, {
      calmMs: 500,
      perSecond: 50,
      areHere: name !== "TLS",
      staleAfterMs: STALE_IN_TESTS_AFTER_MS,
    });
    expect(report).toMatchObject({ redirected: 100, lostWrites: 0, stale: 0, lost: 0, countedTwice: 0 });
    expect(report.made).toBeGreaterThan(0);
  },
  240_000,
);
