/** CPU time of threads, as counted by the kernel. Other load on the machine does not change it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Threads, as paths of their folders in /proc. */
export type Threads = readonly string[];

/** Returns the total CPU milliseconds of the threads; 0 without /proc. */
export const runTimeMs = (threads: Threads): number =>
  threads.reduce((sum, thread) => {
    const ran = readOr(`${thread}/schedstat`, "").split(" ")[0];
    return sum + (ran ? Number(ran) / 1e6 : 0);
  }, 0);

/** CPU milliseconds by thread, so that a thread that ends does not subtract from the total. */
export type RunTimes = ReadonlyMap<string, number>;

export const runTimesOf = (threads: Threads): RunTimes =>
  new Map(threads.map((thread) => [thread, runTimeMs([thread])]));

/** Returns the CPU milliseconds that the threads in `after` have used since `before`; NaN without /proc. */
export const ranSince = (before: RunTimes, after: RunTimes): number =>
  after.size === 0
    ? Number.NaN
    : [...after].reduce((sum, [thread, ms]) => sum + Math.max(0, ms - (before.get(thread) ?? 0)), 0);

/** Returns the resident memory of a process in bytes; NaN if it is gone, or without /proc. */
export const residentBytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readOr(`/proc/${pid}/status`, ""))?.[1]) * 1_024;

/** Returns the same in megabytes, and 0 instead of NaN. */
export const residentMbOf = (pid: number): number => (residentBytesOf(pid) || 0) / 2 ** 20;

/** Position in /proc/<pid>/stat, after the name, of the page faults that read no file. */
const MINOR_FAULTS = 7;

/** Returns how many pages of memory a process has used for the first time so far; NaN without /proc. */
export const pageFaultsOf = (pid: number): number =>
  Number(readOr(`/proc/${pid}/stat`, "").split(") ")[1]?.split(" ")[MINOR_FAULTS]);

/** Returns the threads of this process other than the main thread. */
export const mainThreadExcepted = (): Threads =>
  threadsOf(process.pid).filter((thread) => !thread.endsWith(`/${process.pid}`));

/** Returns all threads of a process; none without /proc. */
export function threadsOf(pid: number): Threads {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map((thread) => `${folder}/${thread}`) : [];
}

export const mainThreadsOf = (pids: readonly number[]): Threads => pids.map((pid) => `/proc/${pid}/task/${pid}`);

/** Returns these processes and all descendants, each once, even those that have left their parent's session. */
export function familyOf(pids: readonly number[]): number[] {
  const family = new Set<number>();
  const waiting = [...pids];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    if (family.has(pid)) continue;
    family.add(pid);
    for (const thread of threadsOf(pid)) {
      waiting.push(...readOr(`${thread}/children`, "").split(" ").filter(Boolean).map(Number));
    }
  }
  return [...family];
}

/** Clock ticks per second in /proc. The same on every Linux that Bun runs on. */
const TICKS = 100;
/** The fields utime and stime, and cutime and cstime: those of children that were waited for. */
const TIMES = { from: 11, to: 15 };

/** Returns the CPU milliseconds of these processes and all their descendants, including those that have ended. */
export const familyMs = (pids: readonly number[]): number =>
  familyOf(pids).reduce((sum, pid) => {
    const fields = readOr(`/proc/${pid}/stat`, "").split(") ")[1]?.split(" ").slice(TIMES.from, TIMES.to) ?? [];
    return sum + fields.reduce((ticks, field) => ticks + Number(field), 0) * (1_000 / TICKS);
  }, 0);

/** Returns the pid of the embedded Postgres in this folder. */
export const postmasterOf = async (folder: string): Promise<number> =>
  Number.parseInt(await Bun.file(join(folder, "postgres/cluster/postmaster.pid")).text(), 10);

/** Returns a function that lists the main threads of all current processes of the embedded Postgres in this folder. */
export async function backendsOf(folder: string): Promise<() => Threads> {
  const pid = await postmasterOf(folder);
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
