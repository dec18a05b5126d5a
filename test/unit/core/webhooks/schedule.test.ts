import { describe, expect, test } from "bun:test";
import { nextWaitMs, retryAfterMs, WAIT_MS_MAX } from "@/core/webhooks/schedule";

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

describe("a failed delivery is retried", () => {
  test.each([
    ["the first", 1, 5 * SECOND],
    ["the second", 2, 5 * MINUTE],
    ["the third", 3, 30 * MINUTE],
    ["the fourth", 4, 2 * HOUR],
    ["the fifth", 5, 5 * HOUR],
    ["the sixth", 6, 10 * HOUR],
    ["the seventh", 7, 14 * HOUR],
    ["the eighth", 8, 20 * HOUR],
    ["the ninth", 9, 24 * HOUR],
  ])("after %s attempt, with its wait varied by up to a fifth", (_, attempts, waitMs) => {
    expect(nextWaitMs(attempts, 0)).toBe(waitMs * 0.8);
    expect(nextWaitMs(attempts, 0.5)).toBe(waitMs);
    expect(nextWaitMs(attempts, 1)).toBe(waitMs * 1.2);
  });

  test("never after the tenth attempt", () => {
    for (const attempts of [10, 11, 1_000]) expect(nextWaitMs(attempts, 0.5, HOUR)).toBeUndefined();
  });

  test.each([
    ["longer, as it asks", 1, 90 * SECOND, 90 * SECOND],
    ["no sooner than its turn", 2, SECOND, 5 * MINUTE],
    ["no longer than the longest wait", 1, 1_000 * HOUR, WAIT_MS_MAX],
  ])("%s", (_, attempts, askedMs, waitMs) => {
    expect(nextWaitMs(attempts, 0.5, askedMs)).toBe(waitMs);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-04T05:06:07Z");

  test.each([
    ["120", 120 * SECOND],
    [" 0 ", 0],
    ["Wed, 04 Mar 2026 05:08:07 GMT", 2 * MINUTE],
    ["Wed, 04 Mar 2020 05:08:07 GMT", 0],
    ["-1", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["2026", 2_026 * SECOND],
    ["", undefined],
    [null, undefined],
  ])("%p asks for %p ms", (header, waitMs) => {
    expect(retryAfterMs(header, now)).toBe(waitMs);
  });
});
