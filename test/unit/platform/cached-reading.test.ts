import { expect, test } from "bun:test";
import { createCachedReading } from "@/platform/telemetry/cached-reading";

const ALWAYS = { everyMs: 0, msMax: 10_000 };

test("is asked for once an interval, however many read it", async () => {
  let asked = 0;
  const reading = createCachedReading({ everyMs: 60_000, msMax: 10_000 }, async () => ++asked);
  expect(await Promise.all([reading.read(), reading.read()])).toEqual([1, 1]);
  expect(await reading.read()).toBe(1);
  expect(reading.failed()).toBe(0);
});

test("has no value and is counted when it fails, and has one once it answers again", async () => {
  let isAway = true;
  const reading = createCachedReading(ALWAYS, async () => {
    if (isAway) throw new Error("Postgres is unavailable");
    return 7;
  });
  expect([await reading.read(), await reading.read(), reading.failed()]).toEqual([undefined, undefined, 2]);
  isAway = false;
  expect([await reading.read(), reading.failed()]).toEqual([7, 2]);
});

test("holds nobody up when it is slow: it is counted, and no second query is sent meanwhile", async () => {
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
