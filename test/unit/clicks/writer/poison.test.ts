/** The file of records that were set aside: how large it gets, with several processes that write to it. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setAside, tidySetAside } from "@/clicks/writer/poison";
import { acquireFileLock } from "@/platform/file-lock";
import { temporaryFolder } from "../records";

const FULL_BYTES = 16 * 1024 * 1024 + 1;
const NOW = Date.UTC(2026, 10, 21, 10, 5);

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const current = () => join(folder.path, "poison");
const before = () => join(folder.path, "poison.before");
const put = (line: string) => setAside(folder.path, [{ reason: "damaged", line }], new Date(NOW));
const tidy = () => tidySetAside(folder.path);
const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line).line);

/** As large as the file gets before another begins. */
function fill(): void {
  put("first");
  truncateSync(current(), FULL_BYTES);
  appendFileSync(current(), "\n");
}

describe("a full file", () => {
  test("becomes the one before, and another begins", () => {
    fill();
    tidy();
    expect(statSync(before()).size).toBeGreaterThan(FULL_BYTES);
    put("second");
    expect(linesOf(current())).toEqual(["second"]);
    tidy();
    expect(statSync(before()).size).toBeGreaterThan(FULL_BYTES);
  });

  test("takes what comes while another process puts it away, and is left to that one", () => {
    fill();
    const other = acquireFileLock(join(folder.path, "poison.lock"));
    put("second");
    tidy();
    expect(existsSync(before())).toBe(false);
    expect(linesOf(current())).toEqual(["first", "second"]);
    other?.release();
    tidy();
    expect(linesOf(before())).toEqual(["first", "second"]);
  });
});
