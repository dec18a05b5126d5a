import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { segmentName } from "@/clicks/spool/segment";
import { AdoptedSpools } from "@/clicks/writer/adopted-spools";
import type { SpoolTail } from "@/clicks/writer/spool-tail";
import { temporaryFolder } from "../records";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Spools of ten bytes each, all of which Postgres has. */
async function keptSpools(names: readonly string[]) {
  const emptied: string[] = [];
  const tailOf = (name: string) => ({ name, folder: join(folder.path, name), close: () => undefined });
  const spools = new AdoptedSpools({
    tails: {
      open: async (name) => tailOf(name) as SpoolTail,
      check: async () => true,
      confirm: async () => true,
    },
    reports: {
      kept: () => undefined,
      emptied: (name) => emptied.push(name),
      dispose: (work) => work(),
      log: () => undefined,
    },
    retryMs: 0,
  });
  for (const name of names) {
    mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, name, segmentName(1)), Buffer.alloc(10));
    spools.adopt(name);
  }
  await spools.apply(async () => false);
  return { spools, emptied };
}

test("adopted spools share one size limit for applied segments, and those applied first are deleted first", async () => {
  const { spools, emptied } = await keptSpools(["one", "two", "three"]);
  await spools.keepHouse(30, Date.now());
  expect(emptied).toEqual([]);
  await spools.keepHouse(29, Date.now());
  expect(emptied).toEqual(["one"]);
  await spools.keepHouse(10, Date.now());
  expect(emptied).toEqual(["one", "two"]);
  await spools.keepHouse(0, Date.now());
  expect(emptied).toEqual(["one", "two", "three"]);
});
