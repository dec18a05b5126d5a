/**
 * Runs a Postgres from the system's packages, which has the tools that operators use for backups; the embedded one
 * has none. Each cluster has its own folder and port, trusts every connection from this machine, and ends when it is
 * disposed.
 */
import { chmodSync, chownSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { takePort } from "@test/support/servers/test-port";
import { onDeathOfRun } from "../end-of-run";
import { postgresProcesses } from "./embedded";
import { CLEAN_UP } from "./postgres";
import { findProgram, PG_CTL } from "./system-program";

/** The user `nobody`, on systems where it has a name. Postgres refuses to run as root. */
const UID = 65_534;
const USER = "waymark";
const HURRIED = "-c fsync=off -c synchronous_commit=off -c max_connections=100 -c listen_addresses=127.0.0.1";

export interface SystemPostgres extends AsyncDisposable {
  /** Returns the URL of the database with this name. */
  urlOf(database: string): string;
  /**
   * Runs `pg_dump`, `psql` or the like against the cluster, with `database` as the last argument, and returns its
   * output. Throws with its error output if it fails.
   */
  run(program: string, args: string[], database?: string): Promise<string>;
  /** A folder that the cluster's user may write to. */
  folder: string;
  port: number;
  /** Kills all its processes with SIGKILL. Resolves once they are gone. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. Resolves once it accepts connections. */
  start(): Promise<void>;
}

export interface SystemPostgresOptions {
  /** Folder of a cluster copied by `pg_basebackup`; absent: a new cluster. */
  from?: string;
  /** Folder of the server's programs; absent: the system's. */
  programs?: string;
  /** Additional settings. They override those that make it fast. */
  settings?: Record<string, string>;
}

export async function startSystemPostgres(options: SystemPostgresOptions = {}): Promise<SystemPostgres> {
  const { from, programs = dirname(findProgram(PG_CTL)), settings = {} } = options;
  const isRoot = process.getuid?.() === 0;
  const folder = await mkdtemp(join(tmpdir(), "waymark-backup-"));
  if (isRoot) chownSync(folder, UID, UID);
  chmodSync(folder, 0o700);
  const watchdog = onDeathOfRun(CLEAN_UP, folder);
  const [data, port] = [from ?? join(folder, "data"), await takePort()];

  async function run(program: string, args: string[]): Promise<string> {
    const within = isRoot ? ["setpriv", `--reuid=${UID}`, `--regid=${UID}`, "--clear-groups", "--"] : [];
    const child = Bun.spawn([...within, join(programs, program), ...args], {
      cwd: folder,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      env: { PATH: Bun.env.PATH, HOME: folder, LC_ALL: "C.UTF-8", TZ: "UTC" },
    });
    const [said, complained, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${complained}`);
    return said;
  }

  const log = join(folder, "log");
  const own = Object.entries(settings).map(([name, value]) => ` -c ${name}=${value}`);
  const flags = `-p ${port} -k ${folder} ${HURRIED}${own.join("")}`;
  const start = async () => void (await run("pg_ctl", ["start", "-w", "-D", data, "-l", log, "-o", flags]));
  const stop = () => run("pg_ctl", ["stop", "-D", data, "-m", "immediate"]).catch(() => "");
  try {
    if (!from) await run("initdb", ["-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"]);
    await start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const reached = ["-h", "127.0.0.1", "-p", String(port), "-U", USER];
  return {
    folder,
    port,
    start,
    async kill() {
      for (const pid of postgresProcesses(folder)) process.kill(pid, "SIGKILL");
      while (postgresProcesses(folder).length > 0) await Bun.sleep(10);
    },
    urlOf: (database) => `postgres://${USER}@127.0.0.1:${port}/${database}`,
    run: (program, args, database) => run(program, [...reached, ...args, ...(database ? [database] : [])]),
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
      watchdog.dismiss();
    },
  };
}
