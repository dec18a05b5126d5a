import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { ENTRIES, entryPath, ownFile } from "@/platform/own-files";

test("the entry file of every process and thread exists, and its name is unique", () => {
  const paths = Object.values(ENTRIES).map(ownFile);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  expect(new Set(paths.map((path) => basename(path))).size).toBe(paths.length);
  expect(entryPath("main")).toBe(ownFile(Bun.env.SERVICE_MAIN ?? "src/main.ts"));
});
