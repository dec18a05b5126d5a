/** Shared by the tests of the embedded Postgres: temporary data folders, services to kill, and a list of processes. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { migrate } from "@/platform/db/migrate";
import { atEndOfRun, onDeathOfRun } from "../end-of-run";
import { CLEAN_UP } from "./postgres";
import { makeQuickFolder } from "./quick-folder";

const SERVICE = join(import.meta.dir, "embedded-service.ts");

/** Creates a data folder. Its clean-up kills any Postgres that still runs there, also if the test run dies. */
export async function makeDataFolder() {
  const path = await makeQuickFolder("waymark data ");
  const watchdog = onDeathOfRun(CLEAN_UP, path);
  const remove = async () => {
    for (const pid of postgresProcesses(path)) signalIfRunning(pid, "SIGKILL");
    while (postgresProcesses(path).length > 0) await Bun.sleep(10);
    await rm(path, { recursive: true, force: true });
    watchdog.dismiss();
  };
  return { path, remove };
}

/** Ignores that the process may have exited since it was listed. */
export function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Creates a data folder with an initialized cluster, by copying one, which is faster than initializing each. */
export async function makeUsedDataFolder() {
  used ??= makeUsed();
  return copyOf(await used);
}

/** The same with a migrated database, for a service: to migrate costs more than the rest of its start. */
export async function makeMigratedDataFolder() {
  migrated ??= makeMigrated();
  return copyOf(await migrated);
}

let used: Promise<string> | undefined;
let migrated: Promise<string> | undefined;

async function makeUsed(): Promise<string> {
  const { path, remove } = await makeDataFolder();
  atEndOfRun(remove);
  const { stop } = await startEmbeddedPostgres(path, () => undefined);
  await stop();
  return path;
}

async function makeMigrated(): Promise<string> {
  const { path, remove } = await makeUsedDataFolder();
  atEndOfRun(remove);
  const { url, stop } = await startEmbeddedPostgres(path, () => undefined);
  await migrate(url);
  await stop();
  return path;
}

async function copyOf(path: string) {
  const folder = await makeDataFolder();
  const { status, stderr } = spawnSync("cp", ["-a", join(path, "postgres"), folder.path], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return folder;
}

export interface Service {
  process: ChildProcess;
  url: string;
  isOwner: boolean;
  /** Resolves, once it has exited, to its standard output. */
  output: Promise<string>;
}

/** Starts the stand-in in its own process group and waits until its Postgres accepts connections. */
export function startService(folder: string, command = [process.execPath, SERVICE], as = {}): Promise<Service> {
  const [program = "", ...args] = command;
  const child = spawn(program, [...args, folder], { stdio: ["ignore", "pipe", "pipe"], detached: true, ...as });
  let text = "";
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  const output = new Promise<string>((resolve) => child.once("close", () => resolve(text)));
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve({ process: child, output, ...JSON.parse(text.slice(0, text.indexOf("\n"))) });
    });
    child.once("error", reject).once("close", () => reject(new Error(`The service ended:\n${complaints}`)));
  });
}

export async function killService(service: Service): Promise<void> {
  service.process.kill("SIGKILL");
  await service.output;
}

/** Runs a query on a separate connection and returns the first column of the first row. */
export async function ask(url: string, query: string): Promise<unknown> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const [row] = await sql.unsafe(query);
    return row && Object.values(row)[0];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export function postmasterPid(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, "postgres/cluster/postmaster.pid"), "utf8"), 10);
}

/** Returns the pids of all Postgres processes below this folder, including child processes. */
export function postgresProcesses(folder: string): number[] {
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("pgrep", ["-f", folder], { encoding: "utf8" });
    return stdout.split("\n").filter(Boolean).map(Number);
  }
  const pids = readdirSync("/proc").map(Number).filter(Boolean);
  return pids.filter((pid) => folderOf(pid).startsWith(`${folder}/`));
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // The process has exited, or belongs to another user.
    return "";
  }
}
