import { describe, expect, test } from "bun:test";
import { linkDefinition } from "@test/bench/subject";
import fc from "fast-check";
import { PackedLinks } from "@/platform/link-cache/packed-links";
import { SlabIndex } from "@/platform/link-cache/slab-index";

const MEGABYTE = 1024 * 1024;
const link = (index: number, loadedAt = index) => ({
  definition: linkDefinition(index),
  loadedAt,
  bytes: 1000 + index,
});

describe("packed links", () => {
  test("are returned as they were stored", () => {
    const links = new PackedLinks(4 * MEGABYTE);
    const put = Array.from({ length: 500 }, (_, index) => link(index));
    for (const [index, each] of put.entries()) links.put(`go.example.com/ü-${index}`, each);
    expect(links.size).toBe(500);
    for (const [index, each] of put.entries()) expect(links.get(`go.example.com/ü-${index}`)).toEqual(each);
    expect(links.get("go.example.com/none")).toBeUndefined();
  });

  test.each([
    ["with a short URL that its address says", { shortUrl: "https://go.example.com/a" }],
    ["with another short URL", { shortUrl: "https://Go.example.com/A" }],
    ["whose ids are no UUIDs", { id: "link-1", orgId: "organization-1" }],
    ["whose ids are in capitals", { id: "0198F2B0-6B5E-7C3A-9D4E-5F6A7B8C9D0E" }],
    ["whose organization's id begins with noughts", { orgId: "00000000-0000-0000-0000-0000000000ff" }],
  ])("one %s is returned as it was stored", (_, fields) => {
    const links = new PackedLinks(4 * MEGABYTE);
    const put = { ...link(1), definition: { ...linkDefinition(1), ...fields } };
    links.put("go.example.com/a", put);
    expect(links.get("go.example.com/a")).toEqual(put);
  });

  test("are returned in full, however long they are and wherever they end in a chunk", () => {
    const links = new PackedLinks(8 * MEGABYTE);
    const long = (index: number) => {
      const deepLinkPayload = { text: "ü".repeat((index * 7_919) % 60_000) };
      return { ...link(index), definition: { ...linkDefinition(index), deepLinkPayload } };
    };
    const put = Array.from({ length: 100 }, (_, index) => long(index));
    for (const [index, each] of put.entries()) links.put(`h/${index}`, each);
    expect(links.size).toBe(100);
    for (const [index, each] of put.entries()) expect(links.get(`h/${index}`)).toEqual(each);
  });

  test("are replaced and deleted", () => {
    const links = new PackedLinks(4 * MEGABYTE);
    links.put("h/a", link(1));
    links.put("h/a", link(2));
    expect(links.get("h/a")?.loadedAt).toBe(2);
    expect(links.size).toBe(1);
    links.delete("h/a");
    links.delete("h/a");
    expect(links.has("h/a")).toBe(false);
    expect(links.size).toBe(0);
  });

  test("stay within their byte limit: the oldest are evicted, but not those that are used", () => {
    const links = new PackedLinks(4 * MEGABYTE);
    for (let index = 0; index < 20_000; index++) {
      links.put(`h/${index}`, link(index));
      links.get("h/7");
      expect(links.bytes).toBeLessThanOrEqual(4 * MEGABYTE + links.size);
    }
    expect(links.has("h/7")).toBe(true);
    expect(links.has("h/8")).toBe(false);
    expect(links.has("h/19999")).toBe(true);
    const found = Array.from({ length: 20_000 }, (_, index) => links.has(`h/${index}`)).filter(Boolean).length;
    expect(found).toBe(links.size);
    expect(found).toBeGreaterThan(3000);
  });

  test("are not kept if larger than a chunk, or if there is no room at all", () => {
    const links = new PackedLinks(4 * MEGABYTE);
    links.put("h/a", { ...link(1), definition: { ...linkDefinition(1), title: "x".repeat(MEGABYTE) } });
    expect(links.has("h/a")).toBe(false);
    const none = new PackedLinks(0);
    none.put("h/a", link(1));
    expect([none.has("h/a"), none.bytes]).toEqual([false, 0]);
  });
});

test("the index finds exactly what was added and not removed, for any hashes", () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
    maxLength: 3000,
    size: "max",
  });
  fc.assert(
    fc.property(steps, (taken) => {
      const index = new SlabIndex();
      const known = new Map<number, number>();
      for (const [adds, key, kind] of taken) {
        // Few hashes for many positions; some fall at the very end of the table.
        const hash = kind === 0 ? 0xffff_ffff - (key % 3) : key * 1024 * kind;
        const position = key * 4 + kind;
        if (adds && !known.has(position)) {
          index.add(hash, position);
          known.set(position, hash);
        } else if (!adds) {
          expect(index.remove(hash, position)).toBe(known.delete(position));
        }
      }
      expect(index.size).toBe(known.size);
      for (const [position, hash] of known) expect(index.find(hash, (other) => other === position)).toBe(position);
    }),
    { numRuns: 50 },
  );
});

test("the index grows", () => {
  const index = new SlabIndex();
  for (let position = 0; position < 10_000; position++) index.add((position * 2_654_435_761) >>> 0, position);
  for (let position = 0; position < 10_000; position++) {
    const hash = (position * 2_654_435_761) >>> 0;
    expect(index.find(hash, (other) => other === position)).toBe(position);
  }
});
