import { afterAll } from "bun:test";
import { endRun } from "./end-of-run";
import { isOneOfSeveral } from "./run-process";

/**
 * Ending the servers may take longer than a test may. One process of several is called here after each of its files, and
 * leaves the servers to the run, whose they are (`run.ts`).
 */
if (!isOneOfSeveral) afterAll(endRun, 60_000);
