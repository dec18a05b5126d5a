import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchFile } from "@/platform/watched-file";

const folder = await mkdtemp(join(tmpdir(), "waymark-watched-"));
afterAll(() => rm(folder, { recursive: true }));

/** Watches a file whose content is invalid if it begins with "bad". */
async function watched(name: string) {
  const path = join(folder, name);
  await writeFile(path, "good");
  const faults: string[] = [];
  const contents: string[] = [];
  const watch = await watchFile(path, {
    everyMs: 2,
    async read(file) {
      const text = await readFile(file, "utf8");
      if (text.startsWith("bad")) throw new Error("It is bad");
      return text;
    },
    onContent: (content) => contents.push(content),
    onFault: ({ message }) => faults.push(message.replace(/:.*/, "")),
  });
  const until = async (count: number) => {
    while (faults.length < count) await Bun.sleep(2);
  };
  /** Moves the file away and back until the watch has reported that often that it is missing. */
  const comeAndGo = async (count: number) => {
    while (faults.filter((fault) => fault === "ENOENT").length < count) {
      await rename(path, `${path}.away`);
      await Bun.sleep(10);
      await rename(`${path}.away`, path);
      await Bun.sleep(10);
    }
  };
  return { path, faults, contents, until, comeAndGo, [Symbol.dispose]: () => watch[Symbol.dispose]() };
}

describe("a file that disappears and returns unchanged", () => {
  test("is reported each time, and not read again", async () => {
    using file = await watched("unchanged");
    await file.comeAndGo(3);
    expect([new Set(file.faults), file.contents]).toEqual([new Set(["ENOENT"]), ["good"]]);
  });

  test("is reported each time, but its invalid content only once", async () => {
    using file = await watched("invalid");
    await writeFile(file.path, "bad");
    await file.until(1);
    await file.comeAndGo(3);
    expect(file.faults.filter((fault) => fault !== "ENOENT")).toEqual(["It is bad"]);
    await writeFile(file.path, "better");
    while (file.contents.length < 2) await Bun.sleep(2);
    const before = file.faults.length;
    await writeFile(file.path, "bad again");
    await file.until(before + 1);
    expect(file.faults.at(-1)).toBe("It is bad");
  });
});
