import { beforeEach, describe, expect, test } from "bun:test";
import { definitionOf, routingCases } from "@test/support/routing-cases";
import type { LinkDefinition } from "@/core/routing/link";
import { LinkCache } from "@/platform/link-cache/cache";
import { ANY_LINK_CREATED } from "@/platform/link-cache/changes";
import { weightOf } from "@/platform/link-cache/weight";

const [plainCase] = routingCases;
if (!plainCase) throw new Error("There is no routing case");

const link = (id: string, version: number): LinkDefinition => ({ ...definitionOf(plainCase), id, version });

let now: number;
let loads: { key: string; isFresh: boolean; settle: PromiseWithResolvers<LinkDefinition | null> }[];
let failures: unknown[];

const cacheOf = (bytesMax = 1_000_000) =>
  new LinkCache({
    bytesMax,
    now: () => now,
    onRefreshFailed: (error) => failures.push(error),
    load(key, isFresh) {
      const settle = Promise.withResolvers<LinkDefinition | null>();
      loads.push({ key, isFresh, settle });
      return settle.promise;
    },
  });

/** Responds to the oldest load in progress. */
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

const filled = async (cache: LinkCache, key: string, definition: LinkDefinition) => {
  const asked = cache.get(key);
  await answer(definition);
  await asked;
};

describe("a change of an organization", () => {
  const ofOrganization = (orgId: string, orgVersion: number): LinkDefinition => ({
    ...link("1", 1),
    orgId,
    orgVersion,
  });
  const changed = (version: number) => ({ id: "acme", version, key: "" });

  test("has its links loaded again before they are served, and leaves the others", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", ofOrganization("acme", 1));
    await filled(cache, "h/b", ofOrganization("others", 1));
    cache.change(changed(2));
    expect(cache.peek("h/b", now)?.definition.orgId).toBe("others");
    expect(cache.peek("h/a", now)).toBeUndefined();
    const asked = cache.get("h/a");
    await answer(ofOrganization("acme", 2));
    expect((await asked)?.definition.orgVersion).toBe(2);
    expect(cache.peek("h/a", now)?.definition.orgVersion).toBe(2);
    expect(loads).toEqual([]);
  });

  test("is served as it was while loading fails", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", ofOrganization("acme", 1));
    cache.change(changed(2));
    const asked = cache.get("h/a");
    await answer(new Error("away"));
    expect((await asked)?.definition.orgVersion).toBe(1);
    expect(failures).toHaveLength(1);
  });

  test("that a load overtakes is never undone by it: what it read before is read again, past shared copies", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/a");
    cache.change(changed(2));
    await answer(ofOrganization("acme", 1));
    expect(loads.map(({ isFresh }) => isFresh)).toEqual([true]);
    await answer(ofOrganization("acme", 2));
    expect((await asked)?.definition.orgVersion).toBe(2);
  });

  test("that is older than what is known changes nothing", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", ofOrganization("acme", 3));
    cache.change(changed(2));
    expect(cache.peek("h/a", now)?.definition.orgVersion).toBe(3);
  });

  test("has addresses without a link asked for again, and those that are being asked for", async () => {
    const cache = cacheOf();
    const [missing, asked] = [cache.get("h/none"), cache.get("h/new")];
    await answer(null);
    expect(await missing).toBeNull();
    cache.change(changed(2));
    expect(cache.peek("h/none", now)).toBeUndefined();
    await answer(null);
    await answer(ofOrganization("acme", 2));
    expect((await asked)?.definition.orgVersion).toBe(2);
  });

  test("reaches links that are kept packed", async () => {
    const bytesMax = 20 * 1024 * 1024;
    const cache = cacheOf(bytesMax);
    const wide = (orgVersion: number) => ({ ...ofOrganization("acme", orgVersion), title: "x".repeat(100_000) });
    const keys = Array.from({ length: 40 }, (_, index) => `h/${index}`);
    for (const key of keys) await filled(cache, key, wide(1));
    expect(cache.stats().packed).toBeGreaterThan(0);
    cache.change(changed(2));
    for (const key of keys) expect(cache.peek(key, now)).toBeUndefined();
  });
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

  test("that fails is tried once more, together, by those who joined it", async () => {
    const cache = cacheOf();
    const first = cache.get("h/a").catch((error: Error) => error.message);
    const joined = [cache.get("h/a"), cache.get("h/a")];
    await answer(new Error("the connection led nowhere"));
    expect(await first).toBe("the connection led nowhere");
    expect(loads).toHaveLength(1);
    await answer(link("1", 1));
    expect((await Promise.all(joined)).map((found) => found?.definition.id)).toEqual(["1", "1"]);
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
    now += 60_001;
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
    await answer(null);
    expect(cache.peek("h/a", now)).toBeNull();
  });

  test("is not loaded again while there is nothing to load from, and soon when changes may be missed", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 1));
    cache.freshFor(Number.POSITIVE_INFINITY);
    now += 10_000_000;
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
    expect(loads).toHaveLength(0);
    cache.freshFor(1_000);
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
    expect(loads).toHaveLength(1);
  });

  test("not used lately makes room for a new one", async () => {
    const cache = cacheOf(3.5 * weightOf("h/a", link("a", 1)));
    for (const key of ["h/a", "h/b", "h/c"]) await filled(cache, key, link(key.slice(2), 1));
    cache.peek("h/a", now);
    await filled(cache, "h/d", link("d", 1));
    expect(["h/a", "h/b", "h/c", "h/d"].filter((key) => cache.peek(key, now))).toEqual(["h/a", "h/c", "h/d"]);
    expect(cache.stats().entries).toBe(3);
  });

  test("that is large makes as much room as it takes", async () => {
    const small = weightOf("h/0", link("0", 1));
    const cache = cacheOf(10.5 * small);
    for (let index = 0; index < 10; index++) await filled(cache, `h/${index}`, link(String(index), 1));
    const large = { ...link("l", 1), title: "x".repeat(4 * small) };
    await filled(cache, "h/l", large);
    const { entries, bytes, bytesMax } = cache.stats();
    expect(bytes).toBeLessThanOrEqual(bytesMax);
    expect(entries).toBeLessThan(8);
    expect(cache.peek("h/l", now)?.definition.title).toBe(large.title);
  });

  test("counts as long as it is there", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 1));
    await filled(cache, "h/b", link("2", 1));
    cache.change({ id: "1", version: 2, key: "h/a" });
    cache.distrust();
    expect(cache.stats()).toMatchObject({ entries: 1, bytes: weightOf("h/b", link("2", 1)), missing: 0 });
    cache.change({ id: "2", version: 2, key: "h/b" });
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
  });
});

