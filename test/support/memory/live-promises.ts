import { heapStats } from "bun:jsc";

/** Returns how many promises the heap holds that something still refers to. */
export function livePromises(): number {
  Bun.gc(true);
  return heapStats().objectTypeCounts.Promise ?? 0;
}
