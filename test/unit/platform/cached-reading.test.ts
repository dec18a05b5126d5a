import { expect, test } from "bun:test";
import { createCachedReading } from "@/platform/telemetry/cached-reading";

const ALWAYS = { everyMs: 0, msMax: 10_000 };

test("a value is queried once per interval, however many read it", async () => {
  let asked = 0;
  const reading = createCachedReading({ everyMs: 60_000, msMax: 10_000 }, async () => ++asked);
  expect(await Promise.all([reading.read(), reading.read()])).toEqual([1, 1]);
  expect(await reading.read()).toBe(1);
  expect(reading.failed()).toBe(0);
});

test("a failed query gives no value and is counted, and the next successful one gives a value", async () => {
  let isAway = true;
  const reading = createCachedReading(ALWAYS, async () => {
    if (isAway) throw new Error("Postgres is unavailable");
    return 7;
  });
  expect([await reading.read(), await reading.read(), reading.failed()]).toEqual([undefined, undefined, 2]);
  isAway = false;
  expect([await reading.read(), reading.failed()]).toEqual([7, 2]);
});

test("a slow query blocks no reader: it is counted as failed, and no second one is sent until it ends", async () => {
  const slow = Promise.withResolvers<number>();
  let asked = 0;
  const reading = createCachedReading({ everyMs: 0, msMax: 4 }, () => {
    asked += 1;
    return slow.promise;
  });
  expect([await reading.read(), await reading.read(), reading.failed(), asked]).toEqual([undefined, undefined, 2, 1]);
  slow.resolve(7);
  expect([await reading.read(), reading.failed()]).toEqual([7, 2]);
});
