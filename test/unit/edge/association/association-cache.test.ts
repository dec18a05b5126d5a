/** The association files of many domains, with a source that can be slow, fail and change during a load. */
import { expect, test } from "bun:test";
import type { AssociationSource } from "@/core/association/source";
import { AssociationCache, type AssociationFiles } from "@/edge/association/association-cache";

const MINUTE_MS = 60_000;
const host = { domainId: "d1", orgId: "o1" };

function sourceOf(bundleId: string): AssociationSource {
  const appConfig = { ios: { teamId: "A1B2C3D4E5", bundleId } };
  return { profiles: [], appConfig, excludedPaths: [], isCaseSensitive: false };
}

function cacheOn(load: (domainId: string) => Promise<AssociationSource | null>, bytesMax?: number) {
  const state = { now: 0, failures: 0 };
  const cache = new AssociationCache({
    load,
    clock: () => state.now,
    onLoadFailed: () => {
      state.failures++;
    },
    bytesMax,
  });
  return { cache, state };
}

/** A source whose every load the test resolves. */
function heldSource() {
  const asked: PromiseWithResolvers<AssociationSource | null>[] = [];
  const load = () => {
    const next = Promise.withResolvers<AssociationSource | null>();
    asked.push(next);
    return next.promise;
  };
  return { asked, load };
}

const bundleOf = (files: AssociationFiles | null) => files && /com\.\w+/.exec(files.apple.body)?.[0];

test("simultaneous requests cause one load, and later ones none", async () => {
  let loads = 0;
  const { cache } = cacheOn(async () => {
    loads++;
    await Bun.sleep(1);
    return sourceOf("com.a");
  });
  const files = await Promise.all(Array.from({ length: 50 }, () => cache.of(host)));
  expect(new Set(files.map(bundleOf))).toEqual(new Set(["com.a"]));
  await cache.of(host);
  expect(loads).toBe(1);
});

test("files are reloaded after a change to their organization or to an unnamed one, or after a minute", async () => {
  let loads = 0;
  const { cache, state } = cacheOn(async () => sourceOf(`com.v${++loads}`));
  expect(bundleOf(await cache.of(host))).toBe("com.v1");
  state.now += 2 * MINUTE_MS;
  expect(bundleOf(await cache.of(host))).toBe("com.v2");
  cache.outdate("o2");
  expect(bundleOf(await cache.of(host))).toBe("com.v2");
  cache.outdate("o1");
  expect(bundleOf(await cache.of(host))).toBe("com.v3");
  cache.outdate();
  expect(bundleOf(await cache.of(host))).toBe("com.v4");
});

test("a change during a load causes a second load", async () => {
  const { asked, load } = heldSource();
  const { cache } = cacheOn(load);
  const files = cache.of(host);
  cache.outdate("o1");
  asked[0]?.resolve(sourceOf("com.old"));
  await Bun.sleep(0);
  asked[1]?.resolve(sourceOf("com.new"));
  expect([bundleOf(await files), bundleOf(await cache.of(host)), asked.length]).toEqual(["com.new", "com.new", 2]);
});

test("files that change during every load are served as last loaded, and reloaded for the next request", async () => {
  let loads = 0;
  const { cache } = cacheOn(async () => {
    loads++;
    cache.outdate("o1");
    return sourceOf(`com.v${loads}`);
  });
  expect(bundleOf(await cache.of(host))).toBe("com.v3");
  expect(bundleOf(await cache.of(host))).toBe("com.v6");
});

test("while loads fail, known files are served, and a load is retried once a second", async () => {
  let loads = 0;
  const { cache, state } = cacheOn(async () => {
    if (++loads > 1) throw new Error("away");
    return sourceOf("com.a");
  });
  await cache.of(host);
  state.now += 2 * MINUTE_MS;
  for (let requests = 0; requests < 10; requests++) expect(bundleOf(await cache.of(host))).toBe("com.a");
  expect([loads, state.failures]).toEqual([2, 1]);
  state.now += 1_001;
  expect(bundleOf(await cache.of(host))).toBe("com.a");
  expect(loads).toBe(3);
  await expect(cache.of({ domainId: "d2", orgId: "o1" })).rejects.toThrow("away");
});

test("while a load takes long, known files are served", async () => {
  const { asked, load } = heldSource();
  const { cache } = cacheOn(load);
  const first = cache.of(host);
  asked[0]?.resolve(sourceOf("com.a"));
  await first;
  cache.outdate("o1");
  expect(bundleOf(await cache.of(host))).toBe("com.a");
  asked[1]?.resolve(sourceOf("com.b"));
  await Bun.sleep(0);
  expect(bundleOf(await cache.of(host))).toBe("com.b");
});

test("a domain that is no longer verified has no files", async () => {
  let isVerified = true;
  const { cache } = cacheOn(async () => (isVerified ? sourceOf("com.a") : null));
  await cache.of(host);
  isVerified = false;
  cache.outdate("o1");
  expect([await cache.of(host), cache.bytes]).toEqual([null, 0]);
});

test("the least recently used files are evicted over the limit, and the byte count stays exact", async () => {
  let loads = 0;
  const { cache } = cacheOn(async () => {
    loads++;
    return sourceOf("com.a");
  }, 10_000);
  const of = (domainId: string) => cache.of({ domainId, orgId: "o1" });
  await of("d1");
  const one = cache.bytes;
  const room = Math.floor(10_000 / one);
  for (let index = 2; index <= room; index++) await of(`d${index}`);
  await of("d1");
  await of("another");
  expect(cache.bytes).toBe(room * one);
  await of("d1");
  expect(loads).toBe(room + 1);
  await of("d2");
  expect(loads).toBe(room + 2);
});

test("a load beyond a hundred simultaneous ones is refused", async () => {
  const { asked, load } = heldSource();
  const { cache } = cacheOn(load);
  const loading = Array.from({ length: 100 }, (_, index) => cache.of({ domainId: `d${index}`, orgId: "o1" }));
  await expect(cache.of({ domainId: "one-more", orgId: "o1" })).rejects.toThrow("Already loading 100 domains");
  for (const each of asked) each.resolve(null);
  expect(await Promise.all(loading)).toEqual(new Array(100).fill(null));
});
