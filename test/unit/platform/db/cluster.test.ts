import { expect, test } from "bun:test";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCluster } from "@/platform/db/embedded/cluster";
import { adoptHome } from "@/platform/db/embedded/home";

/** An initdb that stops right after creating the folder. */
const ENDS_EARLY = `#!/bin/sh
for argument; do
  case "$argument" in --pgdata=*) mkdir -p "\${argument#--pgdata=}" && echo made ;; esac
done
exit 1
`;

test("a failed initdb leaves no data behind", async () => {
  const folder = await mkdtemp(join(tmpdir(), "waymark-cluster-"));
  try {
    const home = await adoptHome(folder);
    await writeFile(join(home.path, "initdb"), ENDS_EARLY);
    await chmod(join(home.path, "initdb"), 0o755);
    const initdb = join(home.seenPath, "initdb");
    const made = ensureCluster(home, { initdb, postgres: initdb, majorVersion: "18" }, { isSynced: false }, () => {});
    expect(await made.catch(String)).toMatch(/could not create its data in .*:\nmade$/);
    expect((await readdir(home.path)).toSorted()).toEqual(["initdb", "password"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
