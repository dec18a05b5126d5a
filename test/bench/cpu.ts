/** Run time of threads by the kernel's own clock: it is the same on a busy machine. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Threads by the folders that /proc has of them. */
export type Threads = readonly string[];

/** Milliseconds; 0 where /proc does not tell. */
export const runTimeMs = (threads: Threads): number =>
  threads.reduce((sum, thread) => {
    const ran = readOr(`${thread}/schedstat`, "").split(" ")[0];
    return sum + (ran ? Number(ran) / 1e6 : 0);
  }, 0);

/** 0 for a process that is gone, and where /proc does not tell. */
export const residentMbOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readOr(`/proc/${pid}/status`, ""))?.[1] ?? 0) / 1_024;

/** Of this process: whatever works beside the main thread. */
export const mainThreadExcepted = (): Threads =>
  threadsOf(process.pid).filter((thread) => !thread.endsWith(`/${process.pid}`));

/** All of a process; none where /proc does not tell. */
export function threadsOf(pid: number): Threads {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map((thread) => `${folder}/${thread}`) : [];
}

/** All processes of the embedded Postgres in this folder, as they are when asked for. */
export async function backendsOf(folder: string): Promise<() => Threads> {
  const pid = Number.parseInt(await Bun.file(join(folder, "postgres/cluster/postmaster.pid")).text(), 10);
  return () => {
    const children = readOr(`/proc/${pid}/task/${pid}/children`, "").split(" ").filter(Boolean);
    return [String(pid), ...children].map((each) => `/proc/${each}/task/${each}`);
  };
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return otherwise;
  }
}
