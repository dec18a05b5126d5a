import { expect, test } from "bun:test";
import { type CachedRow, RowCache } from "@/figures/write/row-cache";

const rowOf = (bytes: number): CachedRow => ({ clicks: 1, opens: 0, counts: new Uint8Array(bytes), visitors: null });
const keysOf = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}`);

test("rows are kept while they fit, the most recently used ones longest", () => {
  const cache = new RowCache(100_000);
  const keys = keysOf(20);
  for (const key of keys) {
    cache.set(key, rowOf(9_500));
    expect(cache.get("row 0")).toBeDefined();
  }
  const kept = keys.filter((key) => cache.get(key));
  expect(kept).toContain("row 0");
  expect(kept).toContain("row 19");
  expect(kept.length).toBeLessThanOrEqual(10);
});

test("rows that grow while cached cause evictions, too", () => {
  const cache = new RowCache(100_000);
  const rows = keysOf(20).map((key) => ({ key, row: rowOf(0) }));
  for (const { key, row } of rows) cache.set(key, row);
  expect(rows.every(({ key }) => cache.get(key))).toBe(true);
  for (const { key, row } of rows) {
    row.visitors = new Uint8Array(12_000);
    cache.set(key, row);
  }
  expect(rows.filter(({ key }) => cache.get(key)).length).toBeLessThanOrEqual(8);
});

test("small rows are limited by their number", () => {
  const cache = new RowCache();
  const keys = keysOf(100_000);
  for (const key of keys) cache.set(key, rowOf(0));
  expect(keys.filter((key) => cache.get(key)).length).toBeLessThanOrEqual(65_536);
});
