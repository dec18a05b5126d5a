/** The file of records that were set aside: its size and age, with several processes writing to it. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setAside, tidySetAside } from "@/clicks/writer/poison";
import { acquireFileLock } from "@/platform/file-lock";
import { temporaryFolder } from "../records";

const FULL_BYTES = 16 * 1024 * 1024 + 1;
const NOW = Date.UTC(2026, 10, 21, 10, 5);
const DAY_MS = 86_400_000;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const current = () => join(folder.path, "poison");
const before = () => join(folder.path, "poison.before");
const put = (line: string, now = NOW) => setAside(folder.path, [{ reason: "damaged", line }], new Date(now));
const tidy = (now = NOW) => tidySetAside(folder.path, now);
const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line).line);

/** Fills the file to the size at which another begins. */
function fill(): void {
  put("first");
  truncateSync(current(), FULL_BYTES);
  appendFileSync(current(), "\n");
}

describe("a full file", () => {
  test("becomes the previous file, and a new one is started", () => {
    fill();
    tidy();
    expect(statSync(before()).size).toBeGreaterThan(FULL_BYTES);
    put("second");
    expect(linesOf(current())).toEqual(["second"]);
    tidy();
    expect(statSync(before()).size).toBeGreaterThan(FULL_BYTES);
  });

  test("still takes records while another process holds the lock, and is not rotated until that is released", () => {
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

describe("a record", () => {
  const all = () => [before(), current()].filter(existsSync).flatMap(linesOf);

  test("is deleted after thirty days", () => {
    put("old");
    for (const days of [1, 14, 16, 29]) {
      tidy(NOW + days * DAY_MS);
      expect(all()).toEqual(["old"]);
    }
    tidy(NOW + 30 * DAY_MS);
    expect(all()).toEqual([]);
  });

  test("is deleted within thirty days even if others arrive daily, and is kept for at least fifteen", () => {
    for (let day = 0; day <= 90; day += 1) {
      const now = NOW + day * DAY_MS;
      put(String(day), now);
      tidy(now);
      const days = all().map(Number);
      expect(days[0]).toBeGreaterThan(day - 30);
      expect(days[0]).toBeLessThanOrEqual(Math.max(0, day - 14));
      expect(days).toEqual(Array.from({ length: days.length }, (_, index) => day - days.length + 1 + index));
    }
  });

  test("in a file with an unreadable first line is as old as the file", () => {
    appendFileSync(current(), "no record\n");
    const { mtimeMs } = statSync(current());
    tidy(mtimeMs + 14 * DAY_MS);
    expect(existsSync(current())).toBe(true);
    tidy(mtimeMs + 30 * DAY_MS);
    expect([current(), before()].filter(existsSync)).toEqual([]);
  });
});
