import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { openCLibrary } from "./c-library";

const OWN = 0;
/** Numbers of the system calls `sched_getscheduler` and `sched_setattr`, and what the latter takes: see `sched_setattr(2)`. */
const CALLS: Partial<Record<NodeJS.Architecture, { getPolicy: number; setAttributes: number }>> = {
  x64: { getPolicy: 145, setAttributes: 314 },
  arm64: { getPolicy: 120, setAttributes: 274 },
};
const USUAL_POLICY = 0;
const ATTRIBUTES_BYTES = 48;
const RESET_ON_FORK = 1n;
/** The shortest turn that Linux gives. */
const TURN_NS = 100_000n;

/**
 * Lets the calling thread, a process's main one, have a core as soon as there is something to answer. A thread that wakes on a busy
 * core is made to wait by Linux until the other's turn is over, which a clock of 250 Hz notices after up to 4 ms: whatever computes
 * beside it, an import or a backend of Postgres, delays answers by that. One whose own turns are short takes its turn at once,
 * and its share of the cores stays the same; so that takes no privilege. Threads and processes that it starts have turns of
 * the usual length. Linux has this from 6.12 on; elsewhere nothing changes.
 */
export function answerFirst(): void {
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
    // An operator may have given it another policy, which is not to be changed.
    if (syscall(calls.getPolicy, OWN, null, 0) !== USUAL_POLICY) return;
    // An answer of -1 is a system that does not have it, or does not let it be changed.
    syscall(calls.setAttributes, OWN, new Uint8Array(attributes.buffer), 0);
  } catch {
    // There is no C library that Bun can load.
  }
}

/**
 * Lets this thread stand back behind the process's others: where a core is short, answers come first and work that can
 * wait takes what is left. Linux alone has a priority by thread; elsewhere nothing changes.
 */
export function standBack(): void {
  if (process.platform !== "linux") return;
  const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  setPriority(threadId, constants.priority.PRIORITY_LOW);
}

/** As niceness is written: a tenth of what others have, or a third. With less, it would stand still on a machine that is full. */
const SHARES = { tenth: "10", third: "5" } as const;

/**
 * Lets this process stand back behind all others. Linux shares the cores out by session first and by priority only within one: a
 * process that shares its session with those that answer uses up their share. So it has to be started `detached`, which gives it
 * a session of its own, and takes a small share for that. Within a control group of its own, as in a container, and where
 * sessions have no shares, the priority alone counts.
 */
export function standBackApart(share: keyof typeof SHARES): void {
  setPriority(constants.priority.PRIORITY_LOW);
  if (process.platform !== "linux" || !isSessionLeader()) return;
  try {
    writeFileSync("/proc/self/autogroup", SHARES[share]);
  } catch {
    // Some systems have none, or do not let it be changed.
  }
}

/** Of another's session the share is not ours to change. */
function isSessionLeader(): boolean {
  const behindName = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1) ?? "";
  return Number(behindName.split(" ")[3]) === process.pid;
}
