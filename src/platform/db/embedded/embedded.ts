/**
 * Runs the Postgres that comes with the service, for development and tests: real binaries from the registry, on data
 * in `DATA_DIR/postgres`.
 *
 * One process owns it: the one that holds `DATA_DIR/postgres.lock`. The owner starts Postgres, or takes over one that
 * runs on the same data without an owner. Other processes that start it in the meantime join: they get the same
 * address. So there is never a second Postgres on the same data. The last of them to stop ends Postgres: if the owner
 * is not the last, it leaves Postgres running. While one ends it, it holds `DATA_DIR/postgres.ending.lock`, and none
 * joins. A service that uses Postgres starts it again if it ends otherwise (`upkeep.ts`); that is up to the owner, or to
 * any user once the owner has left.
 *
 * Postgres runs in a separate session, so that Ctrl-C in a terminal reaches only the service, which drains first. A
 * service that is killed loses nothing: commits are synchronous, and Postgres keeps running until the next start
 * finds it. A start truncates Postgres's log if that exceeds its bound. Every wait is bounded.
 */
import { statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import { acquireFileLock, type FileLock } from "@/platform/file-lock";
import { SettingError } from "@/platform/setting-error";
import { prepareBinaries } from "./binaries";
import { ensureCluster, hasCluster, readPassword } from "./cluster";
import { adoptHome, type Home, homePath } from "./home";
import { launchPostmaster } from "./launch";
import {
  abortPostmaster,
  endLeft,
  endPostmaster,
  isServing,
  type Postmaster,
  postmasterAddress,
  probe,
  readPostmaster,
  takeOver,
} from "./postmaster";
import { keepUp, type UpkeepOptions } from "./upkeep";
import { beginUse, hasUsers, type Use } from "./users";
import { refusedWrite } from "./writable-folder";

const JOIN_WAIT_MS = 120_000;
const JOIN_POLL_MS = 50;
/** After a crash, Postgres writes at least one more segment of its log. */
const START_BYTES = 32 * 2 ** 20;

export type EmbeddedLog = (line: string) => void;

export interface EmbeddedOptions {
  /** Postgres settings by name; they override the service's own. */
  settings?: Record<string, string>;
  /** Once aborted, a start in progress ends what it has begun and rejects. */
  signal?: AbortSignal;
  /** For a service: starts Postgres again if it ends while it is in use. Without this, it stays down. */
  upkeep?: UpkeepOptions;
}

export interface EmbeddedPostgres {
  url: string;
  /** Whether this call started or took over Postgres. */
  isOwner: boolean;
  /**
   * Unless another process uses Postgres, ends open connections and resolves when Postgres has exited. Safe to repeat.
   */
  stop(): Promise<void>;
  /**
   * For an owner whom no other process has joined, ends Postgres without waiting, like a power cut: no commit is lost.
   */
  abort(): void;
}

export async function startEmbeddedPostgres(
  dataDir: string,
  log: EmbeddedLog,
  options: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const folder = resolve(dataDir);
  requireFolder(folder);
  const lockPath = lockOf(folder);
  const giveUpAt = performance.now() + JOIN_WAIT_MS;
  while (performance.now() < giveUpAt) {
    const lock = acquireFileLock(lockPath);
    if (lock) return own(folder, lock, log, options);
    options.signal?.throwIfAborted();
    const joined = await joinOther(folder, log, options);
    if (joined) return joined;
    await Bun.sleep(JOIN_POLL_MS);
  }
  throw new SettingError("DATA_DIR", `another process holds ${lockPath}, but its Postgres does not respond`);
}

/** A service has checked before that it can write there, but a command has not. */
function requireFolder(path: string): void {
  const code = refusedWrite(path);
  if (code === undefined) return;
  throw new SettingError("DATA_DIR", `${path} is not a folder that this user can write to (${code})`);
}

const lockOf = (folder: string) => join(folder, "postgres.lock");
const endingLockOf = (folder: string) => join(folder, "postgres.ending.lock");

async function own(
  folder: string,
  lock: FileLock,
  log: EmbeddedLog,
  options: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  try {
    const home = await adoptHome(folder);
    const postmaster = await serve(home, log, options);
    const url = await postmasterAddress(home.path, postmaster);
    return inUse({ folder, url, use: beginUse(folder), owned: { lock, home, postmaster } }, log, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Returns null while there is no Postgres to join, or while it is being ended. */
async function joinOther(folder: string, log: EmbeddedLog, options: EmbeddedOptions): Promise<EmbeddedPostgres | null> {
  if ((await addressOfOther(folder)) === null) return null;
  // Whoever ends Postgres first takes the lock and then looks for users. So it either sees this one or is seen by it.
  const use = beginUse(folder);
  const url = isEnding(folder) ? null : await addressOfOther(folder);
  if (url !== null) return inUse({ folder, url, use, owned: null }, log, options);
  use.end();
  return null;
}

interface Owned {
  lock: FileLock;
  home: Home;
  postmaster: Postmaster;
}

interface InUse {
  folder: string;
  url: string;
  use: Use;
  /** Null while another process is the owner, or none is. */
  owned: Owned | null;
}

function inUse(used: InUse, log: EmbeddedLog, options: EmbeddedOptions): EmbeddedPostgres {
  const { folder, url, use } = used;
  const port = Number(new URL(url).port);
  const isUp = () => isServing(homePath(folder), port);
  const restart = (signal: AbortSignal) => startAgain(used, port, log, { ...options, signal });
  const hasRoom = () => hasRoomFor(START_BYTES, homePath(folder));
  const upkeep = options.upkeep && keepUp({ isUp, restart, hasRoom }, options.upkeep);
  return {
    url,
    isOwner: used.owned !== null,
    stop: once(async () => {
      await upkeep?.stop();
      use.end();
      const lock = used.owned?.lock ?? (await lockOfNobody(folder));
      if (lock) await endUnlessUsed(folder, lock, () => end(used));
    }),
    abort: () => {
      void upkeep?.stop();
      use.end();
      if (used.owned && !hasUsers(folder)) abortPostmaster(used.owned.postmaster.pid);
    },
  };
}

/** Returns true also if the disk does not tell. */
async function hasRoomFor(bytes: number, path: string): Promise<boolean> {
  const disk = await statfs(path).catch(() => null);
  return disk === null || disk.bavail * disk.bsize >= bytes;
}

async function end({ folder, owned }: InUse): Promise<void> {
  if (owned) await endPostmaster(owned.home, owned.postmaster.pid, "SIGINT");
  else await endLeft(await adoptHome(folder));
}

/**
 * Starts a Postgres that has ended, on the same port. If it has no owner any more, this process becomes that. Returns
 * false if another process is.
 */
async function startAgain(used: InUse, port: number, log: EmbeddedLog, options: EmbeddedOptions): Promise<boolean> {
  const lock = used.owned?.lock ?? acquireFileLock(lockOf(used.folder));
  if (!lock) return false;
  try {
    const home = used.owned?.home ?? (await adoptHome(used.folder));
    used.owned = { lock, home, postmaster: await serveAgain(home, port, log, options) };
    return true;
  } finally {
    if (!used.owned) lock.release();
  }
}

/** Returns the owner's lock if the owner has left; null if there is an owner, who will end Postgres. */
async function lockOfNobody(folder: string): Promise<FileLock | null> {
  for (;;) {
    const lock = acquireFileLock(lockOf(folder));
    // The holder may have looked for users before this use ended.
    if (lock || !isEnding(folder)) return lock;
    await Bun.sleep(JOIN_POLL_MS);
  }
}

function isEnding(folder: string): boolean {
  const lock = acquireFileLock(endingLockOf(folder));
  lock?.release();
  return lock === null;
}

/** Ends Postgres if no process uses it, and releases the owner's lock in any case. */
async function endUnlessUsed(folder: string, lock: FileLock, end: () => Promise<void>): Promise<void> {
  const ending = await untilLocked(endingLockOf(folder));
  try {
    if (!hasUsers(folder)) await end();
  } finally {
    lock.release();
    ending.release();
  }
}

/** Others hold it only for a moment, to see whether it is free. */
async function untilLocked(path: string): Promise<FileLock> {
  for (;;) {
    const lock = acquireFileLock(path);
    if (lock) return lock;
    await Bun.sleep(JOIN_POLL_MS);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

async function serve(home: Home, log: EmbeddedLog, options: EmbeddedOptions): Promise<Postmaster> {
  const { settings = {}, signal } = options;
  await checkPassword(home);
  // If Postgres was killed with its owner, processes that joined them know its port, and so does this file.
  const former = await readPostmaster(home.path);
  const left = await takeOver(home, log, signal);
  if (left) return left;
  const binaries = await prepareBinaries(home);
  await ensureCluster(home, binaries, { isSynced: settings.fsync !== "off", signal }, log);
  signal?.throwIfAborted();
  return launchPostmaster(home, binaries, { settings, signal, formerPort: former?.port }, log);
}

/** Starts Postgres on data that must be there: an empty database would pass for the one that was in use. */
async function serveAgain(home: Home, port: number, log: EmbeddedLog, options: EmbeddedOptions): Promise<Postmaster> {
  const { settings = {}, signal } = options;
  if (!(await hasCluster(home.path))) throw new SettingError("DATA_DIR", `the data in ${home.path} no longer exists`);
  const left = await takeOver(home, log, signal);
  if (left?.port === port) return left;
  if (left) await endPostmaster(home, left.pid, "SIGINT");
  return launchPostmaster(home, await prepareBinaries(home), { settings, signal, port }, log);
}

/** Without its password nobody can use Postgres, so one that was left running is stopped. */
async function checkPassword(home: Home): Promise<void> {
  if (!(await hasCluster(home.path))) return;
  try {
    await readPassword(home.path);
  } catch (error) {
    await endLeft(home);
    throw error;
  }
}

/** Returns the address of the Postgres that the lock's holder runs, or null while it is not up. */
async function addressOfOther(folder: string): Promise<string | null> {
  const path = homePath(folder);
  const postmaster = await readPostmaster(path);
  if (postmaster?.status !== "ready") return null;
  const url = await postmasterAddress(path, postmaster);
  return (await probe(url, postmaster.pid)) === null ? url : null;
}
