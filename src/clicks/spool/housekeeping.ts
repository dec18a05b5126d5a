/** What becomes of segments once they are applied: kept for an hour, should Postgres be set back, then deleted. */
import { readdirSync, rmSync, statSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { segmentName, segmentSequences } from "./segment";

const KEPT_MS = 3_600_000;

/** Marks where the hour begins for the segments from `from` to before `to`, as the time of their last change. */
export function markApplied(folder: string, from: number, to: number, now: number): void {
  const applied = segmentSequences(readdirSync(folder)).filter((sequence) => sequence >= from && sequence < to);
  for (const sequence of applied) utimesSync(join(folder, segmentName(sequence)), now / 1000, now / 1000);
}

/**
 * Deletes what was applied more than an hour ago, and the oldest before that where `keptBytesMax` is exceeded. The newest
 * segment is emptied instead: its name tells the next writer where to go on. Two may do it at once.
 */
export function deleteApplied(folder: string, appliedBefore: number, keptBytesMax: number, now: number): void {
  const sequences = segmentSequences(readdirSync(folder));
  const newest = sequences.at(-1);
  let keptBytes = 0;
  for (const sequence of sequences.filter((number) => number < appliedBefore).reverse()) {
    const path = join(folder, segmentName(sequence));
    const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: now };
    keptBytes += size;
    if (now - mtimeMs < KEPT_MS && keptBytes <= keptBytesMax) continue;
    if (sequence !== newest) rmSync(path, { force: true });
    else if (size > 0) truncateSync(path, 0);
  }
}
