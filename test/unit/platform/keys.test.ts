import { afterAll, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeys } from "@/platform/keys";

const dataDir = await mkdtemp(join(tmpdir(), "waymark-keys-"));
afterAll(() => rm(dataDir, { recursive: true }));
const KEYS = join(import.meta.dir, "../../../src/platform/keys.ts");
const NONE = { appSecret: null, appSecretPrevious: null };

describe("a secret that is made once", () => {
  test("is kept where nobody else reads it, in a folder that others may read too", async () => {
    await chmod(dataDir, 0o755);
    await openKeys({ ...NONE, dataDir });
    expect((await stat(join(dataDir, "app-secret"))).mode & 0o777).toBe(0o600);
  });

  test("is the same for several that start at once, and later", async () => {
    const own = join(dataDir, "several");
    const opened = await Promise.all(Array.from({ length: 8 }, () => openKeys({ ...NONE, dataDir: own })));
    const keys = [...opened, await openKeys({ ...NONE, dataDir: own })].map((each) => each.current("session").toHex());
    expect(new Set(keys).size).toBe(1);
  });

  test("is made by the next start if the first one could not write it, or while it has not yet", async () => {
    const own = join(dataDir, "unwritten");
    const start = `const { openKeys } = await import(${JSON.stringify(KEYS)});
      await openKeys({ appSecret: null, appSecretPrevious: null, dataDir: ${JSON.stringify(own)} });`;
    // With this limit, files can be created, but nothing can be written to them.
    const command = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", process.execPath, "-e", start];
    const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
    expect(await child.stderr.text()).toContain("EFBIG");
    expect(await readdir(own)).toEqual([]);
    await openKeys({ ...NONE, dataDir: own });
    expect(await readdir(own)).toEqual(["app-secret"]);
  });

  test("is refused where its file was cut short, in place of keys that anybody could derive", async () => {
    const cut = await mkdtemp(join(dataDir, "cut-"));
    await Bun.write(join(cut, "app-secret"), "\n");
    await expect(openKeys({ ...NONE, dataDir: cut })).rejects.toThrow("contains no secret");
  });
});

test("keys of different purposes are different ones", async () => {
  const { current } = await openKeys({ ...NONE, dataDir });
  const keys = (["session", "match-token", "encryption"] as const).map((purpose) => current(purpose).toHex());
  expect(new Set(keys).size).toBe(3);
});
