/**
 * Finds, claims and removes spool folders. Each has a random name and a lock that its process holds. If the lock is
 * free, the process is dead, and whichever process takes the lock owns the folder. So the folders of live processes
 * are left alone, and so are those of processes with another database, whose links are unknown here.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { acquireFileLock, type FileLock } from "@/platform/file-lock";
import { segmentName, segmentSequences } from "./segment";
import { isOfAnother, readClaim, renewClaim } from "./spool-claim";

export interface SpoolFolder {
  id: string;
  path: string;
  lock: FileLock;
}

const LOCK_NAME = "lock";
const SPOOL_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface ClaimOptions {
  database: string;
  /** Ids of spools to skip. */
  ours?: ReadonlySet<string>;
  countMax?: number;
  /** A spool cannot be claimed; it is skipped. */
  onFault(error: unknown): void;
  /** A spool belongs to another database. It is locked until this returns. */
  onForeign(folder: SpoolFolder): void;
}

/** Claims the spools that dead processes left, oldest first and at most `countMax`. Throws if they cannot be listed. */
export function claimAbandoned(spoolsFolder: string, options: ClaimOptions): SpoolFolder[] {
  const { ours, countMax = Infinity, onFault } = options;
  const claimed: SpoolFolder[] = [];
  for (const name of readdirSync(spoolsFolder).sort()) {
    if (claimed.length >= countMax) break;
    if (!SPOOL_NAME.test(name) || ours?.has(name)) continue;
    try {
      const folder = claim(spoolsFolder, name, options);
      if (folder) claimed.push(folder);
    } catch (error) {
      onFault(error);
    }
  }
  return claimed;
}

export function createSpoolFolder(spoolsFolder: string, database: string): SpoolFolder {
  const id = Bun.randomUUIDv7();
  mkdirSync(join(spoolsFolder, id), { mode: 0o700 });
  // A process that looks for abandoned spools may take the folder before it is locked here.
  return claim(spoolsFolder, id, { database }) ?? createSpoolFolder(spoolsFolder, database);
}

/**
 * Removes a spool that is applied entirely: its lock after everything else, so that no process takes a folder that is
 * removed in part. May be repeated after it throws.
 */
export function removeSpoolFolder({ path, lock }: SpoolFolder): void {
  if (existsSync(path))
    for (const name of readdirSync(path)) if (name !== LOCK_NAME) rmSync(join(path, name), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  lock.release();
}

export function segmentsOf({ path }: SpoolFolder): { sequence: number; bytes: number }[] {
  return segmentSequences(readdirSync(path)).map((sequence) => ({
    sequence,
    bytes: statSync(join(path, segmentName(sequence))).size,
  }));
}

type ClaimOne = Pick<ClaimOptions, "database"> & Partial<Pick<ClaimOptions, "onForeign">>;

function claim(spoolsFolder: string, id: string, { database, onForeign }: ClaimOne): SpoolFolder | undefined {
  const path = join(spoolsFolder, id);
  const lock = lockOf(path);
  if (!lock) return undefined;
  try {
    // The previous owner may have just removed the folder; the lock is then on an unlinked file.
    if (existsSync(join(path, LOCK_NAME))) {
      const folder = { id, path, lock };
      if (!isOfAnother(readClaim(path), database)) {
        renewClaim(path, database);
        return folder;
      }
      onForeign?.(folder);
    }
  } catch (error) {
    lock.release();
    throw error;
  }
  lock.release();
  return undefined;
}

function lockOf(path: string): FileLock | null {
  try {
    return acquireFileLock(join(path, LOCK_NAME));
  } catch (error) {
    if (!existsSync(path)) return null;
    throw error;
  }
}
