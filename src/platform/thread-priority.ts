import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { openCLibrary } from "./c-library";

const OWN = 0;
/**
 * Numbers of the system calls `sched_getscheduler` and `sched_setattr`. For the argument of the latter see
 * `sched_setattr(2)`.
 */
const CALLS: Partial<Record<NodeJS.Architecture, { getPolicy: number; setAttributes: number }>> = {
  x64: { getPolicy: 145, setAttributes: 314 },
  arm64: { getPolicy: 120, setAttributes: 274 },
};
const USUAL_POLICY = 0;
const ATTRIBUTES_BYTES = 48;
const RESET_ON_FORK = 1n;
/** The shortest time slice that Linux gives. */
const TURN_NS = 100_000n;

/**
 * Lets the calling thread, a process's main one, get a core as soon as there is something to do. On a busy core,
 * Linux makes a thread that wakes wait until the time slice of the other is over, which a clock of 250 Hz notices
 * after up to 4 ms: anything that computes beside it, an import or a Postgres backend, delays responses by that. A
 * thread whose own slices are short gets the core immediately, while its share of the cores stays the same; so this
 * takes no privilege. Threads and processes that it starts have slices of the usual length. Linux has this from 6.12
 * on; elsewhere nothing changes.
 */
export function useShortTimeSlices(): void {
  const calls = CALLS[process.arch];
  if (process.platform !== "linux" || !calls) return;
  const attributes = new DataView(new ArrayBuffer(ATTRIBUTES_BYTES));
  attributes.setUint32(0, ATTRIBUTES_BYTES, true);
  attributes.setUint32(4, USUAL_POLICY, true);
  attributes.setBigUint64(8, RESET_ON_FORK, true);
  attributes.setInt32(16, getPriority(OWN), true);
  attributes.setBigUint64(24, TURN_NS, true);
  try {
    const { syscall } = openCLibrary({ syscall: { args: ["i64", "i64", "ptr", "i64"], returns: "i32" } });
    // An operator may have chosen another policy, which must not be changed.
    if (syscall(calls.getPolicy, OWN, null, 0) !== USUAL_POLICY) return;
    // A result of -1 means that the system does not have this, or does not let it be changed.
    syscall(calls.setAttributes, OWN, new Uint8Array(attributes.buffer), 0);
  } catch {
    // Bun can load no C library: nothing changes.
  }
}

/** Of a core that others demand: 3.5 %. */
const WAITING_NICE = 15;

/**
 * Gives this thread a small share of the cores: when they are short, responses come first, and work that can wait takes
 * what is left. With the lowest priority, a share of 1.5 %, clicks came a minute late on a machine that is full; with a
 * tenth, redirects on a single full core would wait longer. Only Linux has a priority per thread; elsewhere nothing
 * changes. Nor does it for a process that was started with a lower priority: only a privileged one could raise it.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  setPriority(threadId, Math.max(getPriority(threadId), WAITING_NICE));
}

/**
 * Nice values of a session or a process: a tenth of what others have, or a third. With less, the process would stand
 * still on a machine that is full.
 */
const SHARES = { tenth: 10, third: 5 } as const;
/** The largest value that there is. */
const ENDED_FIRST = "1000";

/**
 * Gives this process a small share of the cores. Linux shares them out by session first, and by priority only within one:
 * a process that shares its session with those that serve requests uses up their share. So it has to be started
 * `detached`, which gives it its own session, and takes a small share for that session. Within its own control group, as
 * in a container, and where sessions have no shares, only the priority counts, which is that of the same share. A process
 * that was started with a lower one keeps that.
 *
 * If memory runs out, Linux ends this process rather than the server. Its work must be one that is started again.
 */
export function lowerProcessPriority(share: keyof typeof SHARES): void {
  const nice = SHARES[share];
  setPriority(Math.max(getPriority(), nice));
  if (process.platform !== "linux") return;
  writeIfPossible("/proc/self/oom_score_adj", ENDED_FIRST);
  if (isSessionLeader()) writeIfPossible("/proc/self/autogroup", String(nice));
}

/** Some systems do not have these files, or do not let them be changed. */
function writeIfPossible(path: string, value: string): void {
  try {
    writeFileSync(path, value);
  } catch {}
}

/** The share of a session that another process leads is not ours to change. */
function isSessionLeader(): boolean {
  const behindName = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1) ?? "";
  return Number(behindName.split(" ")[3]) === process.pid;
}
