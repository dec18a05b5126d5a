import { beforeEach, describe, expect, test } from "bun:test";
import { definitionOf, routingCases } from "@test/support/routing-cases";
import type { LinkDefinition } from "@/core/link";
import { LinkCache } from "@/platform/link-cache/cache";

const [plainCase] = routingCases;
if (!plainCase) throw new Error("There is no routing case");

const link = (id: string, version: number): LinkDefinition => ({ ...definitionOf(plainCase), id, version });

let now: number;
let loads: { key: string; isFresh: boolean; settle: PromiseWithResolvers<LinkDefinition | null> }[];
let failures: unknown[];

const cacheOf = (entriesMax = 100) =>
  new LinkCache({
    entriesMax,
    now: () => now,
    onRefreshFailed: (error) => failures.push(error),
    load(key, isFresh) {
      const settle = Promise.withResolvers<LinkDefinition | null>();
      loads.push({ key, isFresh, settle });
      return settle.promise;
    },
  });

/** Answers the oldest load under way. */
async function answer(definition: LinkDefinition | null | Error): Promise<void> {
  const load = loads.shift();
  if (definition instanceof Error) load?.settle.reject(definition);
  else load?.settle.resolve(definition);
  await Bun.sleep(0);
}

beforeEach(() => {
  now = 1_000_000;
  loads = [];
  failures = [];
});

describe("a load", () => {
  test("is shared by all who ask meanwhile, and its result is kept", async () => {
    const cache = cacheOf();
    const asked = [cache.get("h/a"), cache.get("h/a"), cache.get("h/a")];
    expect(loads).toHaveLength(1);
    await answer(link("1", 1));
    expect((await Promise.all(asked)).map((found) => found?.definition.id)).toEqual(["1", "1", "1"]);
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
  });

  test("that fails rejects, and is tried again by the next who asks", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/a").catch((error: Error) => error.message);
    await answer(new Error("away"));
    expect(await asked).toBe("away");
    const again = cache.get("h/a");
    await answer(link("1", 1));
    expect((await again)?.definition.id).toBe("1");
  });

  test("that a change overtakes is done again, past shared copies", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/a");
    cache.change({ id: "1", version: 2, key: "h/a" });
    await answer(link("1", 1));
    expect(loads.map(({ isFresh }) => isFresh)).toEqual([true]);
    await answer(link("1", 2));
    expect((await asked)?.definition.version).toBe(2);
  });

  test("never keeps a version older than the one known", async () => {
    const cache = cacheOf();
    cache.change({ id: "1", version: 5, key: "h/a" });
    const asked = cache.get("h/a");
    for (let attempt = 1; attempt <= 3; attempt++) await answer(link("1", 4));
    expect((await asked)?.definition.version).toBe(4);
    expect(cache.peek("h/a", now)).toBeUndefined();
  });
});

describe("an address without a link", () => {
  test("is remembered for ten seconds", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/none");
    await answer(null);
    expect(await asked).toBeNull();
    expect(cache.peek("h/none", now + 9_999)).toBeNull();
    expect(cache.peek("h/none", now + 10_000)).toBeUndefined();
  });

  test("is forgotten when a link is created there", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/none");
    await answer(null);
    await asked;
    cache.change({ id: "9", version: 1, key: "h/none" });
    expect(cache.peek("h/none", now)).toBeUndefined();
  });
});

describe("an entry", () => {
  const filled = async (cache: LinkCache, key: string, definition: LinkDefinition) => {
    const asked = cache.get(key);
    await answer(definition);
    await asked;
  };

  test("is dropped by a newer version and stands against the one it has", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 3));
    cache.change({ id: "1", version: 3, key: "h/a" });
    expect(cache.peek("h/a", now)?.definition.version).toBe(3);
    cache.change({ id: "1", version: 4, key: "h/a" });
    expect(cache.peek("h/a", now)).toBeUndefined();
  });

  test("is dropped when another link takes its address", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 7));
    cache.change({ id: "2", version: 1, key: "h/a" });
    expect(cache.peek("h/a", now)).toBeUndefined();
  });

  test("past its age is served while it is loaded again behind, once", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 1));
    now += 60_001;
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
    expect(loads).toHaveLength(1);
    await answer(link("1", 2));
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
  });

  test("outlives a source that is away", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 1));
    now += 60_001;
    cache.peek("h/a", now);
    await answer(new Error("away"));
    expect(failures).toHaveLength(1);
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
  });

  test("whose link has gone is gone after the next load", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 1));
    cache.revalidate();
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
    await answer(null);
    expect(cache.peek("h/a", now)).toBeNull();
  });

  test("not used lately makes room for a new one", async () => {
    const cache = cacheOf(3);
    for (const key of ["h/a", "h/b", "h/c"]) await filled(cache, key, link(key, 1));
    cache.peek("h/a", now);
    await filled(cache, "h/d", link("d", 1));
    expect(["h/a", "h/b", "h/c", "h/d"].filter((key) => cache.peek(key, now))).toEqual(["h/a", "h/c", "h/d"]);
    expect(cache.size).toBe(3);
  });
});
