/** What the tests of the embedded Postgres share: folders that vanish, services to kill, and a look at the processes. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { atEndOfRun, onDeathOfRun } from "../end-of-run";
import { CLEAN_UP } from "./postgres";
import { makeQuickFolder } from "./quick-folder";

const SERVICE = join(import.meta.dir, "embedded-service.ts");

/** A folder for data; its clean-up ends whatever Postgres still runs there. */
export async function makeDataFolder() {
  const path = await makeQuickFolder("waymark data ");
  const watchdog = onDeathOfRun(CLEAN_UP, path);
  const remove = async () => {
    for (const pid of postgresProcesses(path)) killIfRunning(pid);
    while (postgresProcesses(path).length > 0) await Bun.sleep(10);
    await rm(path, { recursive: true, force: true });
    watchdog.dismiss();
  };
  return { path, remove };
}

/** What was listed a moment ago may have ended by itself. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** The same with data already made, which is quicker than letting each test make its own. */
export async function makeUsedDataFolder() {
  used ??= makeUsed();
  const folder = await makeDataFolder();
  const { status, stderr } = spawnSync("cp", ["-a", join(await used, "postgres"), folder.path], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return folder;
}

let used: Promise<string> | undefined;

async function makeUsed(): Promise<string> {
  const { path, remove } = await makeDataFolder();
  atEndOfRun(remove);
  const { stop } = await startEmbeddedPostgres(path, () => undefined);
  await stop();
  return path;
}

export interface Service {
  process: ChildProcess;
  url: string;
  isOwner: boolean;
  /** What it printed, complete once it exited. */
  output: Promise<string>;
}

/** Starts the stand-in in a process group of its own and waits until its Postgres serves. */
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

/** The answer to one query on a connection of its own. */
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

/** Every process of a Postgres below this folder, its servants included. */
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
    // Processes end while they are listed, and those of other users do not tell.
    return "";
  }
}
