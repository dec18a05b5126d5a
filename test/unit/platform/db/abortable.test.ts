import { describe, expect, test } from "bun:test";
import { livePromises } from "@test/support/memory/live-promises";
import { pause, unlessAborted } from "@/platform/db/connection/abortable";

const TURNS = 10_000;
const HOUR_MS = 3_600_000;

const aborted = (reason?: Error) => {
  const controller = new AbortController();
  controller.abort(reason);
  return controller.signal;
};

describe("a pause", () => {
  test("ends early when the signal is aborted, and immediately if it already was", async () => {
    const ending = new AbortController();
    const paused = pause(HOUR_MS, ending.signal);
    ending.abort();
    await paused;
    await pause(HOUR_MS, aborted());
  });

  test("leaks nothing on a long-lived signal", async () => {
    const { signal } = new AbortController();
    const before = livePromises();
    for (let turns = 0; turns < TURNS; turns += 100) {
      await Promise.all(Array.from({ length: 100 }, () => pause(0, signal)));
    }
    await pause(0, signal);
    expect(livePromises() - before).toBeLessThan(TURNS / 100);
  });
});

describe("work unless aborted", () => {
  test("settles as the work does", async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(7), signal)).toBe(7);
    await expect(unlessAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  });

  test("rejects with the signal's reason once that is aborted, however the work ends later", async () => {
    const ending = new AbortController();
    const work = Promise.withResolvers<number>();
    const [before, after] = [unlessAborted(work.promise, ending.signal), aborted(new Error("over before"))];
    ending.abort(new Error("over"));
    await expect(before).rejects.toThrow("over");
    await expect(unlessAborted(work.promise, after)).rejects.toThrow("over before");
    work.reject(new Error("too late"));
    await Bun.sleep(0);
  });

  test("leaks nothing on a long-lived signal", async () => {
    const { signal } = new AbortController();
    const before = livePromises();
    for (let turn = 0; turn < TURNS; turn++) await unlessAborted(Promise.resolve(turn), signal);
    expect(livePromises() - before).toBeLessThan(TURNS / 100);
  });
});
