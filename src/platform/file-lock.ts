/**
 * An exclusive lock on a file, held by one owner on this machine. The kernel releases it when the owner's process
 * ends, however that happens. It is an SQLite database in an exclusive transaction that never writes: SQLite turns
 * that into the platform's own file locks and, unlike bare POSIX locks, also refuses a second owner inside the same
 * process (worker threads included). A crash loses nothing, because the file stays empty. Child processes do not
 * inherit the lock.
 *
 * Nothing else may open the lock's file: POSIX drops a process's locks when it closes any descriptor of that file.
 */
import { constants, Database, SQLiteError } from "bun:sqlite";

/**
 * Milliseconds to wait for the lock. Two processes that try at the same moment may turn each other away; this lets
 * one of them win.
 */
const CONTENTION_WAIT_MS = 5;

/** Keeps held locks from the garbage collector, which would release a lock whose owner merely keeps no reference. */
const held = new Set<Database>();

export interface FileLock {
  readonly path: string;
  /** Releases the lock; calling it again does nothing. */
  release(): void;
}

/**
 * Returns the lock, or null while another owner holds it. Creates the file, but not its folder; throws if that fails.
 */
export function acquireFileLock(path: string): FileLock | null {
  const file = openLockFile(path);
  try {
    file.run(`PRAGMA busy_timeout = ${CONTENTION_WAIT_MS}`);
    // A journal on the disk would have a header, for which a full disk has no room.
    file.run("PRAGMA journal_mode = MEMORY");
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
