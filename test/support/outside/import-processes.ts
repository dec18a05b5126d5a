/** The processes that do a server's imports, found among its descendants. */
import { readdirSync, readFileSync } from "node:fs";

/** Kills those that there are, and waits until they are gone. Returns how many there were. */
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

/** With the process itself; undefined for one that is gone, or waits to be buried. */
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
