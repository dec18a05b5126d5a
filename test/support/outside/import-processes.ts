/** Finds the processes that run a server's imports among its descendants. Linux only. */
import { readdirSync, readFileSync } from "node:fs";

/** Kills the server's import processes, waits until they are gone, and returns how many there were. */
export async function killImportProcesses(server: number): Promise<number> {
  const processes = importProcesses(server);
  for (const pid of processes) process.kill(pid, "SIGKILL");
  while (importProcesses(server).some((pid) => processes.includes(pid))) await Bun.sleep(10);
  return processes.length;
}

export function importProcesses(server: number): number[] {
  const parents = new Map(processIds().flatMap((pid) => parentOf(pid) ?? []));
  const isOfServer = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === server || isOfServer(parent));
  };
  return [...parents.keys()].filter((pid) => isOfServer(pid) && commandOf(pid).includes("import-process"));
}

const processIds = (): number[] => readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));

/** Returns the pid with its parent's, or undefined if the process is gone or a zombie. */
function parentOf(pid: number): [[pid: number, parent: number]] | undefined {
  const [, state, parent] = /\) (\w) (\d+)/.exec(readOf(`/proc/${pid}/stat`)) ?? [];
  return parent === undefined || state === "Z" ? undefined : [[pid, Number(parent)]];
}

const commandOf = (pid: number): string => readOf(`/proc/${pid}/cmdline`);

function readOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
