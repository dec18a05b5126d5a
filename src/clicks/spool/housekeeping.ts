/**
 * Disposes of applied segments: they are kept for an hour, in case Postgres is restored to an earlier state, then
 * deleted. The main thread also deletes them if the disk is full, so any of them may disappear at any time.
 */
import { readdirSync, rmSync, statSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { unlessMissing } from "./file-faults";
import { segmentName, segmentSequences } from "./segment";

const KEPT_MS = 3_600_000;

/**
 * Starts the hour for the segments from `from` up to, but not including, `to`, by setting their modification time to
 * `now`.
 */
export function markApplied(folder: string, from: number, to: number, now: number): void {
  const applied = segmentSequences(readdirSync(folder)).filter((sequence) => sequence >= from && sequence < to);
  for (const sequence of applied) {
    unlessMissing(() => utimesSync(join(folder, segmentName(sequence)), now / 1000, now / 1000));
  }
}

/**
 * Deletes segments below `appliedBefore` that were applied more than an hour ago, and the oldest of the others while
 * they exceed `keptBytesMax`. Truncates the folder's newest segment instead of deleting it, because its name tells
 * the next writer where to continue. Returns the bytes that are kept. Two threads may call it at the same time.
 */
export function deleteApplied(folder: string, appliedBefore: number, keptBytesMax: number, now: number): number {
  const sequences = segmentSequences(readdirSync(folder));
  const newest = sequences.at(-1);
  let newerBytes = 0;
  let keptBytes = 0;
  for (const sequence of sequences.filter((number) => number < appliedBefore).reverse()) {
    const path = join(folder, segmentName(sequence));
    const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: now };
    newerBytes += size;
    if (now - mtimeMs < KEPT_MS && newerBytes <= keptBytesMax) keptBytes += size;
    else if (sequence !== newest) rmSync(path, { force: true });
    else if (size > 0) unlessMissing(() => truncateSync(path, 0));
  }
  return keptBytes;
}
