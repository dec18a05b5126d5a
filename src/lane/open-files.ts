/** How many files and sockets this process may have open at the same time. */
import { readFileSync } from "node:fs";

/** What everything but visitors' connections needs: Postgres, Redis, the spool, webhooks, modules that are read later. */
const RESERVED_SHARE = 4;
const RESERVED_MIN = 128;
const RESERVED_MAX = 2_048;
/** However low the limit, some visitors are served. */
const LEFT_MIN = 32;

/**
 * Returns how many descriptors visitors' connections may take; infinite where the system does not tell. Beyond the limit,
 * the runtime ends the process.
 */
export const descriptorsForVisitors = (limit = openFilesMax()): number =>
  Math.max(LEFT_MIN, limit - Math.min(Math.max(limit / RESERVED_SHARE, RESERVED_MIN), RESERVED_MAX));

/** The runtime raises the limit of its process as far as it may. */
function openFilesMax(): number {
  if (process.platform !== "linux") return Number.POSITIVE_INFINITY;
  const found = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1];
  return found === undefined ? Number.POSITIVE_INFINITY : Number(found);
}
