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

/** Milliseconds of each thread, so that one that ends meanwhile takes nothing away from the others. */
export type RunTimes = ReadonlyMap<string, number>;

export const runTimesOf = (threads: Threads): RunTimes =>
  new Map(threads.map((thread) => [thread, runTimeMs([thread])]));

/** Milliseconds of those that are still there; NaN where /proc does not tell. */
export const ranSince = (before: RunTimes, after: RunTimes): number =>
  after.size === 0
    ? Number.NaN
    : [...after].reduce((sum, [thread, ms]) => sum + Math.max(0, ms - (before.get(thread) ?? 0)), 0);

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

export const mainThreadsOf = (pids: readonly number[]): Threads => pids.map((pid) => `/proc/${pid}/task/${pid}`);

/** These processes and all that they started, each once; those that left their session, but not their parent, are among them. */
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

/** Clock ticks a second of /proc, the same on every Linux that Bun runs on. */
const TICKS = 100;
/** utime, stime, and the same of children that have ended and were waited for. */
const TIMES = { from: 11, to: 15 };

/** Milliseconds of these processes, of all that they started, and of those among them that have ended. */
export const familyMs = (pids: readonly number[]): number =>
  familyOf(pids).reduce((sum, pid) => {
    const fields = readOr(`/proc/${pid}/stat`, "").split(") ")[1]?.split(" ").slice(TIMES.from, TIMES.to) ?? [];
    return sum + fields.reduce((ticks, field) => ticks + Number(field), 0) * (1_000 / TICKS);
  }, 0);

/** Of the embedded Postgres in this folder. */
export const postmasterOf = async (folder: string): Promise<number> =>
  Number.parseInt(await Bun.file(join(folder, "postgres/cluster/postmaster.pid")).text(), 10);

/** All processes of the embedded Postgres in this folder, as they are when asked for. */
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