describe("a distrusted entry", () => {
  const distrusted = async () => {
    const cache = cacheOf();
    const asked = cache.get("h/a");
    await answer(link("1", 1));
    await asked;
    cache.distrust();
    return cache;
  };

  test("is loaded again before it is served", async () => {
    const cache = await distrusted();
    expect(cache.peek("h/a", now)).toBeUndefined();
    const asked = cache.get("h/a");
    await answer(link("1", 2));
    expect((await asked)?.definition.version).toBe(2);
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
  });

  test("stands in when the load fails, and is tried again a second later", async () => {
    const cache = await distrusted();
    const asked = cache.get("h/a");
    await answer(new Error("away"));
    expect((await asked)?.definition.version).toBe(1);
    expect(failures).toHaveLength(1);
    expect((await cache.get("h/a"))?.definition.version).toBe(1);
    expect(loads).toHaveLength(0);
    now += 1_000;
    const again = cache.get("h/a");
    await answer(link("1", 2));
    expect((await again)?.definition.version).toBe(2);
  });

  test("stands in when the load takes long, which still replaces it", async () => {
    const cache = await distrusted();
    expect((await cache.get("h/a"))?.definition.version).toBe(1);
    await answer(link("1", 2));
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
  });

  test("does not stand in once a change says that it is old", async () => {
    const cache = await distrusted();
    const asked = cache.get("h/a");
    cache.change({ id: "1", version: 2, key: "h/a" });
    await answer(link("1", 1));
    await answer(link("1", 2));
    expect((await asked)?.definition.version).toBe(2);
  });
});

