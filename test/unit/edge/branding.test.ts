import { beforeEach, describe, expect, test } from "bun:test";
import { type Brand, BrandCache } from "@/edge/branding";

const brand = (name: string): Brand => ({
  orgId: "a",
  name,
  hasLogo: false,
  accent: null,
  supportUrl: null,
  footerText: null,
});

let now = 0;
let loads = 0;
let next: () => Promise<Brand | null>;
let failures = 0;
let cache: BrandCache;
beforeEach(() => {
  [now, loads, failures] = [0, 0, 0];
  next = async () => brand(`load ${loads}`);
  cache = new BrandCache({
    load: () => {
      loads++;
      return next();
    },
    clock: () => now,
    onLoadFailed: () => void failures++,
  });
});
const name = async () => (await cache.of("a"))?.name ?? null;

test("a brand is loaded once for simultaneous requests, and cached for a minute", async () => {
  expect(await Promise.all([name(), name(), name()])).toEqual(["load 1", "load 1", "load 1"]);
  now = 59_999;
  expect(await name()).toBe("load 1");
  now = 60_000;
  expect(await name()).toBe("load 2");
});

test("an organization that no longer exists has no brand, which is cached as well", async () => {
  next = async () => null;
  expect([await name(), await name(), loads]).toEqual([null, null, 1]);
});

describe("a change", () => {
  test("shows on the organization's next page, and on any page if no organization is named", async () => {
    await name();
    cache.outdate("b");
    expect(await name()).toBe("load 1");
    cache.outdate("a");
    expect(await name()).toBe("load 2");
    cache.outdate();
    expect(await name()).toBe("load 3");
  });

  test("during a load is not hidden by the outdated result of that load", async () => {
    for (const changed of ["a", undefined]) {
      const { promise, resolve } = Promise.withResolvers<Brand>();
      next = () => promise;
      cache.outdate();
      const first = name();
      cache.outdate(changed);
      next = async () => brand("after");
      resolve(brand("before"));
      expect(await first).toBe("before");
      expect(await name()).toBe("after");
    }
  });
});

describe("without Postgres", () => {
  test("a page has no branding, and the load is retried after a second", async () => {
    next = async () => Promise.reject(new Error("away"));
    expect([await name(), await name(), loads, failures]).toEqual([null, null, 1, 1]);
    now = 1_000;
    next = async () => brand("back");
    expect(await name()).toBe("back");
  });

  test("a page keeps the last known brand", async () => {
    await name();
    now = 60_000;
    next = async () => Promise.reject(new Error("away"));
    expect(await name()).toBe("load 1");
  });

  test("a page keeps the brand from before a change until a load succeeds", async () => {
    await name();
    cache.outdate("a");
    next = async () => Promise.reject(new Error("away"));
    expect(await name()).toBe("load 1");
    now = 1_000;
    next = async () => brand("changed");
    expect(await name()).toBe("changed");
  });

  test("a page does not wait for a load that never ends", async () => {
    next = () => new Promise(() => {});
    expect(await name()).toBeNull();
  });
});
