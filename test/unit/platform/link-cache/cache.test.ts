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
  now = 10_000_000;
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

  test("causes its links, and no others, to be reloaded before they are served", async () => {
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

  test("lets the old version be served if loading fails", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", ofOrganization("acme", 1));
    cache.change(changed(2));
    const asked = cache.get("h/a");
    await answer(new Error("away"));
    expect((await asked)?.definition.orgVersion).toBe(1);
    expect(failures).toHaveLength(1);
  });

  test("lets visitors wait longer for the new version than a mere suspicion does", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", ofOrganization("acme", 1));
    await filled(cache, "h/b", ofOrganization("others", 1));
    cache.distrust();
    cache.change(changed(2));
    const [outdated, suspected] = [cache.get("h/a"), cache.get("h/b")];
    expect((await suspected)?.definition.orgVersion).toBe(1);
    await answer(ofOrganization("acme", 2));
    expect((await outdated)?.definition.orgVersion).toBe(2);
  });

  test("lets its links be reloaded before they are served, even if a load failed just before", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", ofOrganization("acme", 1));
    cache.change(changed(2));
    const asked = cache.get("h/a");
    await answer(new Error("away"));
    expect((await asked)?.definition.orgVersion).toBe(1);
    cache.change(changed(3));
    const again = cache.get("h/a");
    await answer(ofOrganization("acme", 3));
    expect((await again)?.definition.orgVersion).toBe(3);
  });

  test("during a load is not undone by it: the load is repeated, bypassing shared copies", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/a");
    cache.change(changed(2));
    await answer(ofOrganization("acme", 1));
    expect(loads.map(({ isFresh }) => isFresh)).toEqual([true]);
    await answer(ofOrganization("acme", 2));
    expect((await asked)?.definition.orgVersion).toBe(2);
  });

  test("that is older than the known version changes nothing", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", ofOrganization("acme", 3));
    cache.change(changed(2));
    expect(cache.peek("h/a", now)?.definition.orgVersion).toBe(3);
  });

  test("causes addresses without a link, and those being looked up, to be looked up again", async () => {
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

  test("also applies to packed links", async () => {
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
  test("is shared by simultaneous requests, and its result is cached", async () => {
    const cache = cacheOf();
    const asked = [cache.get("h/a"), cache.get("h/a"), cache.get("h/a")];
    expect(loads).toHaveLength(1);
    await answer(link("1", 1));
    expect((await Promise.all(asked)).map((found) => found?.definition.id)).toEqual(["1", "1", "1"]);
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
  });

  test("that fails rejects, and is retried by the next request", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/a").catch((error: Error) => error.message);
    await answer(new Error("away"));
    expect(await asked).toBe("away");
    const again = cache.get("h/a");
    await answer(link("1", 1));
    expect((await again)?.definition.id).toBe("1");
  });

  test("that fails is retried once, together, by the requests that joined it", async () => {
    const cache = cacheOf();
    const first = cache.get("h/a").catch((error: Error) => error.message);
    const joined = [cache.get("h/a"), cache.get("h/a")];
    await answer(new Error("the connection led nowhere"));
    expect(await first).toBe("the connection led nowhere");
    expect(loads).toHaveLength(1);
    await answer(link("1", 1));
    expect((await Promise.all(joined)).map((found) => found?.definition.id)).toEqual(["1", "1"]);
  });

  test("during which the link changes is repeated, bypassing shared copies", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/a");
    cache.change({ id: "1", version: 2, key: "h/a" });
    await answer(link("1", 1));
    expect(loads.map(({ isFresh }) => isFresh)).toEqual([true]);
    await answer(link("1", 2));
    expect((await asked)?.definition.version).toBe(2);
  });

  test("never caches a version older than the known one", async () => {
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
  test("is dropped by a change to a newer version, but not to its own version", async () => {
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

  test("past its age is served while it is reloaded once in the background", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 1));
    now += 60_001;
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
    expect(loads).toHaveLength(1);
    await answer(link("1", 2));
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
  });

  test("is still served while the source is unavailable", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 1));
    now += 60_001;
    cache.peek("h/a", now);
    await answer(new Error("away"));
    expect(failures).toHaveLength(1);
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
  });

  test("whose link no longer exists is removed by the next load", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 1));
    now += 60_001;
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
    await answer(null);
    expect(cache.peek("h/a", now)).toBeNull();
  });

  test("is not reloaded while the source is unavailable, and soon if changes may be missed", async () => {
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

  test("that was not used recently makes room for a new one", async () => {
    const cache = cacheOf(3.5 * weightOf("h/a", link("a", 1)));
    for (const key of ["h/a", "h/b", "h/c"]) await filled(cache, key, link(key.slice(2), 1));
    cache.peek("h/a", now);
    await filled(cache, "h/d", link("d", 1));
    expect(["h/a", "h/b", "h/c", "h/d"].filter((key) => cache.peek(key, now))).toEqual(["h/a", "h/c", "h/d"]);
    expect(cache.stats().entries).toBe(3);
  });

  test("that is large evicts as many others as it needs", async () => {
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

  test("counts towards the totals until it is removed", async () => {
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

  test("is reloaded before it is served", async () => {
    const cache = await distrusted();
    expect(cache.peek("h/a", now)).toBeUndefined();
    const asked = cache.get("h/a");
    await answer(link("1", 2));
    expect((await asked)?.definition.version).toBe(2);
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
  });

  test("is served if the load fails, and is reloaded a second later", async () => {
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

  test("is served if the load takes long, and still replaced when it ends", async () => {
    const cache = await distrusted();
    expect((await cache.get("h/a"))?.definition.version).toBe(1);
    await answer(link("1", 2));
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
  });

  test("is not served once a change says that it is outdated", async () => {
    const cache = await distrusted();
    const asked = cache.get("h/a");
    cache.change({ id: "1", version: 2, key: "h/a" });
    await answer(link("1", 1));
    await answer(link("1", 2));
    expect((await asked)?.definition.version).toBe(2);
  });
});

describe("entries that are distrusted a second time", () => {
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

  test.each(amounts)("are all served if loads fail, though %s were reloaded in between", async (_, reloaded) => {
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

  test("are reloaded before they are served, even if a load failed just before", async () => {
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

test("loads in progress are limited: one more is refused", async () => {
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

describe("a link that was packed to make room for others", () => {
  const MEGABYTE = 1024 * 1024;
  const crowded = async () => {
    const cache = cacheOf(16 * MEGABYTE);
    for (let index = 0; cache.stats().packed === 0; index++) await filled(cache, `h/${index}`, link(`${index}`, 1));
    return { cache, key: "h/0" };
  };

  test("is unpacked without a load when it is requested", async () => {
    const { cache, key } = await crowded();
    expect(cache.peek(key, now)?.definition).toEqual(link("0", 1));
    expect(loads).toHaveLength(0);
  });

  test("is dropped when it changes", async () => {
    const { cache, key } = await crowded();
    cache.change({ id: "0", version: 2, key });
    expect(cache.peek(key, now)).toBeUndefined();
  });

  test("is reloaded in the background once it is old", async () => {
    const { cache, key } = await crowded();
    now += 61_000;
    cache.peek(key, now);
    expect(cache.peek(key, now)?.definition.version).toBe(1);
    expect(loads).toHaveLength(1);
  });

  test("is reloaded before it is served if everything is distrusted", async () => {
    const { cache, key } = await crowded();
    cache.distrust();
    expect(cache.peek(key, now)).toBeUndefined();
    const asked = cache.get(key);
    await answer(link("0", 2));
    expect((await asked)?.definition.version).toBe(2);
  });

  test("is reloaded also if the clock is set back before everything is distrusted", async () => {
    const { cache, key } = await crowded();
    now -= 3_600_000;
    cache.distrust();
    expect(cache.peek(key, now)).toBeUndefined();
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

  test.each(waysToDistrust)("%s, is served to all waiting requests if loads fail", async (_, distrust) => {
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

  test.each(waysToDistrust)("%s, is served to all waiting requests if the load takes long", async (_, distrust) => {
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

  test.each(waysToDistrust)("%s, is not reloaded for a second after a failed load", async (_, distrust) => {
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

  test("takes only a limited part of the room of ready links", async () => {
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

  test("does not block the event loop while no more loads are allowed", async () => {
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

  test("is not served once a change says that it is outdated", async () => {
    const cache = await packed();
    cache.distrust();
    const asked = cache.get(KEY).catch((error: Error) => error.message);
    cache.change({ id: "0", version: 2, key: KEY });
    await away();
    await away();
    expect(await asked).toBe("away");
  });
});

describe("a notice that some link was created", () => {
  test("makes the cache forget which addresses had no link, and nothing else", async () => {
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

  test("during a lookup that finds no link causes a second lookup", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/b");
    cache.change(ANY_LINK_CREATED);
    await answer(null);
    await answer(link("2", 1));
    expect((await asked)?.definition.id).toBe("2");
  });
});

describe("a load from an outdated copy", () => {
  const FRESH_MS = 60_000;

  test("does not restore an earlier version of a link, even if its change was not announced", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 2));
    now += FRESH_MS + 1;
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
    await answer(link("1", 1));
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
  });

  test("can return another link that has taken the address", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 2));
    now += FRESH_MS + 1;
    cache.peek("h/a", now);
    await answer(link("2", 1));
    expect(cache.peek("h/a", now)?.definition.id).toBe("2");
  });
});

describe("a clock that is set back by an hour", () => {
  const HOUR = 3_600_000;

  test("does not keep an entry from being refreshed", async () => {
    const cache = cacheOf();
    await filled(cache, "h/a", link("1", 1));
    now -= HOUR;
    cache.peek("h/a", now);
    now += 61_000;
    expect(cache.peek("h/a", now)?.definition.version).toBe(1);
    await answer(link("1", 2));
    expect(cache.peek("h/a", now)?.definition.version).toBe(2);
  });

  test("does not make the service remember for longer that an address has no link", async () => {
    const cache = cacheOf();
    const asked = cache.get("h/a");
    await answer(null);
    expect(await asked).toBeNull();
    now -= HOUR;
    expect(cache.peek("h/a", now)).toBeNull();
    now += 11_000;
    expect(cache.peek("h/a", now)).toBeUndefined();
  });
});
