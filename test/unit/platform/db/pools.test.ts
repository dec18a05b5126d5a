/** The number of connections that servers may open: the sum of their pools, each of which is opened in one place. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { connectionsOfServers, DIRECT_POOL_SIZES, POOL_SIZES, POOLED_SIZES } from "@/platform/db/pools";

const paths = await Array.fromAsync(new Glob("src/**/*.{ts,tsx}").scan());
const sources = await Promise.all(
  paths.filter((path) => !path.endsWith("/pools.ts")).map((path) => Bun.file(path).text()),
);
const guide = await Bun.file("src/http/docs/guide/operating.md").text();

/** Returns all matches, each at most once per file. */
const found = (pattern: RegExp) =>
  sources.flatMap((text) => [...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name))]);
const sumOf = (sizes: Record<string, number>) => Object.values(sizes).reduce((sum, size) => sum + size, 0);
const isOfServers = (pool: string) => pool !== "tool";

test("every pool of a server is opened in one place", () => {
  const opened = [...found(/\bpool: "(\w+)"/g), ...found(/\bPOOL_SIZES\.(\w+)/g)];
  expect(opened.filter(isOfServers).sort()).toEqual(Object.keys(POOL_SIZES).filter(isOfServers).sort());
});

test("no client sets its own pool size", () => {
  expect(found(/\bconnectionsMax: (\d+)/g)).toEqual([]);
});

test.each([1, 4, 16])("leaves room for %p servers, a replacement for one of them, and an operator", (servers) => {
  const ofOne = sumOf(DIRECT_POOL_SIZES) + sumOf(POOLED_SIZES);
  expect(connectionsOfServers(servers)).toBeGreaterThan((servers + 1) * ofOne);
});

test("the guide states how many connections a server needs", () => {
  const [direct, pooled] = [sumOf(DIRECT_POOL_SIZES), sumOf(POOLED_SIZES)];
  expect(guide).toContain(`Each server needs ${direct} direct connections and up to ${pooled} pooled ones`);
  expect(guide).toContain(`up to ${direct + pooled} connections to Postgres`);
  const ofAnother = connectionsOfServers(2) - connectionsOfServers(1);
  expect(guide).toContain(`up to ${ofAnother - direct - pooled} more for 5 seconds`);
});
