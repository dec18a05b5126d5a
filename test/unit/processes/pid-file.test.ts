/** `DATA_DIR/waymark.pid` names the process to send signals to, or is absent: never another process. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasSmallDisks, onSmallDisk } from "@test/support/servers/small-disk";
import { SURROUNDINGS } from "@test/support/service-process";

const folder = await mkdtemp(join(tmpdir(), "waymark-pid-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A process before this one was killed and left its file, and the disk has filled up since. */
const AFTER_A_KILL = `
const { appendFileSync, readdirSync, writeFileSync } = await import("node:fs");
const { writePidFile } = await import("@/processes/pid-file");
const [folder] = process.argv.slice(-1);
writeFileSync(folder + "/waymark.pid", "1\\n");
try {
  for (;;) appendFileSync(folder + "/filler", new Uint8Array(1024));
} catch {}
const told = [];
const file = writePidFile(folder, { warn: (message) => told.push(message) });
const left = readdirSync(folder);
file[Symbol.dispose]();
console.log(JSON.stringify({ told, left }));
`;

test.skipIf(!hasSmallDisks())(
  "on a full disk, neither a part of the file nor that of a former process stays",
  async () => {
    const child = Bun.spawn([...onSmallDisk(folder, 1), process.execPath, "-e", AFTER_A_KILL, folder], {
      stdout: "pipe",
      stderr: "inherit",
      env: SURROUNDINGS,
    });
    expect(JSON.parse(await child.stdout.text())).toEqual({ told: ["could not write the pid file"], left: ["filler"] });
  },
);
