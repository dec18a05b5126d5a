/**
 * Sets aside records that cannot be applied, so that they never block others: as JSON lines in one file next to the
 * spools, readable only by its owner. Each record is there at least once, and twice after a crash right after it was
 * written.
 *
 * Once the file exceeds 16 MB, it replaces its one predecessor and a new file begins: masses of such records need a
 * person anyway. Several processes append to the file. A lock lets one at a time replace it; the others leave it to that
 * one and append, to whichever file has the name at that moment.
 */
import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { acquireFileLock } from "@/platform/file-lock";
import type { PoisonedRecord } from "./poisoned-record";

const FILE_BYTES_MAX = 16 * 1024 * 1024;

const poisonPath = (spoolsFolder: string): string => join(spoolsFolder, "poison");

export function setAside(spoolsFolder: string, records: readonly PoisonedRecord[], now: Date): void {
  if (records.length === 0) return;
  const lines = records.map((record) => `${JSON.stringify({ at: now.toISOString(), ...record })}\n`);
  appendFileSync(poisonPath(spoolsFolder), lines.join(""), { mode: 0o600, flush: true });
}

/** Keeps the files within their bounds. */
export function tidySetAside(spoolsFolder: string): void {
  const path = poisonPath(spoolsFolder);
  if (!isFull(path)) return;
  const lock = acquireFileLock(`${path}.lock`);
  if (!lock) return;
  try {
    // Another process may have done it in between.
    if (isFull(path)) renameSync(path, `${path}.before`);
  } finally {
    lock.release();
  }
}

function isFull(path: string): boolean {
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
  return size > FILE_BYTES_MAX;
}
