/**
 * The processes that use an embedded Postgres: whoever is the last to leave ends it. Each holds the lock of its own
 * file in `DATA_DIR/postgres.users`, which the kernel releases when the process ends, however that happens. Whoever
 * looks for others deletes the files that nobody holds.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { acquireFileLock, type FileLock } from "@/platform/file-lock";

export interface Use {
  /** Calling it again does nothing. */
  end(): void;
}

/** The locks' own files beside them end otherwise. */
const ENDING = ".lock";

const usersFolder = (dataDir: string) => join(dataDir, "postgres.users");

/** Throws if the file cannot be created. */
export function beginUse(dataDir: string): Use {
  const folder = usersFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const lock = acquireFileLock(join(folder, `${crypto.randomUUID()}${ENDING}`));
    // Someone who was looking for users held it at that moment, and deletes it.
    if (!lock) continue;
    return { end: () => remove(lock) };
  }
}

/** Returns whether a process uses it. */
export function hasUsers(dataDir: string): boolean {
  const folder = usersFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let isUsed = false;
  for (const name of readdirSync(folder).filter((each) => each.endsWith(ENDING))) {
    const lock = acquireFileLock(join(folder, name));
    if (lock) remove(lock);
    else isUsed = true;
  }
  return isUsed;
}

function remove(lock: FileLock): void {
  rmSync(lock.path, { force: true });
  lock.release();
}
