import { beforeEach, expect, test } from "bun:test";
import type { LinkChange } from "@/platform/link-cache/changes";
import { Coherence } from "@/platform/link-cache/coherence";

const CHANGE: LinkChange = { id: "1", version: 2, key: "h/a" };

/** What happened to the cache, in order. */
let told: unknown[];
let reads: { since: number; settle: PromiseWithResolvers<LinkChange[] | null> }[];
let coherence: Coherence;

beforeEach(() => {
  told = [];
  reads = [];
  coherence = new Coherence({
    cache: {
      freshFor: (ms) => told.push(ms),
      distrust: () => told.push("distrust"),
    },
    onChange: (change) => told.push(change),
    onError: (error) => told.push(error),
    changesSince(since) {
      const settle = Promise.withResolvers<LinkChange[] | null>();
      reads.push({ since, settle });
      return settle.promise;
    },
  });
});

async function read(index: number, changes: LinkChange[] | null | Error): Promise<void> {
  while (reads.length <= index) await Bun.sleep(5);
  if (changes instanceof Error) reads[index]?.settle.reject(changes);
  else reads[index]?.settle.resolve(changes);
}

test("the first connection has missed no changes", async () => {
  await coherence.listening(1_000);
  expect(reads).toEqual([]);
  expect(told).toEqual([60_000]);
});

test("changes missed since the last heartbeat are applied before entries stay fresh for long again", async () => {
  await coherence.listening(1_000);
  coherence.beat(2_000);
  coherence.lost();
  const caughtUp = coherence.listening(9_000);
  await read(0, [CHANGE]);
  await caughtUp;
  expect(reads.map(({ since }) => since)).toEqual([2_000]);
  expect(told).toEqual([60_000, 1_000, CHANGE, 60_000]);
});

test("a failed read is repeated from the same instant", async () => {
  await coherence.listening(1_000);
  coherence.lost();
  const caughtUp = coherence.listening(9_000);
  coherence.beat(10_000);
  await read(0, new Error("away"));
  await read(1, [CHANGE]);
  await caughtUp;
  expect(reads.map(({ since }) => since)).toEqual([1_000, 1_000]);
  expect(told).toEqual([60_000, 1_000, new Error("away"), CHANGE, 60_000]);
});

test("a connection lost before it has caught up leaves all missed changes to the next one", async () => {
  await coherence.listening(1_000);
  coherence.lost();
  const interrupted = coherence.listening(5_000);
  await Bun.sleep(0);
  coherence.lost();
  const caughtUp = coherence.listening(9_000);
  await read(0, []);
  await read(1, [CHANGE]);
  await Promise.all([interrupted, caughtUp]);
  expect(reads.map(({ since }) => since)).toEqual([1_000, 1_000]);
  expect(told).toEqual([60_000, 1_000, 1_000, CHANGE, 60_000]);
});

test("too many missed changes make the cache distrust all entries", async () => {
  await coherence.listening(1_000);
  coherence.lost();
  const caughtUp = coherence.listening(9_000);
  await read(0, null);
  await caughtUp;
  expect(told).toEqual([60_000, 1_000, "distrust", 60_000]);
});

test("while Postgres is unavailable, nothing is reloaded", async () => {
  await coherence.listening(1_000);
  coherence.lost();
  coherence.away();
  expect(told.at(-1)).toBe(Number.POSITIVE_INFINITY);
  coherence.returned();
  expect(told.at(-1)).toBe(1_000);
});
