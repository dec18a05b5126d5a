import { afterAll } from "bun:test";
import { rm } from "node:fs/promises";
import { makeQuickFolder } from "./quick-folder";

/** Creates a folder that is removed after the test file. */
export async function makeFolderOfFile(): Promise<string> {
  const path = await makeQuickFolder();
  afterAll(() => rm(path, { recursive: true, force: true }));
  return path;
}
