/** Starts Postgres on existing data and waits until it serves. */
import { closeSync, fchownSync, fstatSync, ftruncateSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Binaries } from "./binaries";
import { CLUSTER_FOLDER } from "./cluster";
import { findFreePort, isFree } from "./free-port";
import { type Home, spawnInHome } from "./home";
import { notStarted } from "./not-started";
import { endPostmaster, type Postmaster, readPostmaster, untilServing } from "./postmaster";

/** Suited to a small machine. Commits stay synchronous: what was acknowledged survives a power loss. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "128MB",
  max_wal_size: "512MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  io_method: "sync",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  // Failing statements are reported by the service; the file keeps what concerns the server itself.
  log_min_messages: "log",
  log_checkpoints: "off",
};
const LOG_BYTES_MAX = 1_000_000;
const LOG_LINES_SHOWN = 15;
const LAUNCHES_MAX = 5;
/** The first port that any user may listen on. */
const PORT_MIN = 1024;
const RELAUNCH_WAIT_MS = 300;
/**
 * A port that was taken between its choice and its use, or processes of an earlier Postgres that have not exited yet.
 */
const PASSING_FAULT = /could not bind|pre-existing shared memory block/;

export interface LaunchOptions {
  /** Postgres settings by name; they override the service's own. */
  settings: Record<string, string>;
  /** Once aborted, a Postgres that is not up yet is stopped. */
  signal?: AbortSignal;
  /** Absent: any that is free. */
  port?: number;
  /** The port to use if it is free, because some process may still know it. */
  formerPort?: number;
}

export async function launchPostmaster(
  home: Home,
  binaries: Binaries,
  options: LaunchOptions,
  log: (line: string) => void,
): Promise<Postmaster> {
  for (let launches = 1; ; launches++) {
    const port = options.port ?? (await freePort(launches === 1 ? options.formerPort : undefined));
    const outcome = await launchOnce(home, binaries, { ...options, port }, log);
    if (typeof outcome !== "string") return outcome;
    if (launches === LAUNCHES_MAX || !PASSING_FAULT.test(outcome)) {
      throw notStarted(`the embedded Postgres did not start in ${home.path}`, outcome);
    }
    await Bun.sleep(RELAUNCH_WAIT_MS);
  }
}

const freePort = async (former: number | undefined): Promise<number> =>
  former !== undefined && former >= PORT_MIN && (await isFree(former)) ? former : findFreePort();

/** Returns the running server, or the last lines of its log. */
async function launchOnce(
  home: Home,
  binaries: Binaries,
  { settings, signal, port }: LaunchOptions & { port: number },
  log: (line: string) => void,
): Promise<Postmaster | string> {
  const logPath = join(home.path, "log");
  const logFile = openLog(logPath, home);
  const logStart = fstatSync(logFile).size;
  const cluster = join(home.seenPath, CLUSTER_FOLDER);
  const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const args = ["-D", cluster, "-p", String(port), ...flags];
  const child = spawnInHome(home, binaries.postgres, args, logFile);
  closeSync(logFile);
  const { pid } = child;
  let isAlive = pid !== undefined;
  child.once("exit", () => (isAlive = false)).once("error", (error) => log(`Postgres: ${error.message}`));
  child.unref();
  const fault =
    pid === undefined ? "the program could not be started" : await untilServing(home, pid, () => isAlive, signal);
  const postmaster = await readPostmaster(home.path);
  if (fault === null && postmaster) {
    log(`The embedded Postgres is running (process ${postmaster.pid}, port ${postmaster.port})`);
    child.once("exit", (code, signal) => log(`The embedded Postgres stopped (${signal ?? `code ${code}`})`));
    return postmaster;
  }
  if (pid !== undefined && isAlive) await endPostmaster(home, pid, signal?.aborted ? "SIGINT" : "SIGQUIT");
  return `${fault}\n${await lastLines(logPath, logStart)}`;
}

function openLog(path: string, { user }: Home): number {
  const file = openSync(path, "a", 0o600);
  if (user) fchownSync(file, user.uid, user.gid);
  if (fstatSync(file).size > LOG_BYTES_MAX) ftruncateSync(file, 0);
  return file;
}

async function lastLines(path: string, from: number): Promise<string> {
  const text = await Bun.file(path).slice(from).text();
  return text.trim().split("\n").slice(-LOG_LINES_SHOWN).join("\n");
}
