import { afterAll } from "bun:test";
import { endRun } from "./end-of-run";

/** Ending the servers may take longer than a test may. */
afterAll(endRun, 60_000);
