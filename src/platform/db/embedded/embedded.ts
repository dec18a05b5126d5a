/**
 * Runs the Postgres that comes with the service, for development and tests: real binaries from the registry, on data
 * in `DATA_DIR/postgres`.
 *
 * One process owns it: the one that holds `DATA_DIR/postgres.lock`. The owner starts Postgres, or takes over one that
 * a killed owner left running on the same data, and finally stops it. Other processes that start it in the meantime
 * join: they get the same address, and their `stop` leaves it running. So there is never a second Postgres on the
 * same data.
 *
 * Postgres runs in a separate session, so that Ctrl-C in a terminal reaches only the service, which drains first. A
 * service that is killed loses nothing: commits are synchronous, and Postgres keeps running until the next start
 * finds it. A start truncates Postgres's log if that exceeds its bound. Every wait is bounded.
 */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { acquireFileLock, type FileLock } from "@/platform/file-lock";
import { prepareBinaries } from "./binaries";
import { ensureCluster, hasCluster, readPassword } from "./cluster";
import { adoptHome, type Home, homePath } from "./home";
import { launchPostmaster } from "./launch";
import {
  abortPostmaster,
  endLeft,
  endPostmaster,
  type Postmaster,
  postmasterAddress,
  probe,
  readPostmaster,
  takeOver,
} from "./postmaster";

const JOIN_WAIT_MS = 120_000;
const JOIN_POLL_MS = 50;

export type EmbeddedLog = (line: string) => void;

export interface EmbeddedOptions {
  /** Postgres settings by name; they override the service's own. */
  settings?: Record<string, string>;
  /** Once aborted, a start in progress ends what it has begun and rejects. */
  signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  url: string;
  /** Whether this call started or took over Postgres. */
  isOwner: boolean;
  /**
   * For the owner, ends open connections and resolves when Postgres has exited; for others, does nothing. Safe to
   * repeat.
   */
  stop(): Promise<void>;
  /** For the owner, ends Postgres without waiting, like a power cut: no commit is lost. For others, does nothing. */
  abort(): void;
}

export async function startEmbeddedPostgres(
  dataDir: string,
  log: EmbeddedLog,
  options: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const folder = resolve(dataDir);
  await mkdir(folder, { recursive: true });
  const lockPath = join(folder, "postgres.lock");
  const giveUpAt = Date.now() + JOIN_WAIT_MS;
  while (Date.now() < giveUpAt) {
    const lock = acquireFileLock(lockPath);
    if (lock) return own(folder, lock, log, options);
    options.signal?.throwIfAborted();
    const url = await addressOfOther(folder);
    if (url) return { url, isOwner: false, stop: async () => undefined, abort: () => undefined };
    await Bun.sleep(JOIN_POLL_MS);
  }
  throw new Error(`Another process holds ${lockPath}, but its Postgres does not respond.`);
}

async function own(folder: string, lock: FileLock, log: EmbeddedLog, options: EmbeddedOptions) {
  try {
    const home = await adoptHome(folder);
    const postmaster = await serve(home, log, options);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= endPostmaster(home, postmaster.pid, "SIGINT").finally(() => lock.release());
      return stopped;
    };
    return {
      url: await postmasterAddress(home.path, postmaster),
      isOwner: true,
      stop,
      abort: () => abortPostmaster(postmaster.pid),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function serve(home: Home, log: EmbeddedLog, options: EmbeddedOptions): Promise<Postmaster> {
  const { settings = {}, signal } = options;
  await checkPassword(home);
  const left = await takeOver(home, log, signal);
  if (left) return left;
  const binaries = await prepareBinaries(home);
  await ensureCluster(home, binaries, { isSynced: settings.fsync !== "off", signal }, log);
  signal?.throwIfAborted();
  return launchPostmaster(home, binaries, { settings, signal }, log);
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
