import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { ENTRIES, entryPath, ownFile } from "@/platform/own-files";

test("whatever a process or thread begins with is there, by a name of its own", () => {
  const paths = Object.values(ENTRIES).map(ownFile);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  expect(new Set(paths.map((path) => basename(path))).size).toBe(paths.length);
  expect(entryPath("main")).toBe(ownFile(Bun.env.SERVICE_MAIN ?? "src/main.ts"));
});
