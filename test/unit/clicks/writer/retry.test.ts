import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { GaveUpError, Retries } from "@/clicks/writer/retry";

const FAULT = new Error("Postgres is away");
const stop = () => new AbortController();

/** No pause ends on its own. */
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** The first attempt fails when the test rejects it; the second succeeds. */
function twoTries(retries: Retries) {
  const first = Promise.withResolvers<string>();
  const tries = [first.promise, Promise.resolve("applied")];
  return { first, result: retries.run(async () => tries.shift() ?? "too often") };
}

describe("once Postgres is back", () => {
  test("a waiting attempt is retried at once", async () => {
    const paused = Promise.withResolvers<void>();
    const retries = new Retries(stop().signal, () => paused.resolve());
    const { first, result } = twoTries(retries);
    first.reject(FAULT);
    await paused.promise;
    retries.hurry();
    expect(await result).toBe("applied");
  });

  test("an attempt in progress that fails afterwards is retried at once", async () => {
    const retries = new Retries(stop().signal, () => undefined);
    const { first, result } = twoTries(retries);
    retries.hurry();
    first.reject(FAULT);
    expect(await result).toBe("applied");
  });
});

test("retries give up once they are stopped", async () => {
  const stopping = stop();
  const { first, result } = twoTries(new Retries(stopping.signal, () => stopping.abort()));
  first.reject(FAULT);
  expect(result).rejects.toThrow(GaveUpError);
});
