/**
 * An exclusive lock on a file, held by one owner on this machine and let go by the kernel when its process ends, however
 * it ends. It is an SQLite database in an exclusive transaction that never writes: SQLite turns that into the
 * platform's own file locks, and, unlike bare POSIX locks, also refuses a second owner inside the same process
 * (worker threads included). A crash loses nothing, since the file stays empty. Children do not inherit the lock.
 *
 * Nobody else may open the lock's file: POSIX drops a process's locks when it closes any descriptor of that file.
 */
import { constants, Database, SQLiteError } from "bun:sqlite";

/** Two processes that try in the same instant may turn each other away; this much waiting lets one of them win. */
const CONTENTION_WAIT_MS = 5;

/** Keeps held locks from the garbage collector, which would let go a lock whose owner only forgot to name it. */
const held = new Set<Database>();

export interface FileLock {
  readonly path: string;
  /** Lets the lock go; calling it again does nothing. */
  release(): void;
}

/** The lock, or null while someone holds it. Creates the file, not its folder; throws when that cannot be done. */
export function acquireFileLock(path: string): FileLock | null {
  const file = openLockFile(path);
  try {
    file.run(`PRAGMA busy_timeout = ${CONTENTION_WAIT_MS}`);
    file.run("BEGIN EXCLUSIVE");
  } catch (error) {
    file.close();
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")) return null;
    throw new Error(`Could not lock the file ${path}.`, { cause: error });
  }
  held.add(file);
  return { path, release: () => void (held.delete(file) && file.close()) };
}

function openLockFile(path: string): Database {
  try {
    return new Database(path, constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE);
  } catch (error) {
    throw new Error(`Could not open the lock file ${path}.`, { cause: error });
  }
}