describe("entries that are distrusted once more", () => {
  const NAMES = ["a", "b", "c", "d"];
  const keyOf = (name: string) => `h/${name}`;
  /** Those in `reloaded` are trusted again when everything is distrusted for the second time. */
  const distrustedAgain = async (reloaded: string[]) => {
    const cache = cacheOf();
    for (const name of NAMES) await filled(cache, keyOf(name), link(name, 1));
    cache.distrust();
    now += 10;
    for (const name of reloaded) await filled(cache, keyOf(name), link(name, 2));
    now += 10;
    cache.distrust();
    return cache;
  };
  const amounts: [string, string[]][] = [
    ["none", []],
    ["few", ["a"]],
    ["most", ["a", "b", "c"]],
    ["all", NAMES],
  ];

  test.each(amounts)("all stand in though %s were reloaded in between", async (_, reloaded) => {
    const cache = await distrustedAgain(reloaded);
    const bytes = NAMES.reduce((sum, name) => sum + weightOf(keyOf(name), link(name, 1)), 0);
    expect(cache.stats()).toMatchObject({ entries: 4, bytes });
    for (const name of NAMES) {
      expect(cache.peek(keyOf(name), now)).toBeUndefined();
      const asked = cache.get(keyOf(name));
      await answer(new Error("away"));
      expect((await asked)?.definition).toMatchObject({ id: name, version: reloaded.includes(name) ? 2 : 1 });
    }
  });

  test("make room for others like any distrusted entry", async () => {
    const weight = weightOf("h/0", link("0", 1));
    const cache = cacheOf(8.5 * weight);
    for (let index = 0; index < 8; index++) {
      await filled(cache, `h/${index}`, link(`${index}`, 1));
      cache.distrust();
    }
    expect(cache.stats().entries).toBe(8);
    for (let index = 8; index < 20; index++) await filled(cache, `h/${index}`, link(`${index}`, 1));
    const { bytes, bytesMax, entries } = cache.stats();
    expect(bytes).toBeLessThanOrEqual(bytesMax);
    expect(entries).toBeGreaterThan(6);
  });

  test("are loaded before they are served, though a load failed just before", async () => {
    const cache = await distrustedAgain([]);
    const asked = cache.get("h/a");
    await answer(new Error("away"));
    expect((await asked)?.definition.version).toBe(1);
    now += 1;
    cache.distrust();
    const again = cache.get("h/a");
    await answer(link("a", 2));
    expect((await again)?.definition.version).toBe(2);
  });
});

test("loads under way are bounded: one more is refused", async () => {
  const cache = cacheOf();
  const asked = Array.from({ length: 1_000 }, (_, index) => cache.get(`h/${index}`));
  const refusal = await cache.get("h/more").catch((error: Error) => error.name);
  expect(refusal).toBe("TooManyLoadsError");
  for (const { settle } of loads) settle.resolve(null);
  await Promise.all(asked);
  const more = cache.get("h/more");
  loads.at(-1)?.settle.resolve(null);
  expect(await more).toBeNull();
});

describe("a link that made room for others", () => {
  const MEGABYTE = 1024 * 1024;
  const crowded = async () => {
    const cache = cacheOf(16 * MEGABYTE);
    for (let index = 0; cache.stats().packed === 0; index++) await filled(cache, `h/${index}`, link(`${index}`, 1));
    return { cache, key: "h/0" };
  };

  test("is ready again when it is asked for, without a load", async () => {
    const { cache, key } = await crowded();
    expect(cache.peek(key, now)?.definition).toEqual(link("0", 1));
    expect(loads).toHaveLength(0);
  });

  test("is gone when it changes", async () => {
    const { cache, key } = await crowded();
    cache.change({ id: "0", version: 2, key });
    expect(cache.peek(key, now)).toBeUndefined();
  });

  test("is loaded again behind once it is old", async () => {
    const { cache, key } = await crowded();
    now += 61_000;
    cache.peek(key, now);
    expect(cache.peek(key, now)?.definition.version).toBe(1);
    expect(loads).toHaveLength(1);
  });

  test("is loaded before it is served when everything is distrusted", async () => {
    const { cache, key } = await crowded();
    cache.distrust();
    expect(cache.peek(key, now)).toBeUndefined();
    const asked = cache.get(key);
    await answer(link("0", 2));
    expect((await asked)?.definition.version).toBe(2);
  });
});

