import { afterAll, mock } from "bun:test";
import { basename, join } from "node:path";
import * as ownFiles from "@/platform/own-files";
import { hashCheaply } from "./accounts/hash-cost";
import { endRun } from "./end-of-run";
import { isOneOfSeveral } from "./run-process";

/**
 * Stopping the servers may take longer than the timeout of a test. In a parallel run this hook would run after each
 * test file; there the servers belong to the parent process (`run.ts`), which stops them itself.
 */
if (!isOneOfSeveral) afterAll(endRun, 60_000);

/**
 * Unloads the files that have run. A module's variables hold the services it started, and each stopped service would
 * stay in memory until the run ends: after sixty files, collections take a tenth of the machine.
 */
if (isOneOfSeveral)
  afterAll(() => {
    for (const path of Object.keys(require.cache)) if (path.endsWith(".test.ts")) delete require.cache[path];
  });

hashCheaply();

/**
 * Makes services within tests start their threads and processes from the bundle, and read the dashboard from it, as the
 * image does. That is faster: building the dashboard takes each test process more than two seconds of a core.
 */
const { SERVICE_MAIN } = Bun.env;
if (SERVICE_MAIN) {
  const folder = join(import.meta.dir, "../..", SERVICE_MAIN, "..");
  const entryPath: typeof ownFiles.entryPath = (entry) =>
    join(folder, `${basename(ownFiles.ENTRIES[entry], ".ts")}.js`);
  mock.module("@/platform/own-files", () => ({ ...ownFiles, entryPath, isBundled: true }));
}
