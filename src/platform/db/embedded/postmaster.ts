/**
 * Finds a running Postgres by `postmaster.pid` in its data folder. The file is no proof, because a crash leaves it
 * behind and its process id may now belong to another program. So a process counts as Postgres only while it works in
 * that very folder, and a server as ours only if it accepts our password and reads the same file.
 */
import { spawnSync } from "node:child_process";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { CLUSTER_FOLDER, readPassword } from "./cluster";
import type { Home } from "./home";

const PROBE_WAIT_MS = 3_000;
const POLL_MS = 10;
/** After a crash, Postgres first replays its log, which may take a while. */
const READY_WAIT_MS = 120_000;
const STOPPING = "it is stopping";
/** Signals that end Postgres, the gentlest first, and how long each is given. */
const ENDINGS = [
  { signal: "SIGINT", waitMs: 30_000 },
  { signal: "SIGQUIT", waitMs: 2_000 },
  { signal: "SIGKILL", waitMs: 5_000 },
] as const;

export interface Postmaster {
  pid: number;
  port: number;
  status: string;
}

export async function readPostmaster(path: string): Promise<Postmaster | null> {
  const text = await readFile(pidFile(path), "utf8").catch(missing);
  if (text === null) return null;
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3] ?? 0), status: lines[7]?.trim() ?? "" };
}

/** Returns whether a Postgres runs on this data and serves this port, or will once it has started. */
export async function isServing(path: string, port: number): Promise<boolean> {
  const postmaster = await readPostmaster(path);
  return postmaster?.port === port && (await isRunning({ path }, postmaster.pid));
}

export async function postmasterAddress(path: string, { port }: Postmaster): Promise<string> {
  return `postgres://postgres:${await readPassword(path)}@127.0.0.1:${port}/postgres`;
}

/** Returns null if the server at the address is the one with this process id, otherwise what is wrong. */
export async function probe(url: string, pid: number): Promise<string | null> {
  const sql = postgres(url, { max: 1, fetch_types: false, connect_timeout: PROBE_WAIT_MS / 1000 });
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error("no response")), PROBE_WAIT_MS);
  try {
    const answer = sql<{ pid: string }[]>`select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`;
    const [row] = await Promise.race([answer, timeout.promise]);
    return row?.pid === String(pid) ? null : "another server responds at this address";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
    await sql.end({ timeout: 0 });
  }
}

/**
 * Returns a Postgres that a killed owner left running on this data, once it serves. Ends one that does not serve, and
 * returns null.
 */
export async function takeOver(
  home: Home,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<Postmaster | null> {
  const left = await readPostmaster(home.path);
  if (left && (await isRunning(home, left.pid))) {
    const fault = await untilServing(home, left.pid, () => isRunning(home, left.pid), signal);
    const postmaster = await readPostmaster(home.path);
    if (fault === null && postmaster) {
      log(`Using the embedded Postgres that was left running (process ${left.pid})`);
      return postmaster;
    }
    log(`Stopping the embedded Postgres that was left running (process ${left.pid}): ${fault}`);
    await endPostmaster(home, left.pid, fault === STOPPING ? "SIGINT" : "SIGQUIT");
  }
  await rm(pidFile(home.path), { force: true });
  return null;
}

/** Stops a Postgres that a killed owner left running on this data. */
export async function endLeft(home: Home): Promise<void> {
  const left = await readPostmaster(home.path);
  if (left) await endPostmaster(home, left.pid, "SIGINT");
}

/** Waits until the server with this process id serves. Returns null, or why it does not. An abort ends the wait. */
export async function untilServing(
  home: Home,
  pid: number,
  isAlive: () => boolean | Promise<boolean>,
  signal?: AbortSignal,
): Promise<string | null> {
  const giveUpAt = performance.now() + READY_WAIT_MS;
  while (performance.now() < giveUpAt) {
    if (!(await isAlive())) return "it stopped";
    if (signal?.aborted) return STOPPING;
    const postmaster = await readPostmaster(home.path);
    if (postmaster?.status === "stopping") return STOPPING;
    if (postmaster?.pid === pid && postmaster.status === "ready") {
      return probe(await postmasterAddress(home.path, postmaster), pid);
    }
    await Bun.sleep(POLL_MS);
  }
  return "it was not ready in time";
}

/**
 * Ends this Postgres, beginning with the given signal. Resolves when its process has exited, and throws if it cannot
 * be ended.
 */
export async function endPostmaster(home: Home, pid: number, firstSignal: "SIGINT" | "SIGQUIT"): Promise<void> {
  const first = ENDINGS.findIndex(({ signal }) => signal === firstSignal);
  for (const { signal, waitMs } of ENDINGS.slice(first)) {
    if (!(await isRunning(home, pid))) return;
    process.kill(pid, signal);
    const giveUpAt = performance.now() + waitMs;
    while (performance.now() < giveUpAt) {
      if (!(await isRunning(home, pid))) return;
      await Bun.sleep(POLL_MS);
    }
  }
  throw new Error(`Could not stop the embedded Postgres (process ${pid}).`);
}

/** Tells our own Postgres to exit immediately. */
export function abortPostmaster(pid: number): void {
  try {
    process.kill(pid, "SIGQUIT");
  } catch {
    // It has already exited.
  }
}

/**
 * Reports whether the process is alive and is the Postgres of this data. A process that its parent has not reaped
 * counts as dead.
 */
async function isRunning(home: Pick<Home, "path">, pid: number): Promise<boolean> {
  const cluster = join(home.path, CLUSTER_FOLDER);
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return stdout.includes(cluster);
  }
  const [worksIn, data] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(missing), stat(cluster).catch(missing)]);
  return worksIn !== null && data !== null && worksIn.ino === data.ino && worksIn.dev === data.dev;
}

function pidFile(path: string): string {
  return join(path, CLUSTER_FOLDER, "postmaster.pid");
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "EACCES" || error.code === "ESRCH") return null;
  throw error;
}
