/** What an address that probes costs and learns, with a cache that counts its lookups. */
import { beforeEach, describe, expect, test } from "bun:test";
import { definitionOf, routingCases } from "@test/support/routing-cases";
import { type CompiledLink, compileLink } from "@/core/routing/compiled-link";
import { createLinkSearch } from "@/edge/link-search";
import { openLimits } from "@/platform/limits/limits";

const START = 1_000_000;
const MAX = 60;
const PROBER = "192.0.2.1";
let now = START;
let lookups = 0;
let release = Promise.resolve();
const loading = new Set<string>();
const cached = new Map<string, CompiledLink | null>();
const stored = new Map<string, CompiledLink>();
const [anyCase] = routingCases;
if (!anyCase) throw new Error("There are cases.");
const link = compileLink(definitionOf(anyCase));

const search = () =>
  createLinkSearch(
    {
      peek: (key) => cached.get(key),
      isLoading: (key) => loading.has(key),
      async get(key) {
        lookups += 1;
        loading.add(key);
        await release;
        loading.delete(key);
        if (key === "broken") throw new Error("Postgres is unavailable");
        return stored.get(key) ?? null;
      },
    },
    openLimits({ clock: () => now, redisUrl: null, database: "", onError: () => undefined }),
  );

const told = async (sought: ReturnType<ReturnType<typeof search>>) => {
  const { link: found, refused } = await sought;
  return found ? "found" : refused?.reason;
};

beforeEach(() => {
  now = START;
  lookups = 0;
  release = Promise.resolve();
  cached.clear();
  stored.clear();
});

describe("an address that requested sixty unknown slugs", () => {
  const blocked = async (isCached: boolean) => {
    const find = search();
    for (let index = 1; index <= MAX; index++) {
      if (isCached) cached.set(`none${index}`, null);
      expect(await told(find(`none${index}`, PROBER, now))).toBe("unknown");
    }
    lookups = 0;
    return find;
  };

  test.each([
    ["looked up", false],
    ["known to be missing", true],
  ])("is refused uncached slugs, without a lookup, if the sixty were %s", async (_, isCached) => {
    const find = await blocked(isCached);
    stored.set("uncached", link);
    cached.set("missing", null);
    for (const key of ["another", "uncached", "missing"]) {
      expect(await find(key, PROBER, now)).toEqual({
        link: null,
        refused: { reason: "probing", retryAfterSeconds: 60 },
      });
    }
    expect(lookups).toBe(0);
  });

  test("still gets cached links", async () => {
    const find = await blocked(false);
    cached.set("hot", link);
    expect(await find("hot", PROBER, now)).toEqual({ link });
  });

  test("is counted anew in the next minute for slugs that it was refused", async () => {
    const find = await blocked(true);
    now = START + 59_000;
    const refused = Array.from({ length: MAX + 1 }, (_, index) => `refused${index}`);
    for (const key of refused) {
      cached.set(key, null);
      expect(await told(find(key, PROBER, now))).toBe("probing");
    }
    now = START + 60_000;
    const answers = await Promise.all(refused.map((key) => told(find(key, PROBER, now))));
    expect(answers.filter((answer) => answer === "unknown").length).toBe(MAX);
    expect(answers.at(-1)).toBe("probing");
  });

  test("does not affect other addresses", async () => {
    const find = await blocked(false);
    stored.set("uncached", link);
    expect(await told(find("uncached", "192.0.2.2", now))).toBe("found");
    expect(await told(find("another", "192.0.2.2", now))).toBe("unknown");
  });

  test("is told when to retry, and can do so then", async () => {
    const find = await blocked(false);
    now = START + 59_001;
    expect(await find("another", PROBER, now)).toMatchObject({ refused: { retryAfterSeconds: 1 } });
    now = START + 60_000;
    expect(await told(find("another", PROBER, now))).toBe("unknown");
  });
});

describe("does not count towards the limit:", () => {
  test("an existing link, however many are looked up simultaneously", async () => {
    const find = search();
    const keys = Array.from({ length: 200 }, (_, index) => `link${index}`);
    for (const key of keys) stored.set(key, link);
    const found = await Promise.all(keys.map((key) => told(find(key, PROBER, now))));
    expect(new Set(found)).toEqual(new Set(["found"]));
    expect(await told(find("none", PROBER, now))).toBe("unknown");
  });

  test.each([
    ["looked up", false],
    ["known to be missing", true],
  ])("an unknown slug that is requested again within the minute, if it was %s", async (_, isCached) => {
    const find = search();
    if (isCached) cached.set("dead", null);
    for (let index = 0; index <= MAX; index++) expect(await told(find("dead", PROBER, now))).toBe("unknown");
    stored.set("uncached", link);
    expect(await told(find("uncached", PROBER, now))).toBe("found");
  });

  test("a lookup that fails", async () => {
    const find = search();
    for (let index = 0; index <= MAX; index++) expect(find("broken", PROBER, now)).rejects.toThrow("unavailable");
    await Bun.sleep(0);
    expect(await told(find("none", PROBER, now))).toBe("unknown");
  });
});

describe("with simultaneous lookups", () => {
  test("exactly sixty of two hundred unknown slugs are reported as unknown, and the rest refused", async () => {
    const find = search();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => told(find(`none${index}`, PROBER, now))),
    );
    expect(answers.filter((answer) => answer === "unknown").length).toBe(MAX);
    expect(answers.filter((answer) => answer === "probing").length).toBe(140);
  });

  test("a crowd behind one address gets a link that is still loading, and does not block another link", async () => {
    const find = search();
    const { promise, resolve } = Promise.withResolvers<void>();
    release = promise;
    stored.set("new", link);
    stored.set("newer", link);
    const crowd = Array.from({ length: 1000 }, (_, index) => told(find(index < 999 ? "new" : "newer", PROBER, now)));
    resolve();
    expect(new Set(await Promise.all(crowd))).toEqual(new Set(["found"]));
  });

  test("an address has a limited number of lookups in progress, and can look up again after they end", async () => {
    const find = search();
    const { promise, resolve } = Promise.withResolvers<void>();
    release = promise;
    const waiting = Array.from({ length: 1000 }, (_, index) => find(`none${index}`, PROBER, now));
    expect(lookups).toBe(256);
    // Nothing shows yet that it probes: a crowd behind it may have as many new links.
    expect(await waiting.at(-1)).toEqual({ link: null, refused: { reason: "unavailable" } });
    stored.set("other", link);
    const neighbour = find("other", "192.0.2.2", now);
    resolve();
    expect(await told(neighbour)).toBe("found");
    await Promise.all(waiting);
    now += 60_000;
    expect(await told(find("none", PROBER, now))).toBe("unknown");
  });
});
