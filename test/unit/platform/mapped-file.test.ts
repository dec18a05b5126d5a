import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, open, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mapFile } from "@/platform/mapped-file";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-mapped-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("a mapped file", () => {
  test("has the file's bytes, even if the file is read-only", async () => {
    const path = join(folder, "read-only");
    await writeFile(path, "the bytes");
    await chmod(path, 0o444);
    expect(mapFile(path).toString()).toBe("the bytes");
  });

  test("keeps its bytes when the file is replaced by another", async () => {
    const path = join(folder, "replaced");
    await writeFile(path, "before");
    const bytes = mapFile(path);
    await writeFile(`${path}.new`, "after!");
    await rename(`${path}.new`, path);
    expect([bytes.toString(), mapFile(path).toString()]).toEqual(["before", "after!"]);
  });

  test("takes no memory for parts that are not read", async () => {
    const size = 512 * 1024 ** 2;
    const path = join(folder, "large");
    const file = await open(path, "w");
    await file.truncate(size);
    await file.close();
    const before = process.memoryUsage.rss();
    expect(mapFile(path).at(-1)).toBe(0);
    expect(process.memoryUsage.rss() - before).toBeLessThan(size / 4);
  });

  test("may be empty, but must exist", async () => {
    const path = join(folder, "empty");
    await writeFile(path, "");
    expect(mapFile(path).length).toBe(0);
    expect(() => mapFile(join(folder, "missing"))).toThrow("ENOENT");
  });
});
