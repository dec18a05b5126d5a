import { afterAll, mock } from "bun:test";
import { basename, join } from "node:path";
import * as ownFiles from "@/platform/own-files";
import { hashCheaply } from "./accounts/hash-cost";
import { endRun } from "./end-of-run";
import { isOneOfSeveral } from "./run-process";

/**
 * Ending the servers may take longer than a test may. One process of several is called here after each of its files, and
 * leaves the servers to the run, whose they are (`run.ts`).
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

/** Threads and processes of a service within a test are those of the image, as a service process is: they start sooner. */
const { SERVICE_MAIN } = Bun.env;
if (SERVICE_MAIN) {
  const folder = join(import.meta.dir, "../..", SERVICE_MAIN, "..");
  const entryPath: typeof ownFiles.entryPath = (entry) =>
    join(folder, `${basename(ownFiles.ENTRIES[entry], ".ts")}.js`);
  mock.module("@/platform/own-files", () => ({ ...ownFiles, entryPath }));
}
