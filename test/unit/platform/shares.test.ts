import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createShares } from "@/platform/shares";

const PURPOSES = ["sign-in", "links"] as const;
const ASKERS = ["a", "b", "c", "d"];
type Purpose = (typeof PURPOSES)[number];

/** Work that ends when the test ends it, and the outcome of each piece. */
function bench({ runningMax = 1, waitMsMax = 60_000, waitingMax = 10, ofOneMax = 10 } = {}) {
  const share = { waitingMax, ofOneMax };
  const inShare = createShares<Purpose>({
    runningMax,
    waitMsMax,
    shares: { "sign-in": share, links: share },
    refusal: () => new Error("refused"),
    abandonment: () => new Error("abandoned"),
  });
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const fates = new Map<string, string>();
  let runningMost = 0;

  function ask(purpose: Purpose, asker: string, name: string, signal?: AbortSignal): void {
    const work = () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      runningMost = Math.max(runningMost, running.push(resolve));
      return promise;
    };
    inShare({ purpose, asker, signal }, work).then(
      () => fates.set(name, "done"),
      (error: Error) => fates.set(name, error.message),
    );
  }

  /** Ends the piece of work that has run longest, and waits for the effects. */
  async function endOne(): Promise<void> {
    running.shift()?.();
    await settled();
  }

  async function endAll(): Promise<void> {
    await settled();
    while (running.length > 0) await endOne();
  }

  return { ask, endOne, endAll, begun, fates, runningMost: () => runningMost };
}

test("work that has waited too long is refused, and its place goes to other work", async () => {
  const { ask, endAll, begun, fates } = bench({ waitMsMax: 20, waitingMax: 1 });
  ask("links", "a", "running");
  ask("links", "a", "late");
  while (!fates.has("late")) await Bun.sleep(1);
  expect(fates.get("late")).toBe("refused");
  ask("links", "a", "next");
  await endAll();
  expect(begun).toEqual(["running", "next"]);
  expect(fates.get("next")).toBe("done");
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("shares", () => {
  test("purposes take turns, then the callers in each; the oldest work of a caller comes first", async () => {
    const { ask, begun, endAll } = bench();
    for (const name of ["a1", "a2", "a3", "a4"]) ask("links", "a", name);
    ask("links", "b", "b1");
    for (const name of ["s1", "s2"]) ask("sign-in", "x", name);
    await endAll();
    expect(begun).toEqual(["a1", "a2", "s1", "b1", "s2", "a3", "a4"]);
  });

  test("one caller's waiting work is limited to its share, and no other caller is refused because of it", async () => {
    const { ask, fates, endAll } = bench({ ofOneMax: 2 });
    for (const name of ["running", "a1", "a2", "a3"]) ask("links", "a", name);
    ask("links", "b", "b1");
    await settled();
    expect([...fates]).toEqual([["a3", "refused"]]);
    await endAll();
    expect(fates.get("b1")).toBe("done");
  });

  test("a full purpose refuses the latest work of the caller with the most; another purpose still has room", async () => {
    const { ask, fates, endAll } = bench({ waitingMax: 3 });
    for (const name of ["running", "a1", "a2", "a3"]) ask("links", "a", name);
    ask("links", "b", "b1");
    ask("links", "b", "b2");
    ask("sign-in", "a", "s1");
    await settled();
    expect([...fates]).toEqual([
      ["a3", "refused"],
      ["b2", "refused"],
    ]);
    await endAll();
    expect(["a1", "a2", "b1", "s1"].map((name) => fates.get(name))).toEqual(["done", "done", "done", "done"]);
  });

  test("work that is abandoned while waiting never starts, and leaves its place to other work", async () => {
    const { ask, begun, fates, endAll } = bench({ ofOneMax: 1 });
    const [waiting, gone, running] = [new AbortController(), new AbortController(), new AbortController()];
    gone.abort();
    ask("links", "a", "running", running.signal);
    ask("links", "a", "waiting", waiting.signal);
    ask("links", "b", "gone", gone.signal);
    running.abort();
    waiting.abort();
    ask("links", "a", "next");
    await endAll();
    expect(begun).toEqual(["running", "next"]);
    expect(Object.fromEntries(fates)).toEqual({
      running: "done",
      waiting: "abandoned",
      gone: "abandoned",
      next: "done",
    });
  });

  test("work that fails makes room like any other", async () => {
    const { ask, endAll, begun } = bench();
    const inShare = createShares({
      runningMax: 1,
      waitMsMax: 60_000,
      shares: { all: { waitingMax: 1, ofOneMax: 1 } },
      refusal: () => new Error("refused"),
      abandonment: () => new Error("abandoned"),
    });
    const place = { purpose: "all", asker: "a" } as const;
    const failing = inShare(place, () => Promise.reject(new Error("wrong")));
    const next = inShare(place, async () => "right");
    expect(failing).rejects.toThrow("wrong");
    expect(await next).toBe("right");
    ask("links", "a", "only");
    await endAll();
    expect(begun).toEqual(["only"]);
  });
});

const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant("ask"), fc.nat(1), fc.nat(ASKERS.length - 1)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("end"), fc.constant(0), fc.constant(0)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("abandon"), fc.nat(30), fc.constant(0)) },
);

test("any sequence of work is settled in order and within the limits, and no caller waits beyond its turns", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (steps, runningMax) => {
      const at = bench({ runningMax, waitingMax: 6, ofOneMax: 3 });
      const asked: { name: string; asker: string; begunBefore: number; controller: AbortController }[] = [];
      for (const [what, first, second] of steps) {
        if (what === "end") await at.endOne();
        else if (what === "abandon") asked[first]?.controller.abort();
        else {
          const asker = `${PURPOSES[first]} ${ASKERS[second]}`;
          const one = {
            name: `${asked.length}`,
            asker,
            begunBefore: at.begun.length,
            controller: new AbortController(),
          };
          asked.push(one);
          at.ask(PURPOSES[first] ?? "links", asker, one.name, one.controller.signal);
        }
      }
      await at.endAll();
      expect(at.runningMost()).toBeLessThanOrEqual(runningMax);
      expect(at.fates.size).toBe(asked.length);
      for (const asker of new Set(asked.map((one) => one.asker))) {
        const own = asked.filter((one) => one.asker === asker);
        const order = own.map(({ name }) => at.begun.indexOf(name)).filter((place) => place >= 0);
        expect(order).toEqual(order.toSorted((one, other) => one - other));
        // Each of the at most three pieces that one asker has waiting waits for one turn of all askers of both
        // purposes.
        for (const { name, begunBefore } of own) {
          const waited = at.begun.indexOf(name) - begunBefore;
          expect(waited).toBeLessThanOrEqual(3 * PURPOSES.length * ASKERS.length);
        }
      }
      expect([...at.fates.values()].filter((fate) => fate === "done")).toHaveLength(at.begun.length);
    }),
  );
});