describe("a packed link that is distrusted", () => {
  const MEGABYTE = 1024 * 1024;
  const KEY = "h/0";
  const away = () => answer(new Error("away"));
  /**
   * Returns a cache in which the link is packed. Its organization differs from that of the unpacked links, which take
   * all the room.
   */
  const packed = async () => {
    const cache = cacheOf(16 * MEGABYTE);
    await filled(cache, KEY, { ...link("0", 1), orgId: "acme", orgVersion: 1 });
    for (let index = 1; cache.stats().packed === 0; index++) await filled(cache, `h/${index}`, link(`${index}`, 1));
    return cache;
  };
  const waysToDistrust: [string, (cache: LinkCache) => void][] = [
    ["with everything else", (cache) => cache.distrust()],
    ["by a change of its organization", (cache) => cache.change({ id: "acme", version: 2, key: "" })],
  ];

  test.each(waysToDistrust)("%s, stands in for all who wait, whoever asks meanwhile", async (_, distrust) => {
    const cache = await packed();
    distrust(cache);
    const asked = [cache.get(KEY), cache.get(KEY), cache.get(KEY)];
    expect(cache.peek(KEY, now)).toBeUndefined();
    await away();
    // Those who joined the first load have started another.
    await away();
    const found = await Promise.all(asked);
    expect(found.map((each) => each?.definition.version)).toEqual([1, 1, 1]);
    expect(loads).toEqual([]);
  });

  test.each(waysToDistrust)("%s, stands in when the load takes long, for all who wait", async (_, distrust) => {
    const cache = await packed();
    distrust(cache);
    const asked = [cache.get(KEY), cache.get(KEY)];
    expect(cache.peek(KEY, now)).toBeUndefined();
    const found = await Promise.all(asked);
    expect(found.map((each) => each?.definition.version)).toEqual([1, 1]);
    expect(loads).toHaveLength(1);
    await answer({ ...link("0", 2), orgId: "acme", orgVersion: 2 });
    expect(cache.peek(KEY, now)?.definition.version).toBe(2);
  });

  test.each(waysToDistrust)("%s, is not loaded again for a second once that has failed", async (_, distrust) => {
    const cache = await packed();
    distrust(cache);
    const asked = cache.get(KEY);
    await away();
    await asked;
    for (let times = 0; times < 3; times++) {
      expect(cache.peek(KEY, now)).toBeUndefined();
      expect((await cache.get(KEY))?.definition.version).toBe(1);
    }
    expect(loads).toEqual([]);
    now += 1_000;
    const again = cache.get(KEY);
    expect(loads).toHaveLength(1);
    await away();
    expect((await again)?.definition.version).toBe(1);
  });

  test("has a part of the room that ready links take, and no more", async () => {
    const cache = cacheOf(16 * MEGABYTE);
    const keys = Array.from({ length: 1_000 }, (_, index) => `acme/${index}`);
    for (const key of keys) await filled(cache, key, { ...link(key, 1), orgId: "acme", orgVersion: 1 });
    for (let index = 1; cache.stats().packed < keys.length; index++) await filled(cache, `h/${index}`, link("1", 1));
    const { entries } = cache.stats();
    cache.change({ id: "acme", version: 2, key: "" });
    for (const key of keys) {
      const asked = cache.get(key);
      await away();
      expect((await asked)?.definition.id).toBe(key);
    }
    expect(cache.stats().bytes).toBeLessThanOrEqual(16 * MEGABYTE);
    expect(Math.abs(cache.stats().entries - entries)).toBeLessThan(0.05 * entries);
    const lately = keys.slice(-0.1 * entries);
    for (const key of lately) await cache.get(key);
    expect(loads).toEqual([]);
    const others = Array.from({ length: Math.floor(0.5 * entries) }, (_, index) => `h/${index + 1}`);
    expect(others.filter((key) => cache.peek(key, now) === undefined)).toEqual([]);
  });

  test("leaves the event loop to others while no more loads are allowed", async () => {
    const cache = await packed();
    cache.distrust();
    const others = Array.from({ length: 1_000 }, (_, index) => cache.get(`other/${index}`));
    const asked = [cache.get(KEY), cache.get(KEY)];
    cache.peek(KEY, now);
    const found = await Promise.all(asked);
    expect(found.map((each) => each?.definition.version)).toEqual([1, 1]);
    for (const { settle } of loads) settle.resolve(null);
    await Promise.all(others);
  });

  test("does not stand in once a change says that it is old", async () => {
    const cache = await packed();
    cache.distrust();
    const asked = cache.get(KEY).catch((error: Error) => error.message);
    cache.change({ id: "0", version: 2, key: KEY });
    await away();
    await away();
    expect(await asked).toBe("away");
  });
});

describe("that any link was made", () => {
  test("makes it forget which addresses had none, and only that", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 1));
    const asked = cache.get("h/b");
    await answer(null);
    await asked;
    expect(cache.peek("h/b", now)).toBeNull();
    cache.change(ANY_LINK_CREATED);
    expect([cache.peek("h/a", now)?.definition.id, cache.peek("h/b", now)]).toEqual(["1", undefined]);
    expect(loads).toEqual([]);
  });

  test("while an address is looked up makes it look once more if there was none", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/b");
    cache.change(ANY_LINK_CREATED);
    await answer(null);
    await answer(link("2", 1));
    expect((await asked)?.definition.id).toBe("2");
  });
});

describe("a copy that is behind", () => {
  const FRESH_MS = 60_000;

  test("does not bring back what a link was before, though nobody told of the change", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 2));
    now += FRESH_MS + 1;
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
    await answer(link("1", 1));
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
  });

  test("may bring another link, which has taken the address", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 2));
    now += FRESH_MS + 1;
    cache.peek("h/a", now);
    await answer(link("2", 1));
    expect(cache.peek("h/a", now)?.definition.id).toBe("2");
  });
});
