/**
 * Sets aside records that cannot be applied, so that they never block others: as JSON lines in one file next to the
 * spools, readable only by its owner. Each record is there at least once, and twice after a crash right after it was
 * written.
 *
 * Bounds: once the file exceeds 16 MB, or its first record is 15 days old, it replaces its one predecessor and a new file
 * begins. The predecessor is deleted once its first record is 30 days old. So a record is kept for 15 to 30 days, and for
 * less only if there are masses of them, which need a person anyway.
 *
 * Several processes append to the file. A lock lets one at a time replace or delete files; the others leave it to that one
 * and append, to whichever file has the name at that moment.
 */
import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "@/core/time/time-range";
import { acquireFileLock } from "@/platform/file-lock";
import { isMissing } from "../spool/file-faults";
import type { PoisonedRecord } from "./poisoned-record";

const FILE_BYTES_MAX = 16 * 1024 * 1024;
const KEPT_MS = 30 * DAY_MS;
/** How much time one file covers. */
const SPAN_MS = KEPT_MS / 2;

/** A line begins with its time. */
const FIRST_TIME = /^\{"at":"([^"]+)"/;
const FIRST_TIME_BYTES = 64;

export const poisonPath = (spoolsFolder: string): string => join(spoolsFolder, "poison");
const pathBefore = (spoolsFolder: string): string => `${poisonPath(spoolsFolder)}.before`;

export function setAside(spoolsFolder: string, records: readonly PoisonedRecord[], now: Date): void {
  if (records.length === 0) return;
  const lines = records.map((record) => `${JSON.stringify({ at: now.toISOString(), ...record })}\n`);
  appendFileSync(poisonPath(spoolsFolder), lines.join(""), { mode: 0o600, flush: true });
}

/** Keeps the files within their bounds. */
export function tidySetAside(spoolsFolder: string, now: number): void {
  if (!isDone(spoolsFolder, now) && !isOutdated(spoolsFolder, now)) return;
  const lock = acquireFileLock(`${poisonPath(spoolsFolder)}.lock`);
  if (!lock) return;
  try {
    // Another process may have done it in between.
    if (isDone(spoolsFolder, now)) renameSync(poisonPath(spoolsFolder), pathBefore(spoolsFolder));
    if (isOutdated(spoolsFolder, now)) rmSync(pathBefore(spoolsFolder), { force: true });
  } finally {
    lock.release();
  }
}

/** Whether another file is to begin. */
function isDone(spoolsFolder: string, now: number): boolean {
  const path = poisonPath(spoolsFolder);
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
  return size > FILE_BYTES_MAX || now - beganAt(path, now) >= SPAN_MS;
}

const isOutdated = (spoolsFolder: string, now: number): boolean =>
  now - beganAt(pathBefore(spoolsFolder), now) >= KEPT_MS;

/** When the file's first record was set aside, in Unix milliseconds; `now` if there is no file. */
function beganAt(path: string, now: number): number {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (error) {
    if (isMissing(error)) return now;
    throw error;
  }
  try {
    const start = Buffer.alloc(FIRST_TIME_BYTES);
    const bytes = readSync(fd, start, 0, FIRST_TIME_BYTES, 0);
    const [, time = ""] = FIRST_TIME.exec(start.toString("latin1", 0, bytes)) ?? [];
    const at = Date.parse(time);
    return Number.isNaN(at) ? fstatSync(fd).mtimeMs : at;
  } finally {
    closeSync(fd);
  }
}
