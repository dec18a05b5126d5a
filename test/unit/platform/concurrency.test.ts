import { describe, expect, test } from "bun:test";
import { limitConcurrency, limitFairly } from "@/platform/concurrency";

const limit = (runningMax: number, waitingMax: number) =>
  limitConcurrency({ runningMax, waitingMax, refusal: () => new Error("full") });

/** Pieces of work that end when the test ends them, and the order in which they began. */
function works(limited: ReturnType<typeof limit>) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    ask(name: string): Promise<void> {
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      return limited(() => {
        begun.push(name);
        return end.promise;
      });
    },
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  };
}

describe("limited concurrency", () => {
  test("work beyond the limit waits, and starts in order of arrival", async () => {
    const { begun, ask, end } = works(limit(2, 10));
    const asked = ["a", "b", "c", "d", "e"].map(ask);
    expect(begun).toEqual(["a", "b"]);
    end("b");
    await asked[1];
    expect(begun).toEqual(["a", "b", "c"]);
    for (const name of ["c", "a", "d", "e"]) end(name);
    await Promise.all(asked);
    expect(begun).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("work that arrives when a place becomes free does not overtake waiting work", async () => {
    const { begun, ask, end } = works(limit(1, 10));
    const asked = [ask("a"), ask("b")];
    end("a");
    await asked[0]?.then(() => asked.push(ask("late")));
    for (const name of ["b", "late"]) end(name);
    await Promise.all(asked);
    expect(begun).toEqual(["a", "b", "late"]);
  });

  test("work is refused while the queue is full, and accepted again once a waiting piece has started", async () => {
    const { begun, ask, end } = works(limit(1, 1));
    const asked = [ask("a"), ask("b")];
    expect(ask("c")).rejects.toThrow("full");
    end("a");
    await asked[0];
    asked.push(ask("d"));
    for (const name of ["b", "d"]) end(name);
    await Promise.all(asked);
    expect(begun).toEqual(["a", "b", "d"]);
  });

  test("work that is aborted while waiting is rejected, and leaves its place to other work", async () => {
    const limited = limit(1, 1);
    const { begun, ask, end } = works(limited);
    const asked = [ask("a")];
    const giving = new AbortController();
    const givenUp = limited(async () => void begun.push("given up"), giving.signal);
    giving.abort(new Error("no longer needed"));
    await expect(givenUp).rejects.toThrow("no longer needed");
    asked.push(ask("b"));
    await expect(limited(async () => {}, AbortSignal.abort(new Error("never needed")))).rejects.toThrow("never needed");
    for (const name of ["a", "b"]) end(name);
    await Promise.all(asked);
    expect(begun).toEqual(["a", "b"]);
  });

  test("work that fails frees its place, whether it throws immediately or later", async () => {
    const limited = limit(1, 10);
    const { begun, ask, end, fail } = works(limited);
    const thrower = () => {
      throw new Error("at once");
    };
    const asked = Promise.allSettled([ask("a"), limited(thrower), ask("b")]);
    fail("a");
    end("b");
    expect((await asked).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(begun).toEqual(["a", "b"]);
  });
});

describe("fairly limited work", () => {
  test("is limited per caller, running and waiting; other callers and later work find room", async () => {
    const limited = limitFairly({ runningMax: 1, waitingMax: 10, ofOneMax: 2, refusal: () => new Error("full") });
    const held = Promise.withResolvers<void>();
    const asked = [limited("ada", () => held.promise), limited("ada", () => held.promise)];
    await expect(limited("ada", async () => "late")).rejects.toThrow("full");
    const eves = limited("eve", async () => "hers");
    held.resolve();
    await Promise.all(asked);
    expect(await eves).toBe("hers");
    expect(await limited("ada", async () => "again")).toBe("again");
  });

  test("frees its place if it fails", async () => {
    const limited = limitFairly({ runningMax: 1, waitingMax: 0, ofOneMax: 1, refusal: () => new Error("full") });
    const fail = () => Promise.reject(new Error("no"));
    for (let time = 0; time < 3; time++) await expect(limited("ada", fail)).rejects.toThrow("no");
  });
});
