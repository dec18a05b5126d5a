import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Lets this thread stand back behind the process's others: where a core is short, answers come first and work that can
 * wait takes what is left. Linux alone has a priority by thread; elsewhere nothing changes.
 */
export function standBack(): void {
  if (process.platform !== "linux") return;
  const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  setPriority(threadId, constants.priority.PRIORITY_LOW);
}

/** As niceness is written: a tenth of what others have. With the least there is, it would stand still on a machine that is full. */
const SHARE_LOW = "10";

/**
 * Lets this process stand back behind all others. Linux shares the cores out by session first and by priority only within one: a
 * process that shares its session with those that answer uses up their share. So it has to be started `detached`, which gives it
 * a session of its own, and takes a small share for that. Within a control group of its own, as in a container, and where
 * sessions have no shares, the priority alone counts.
 */
export function standBackApart(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  if (process.platform !== "linux" || !isSessionLeader()) return;
  try {
    writeFileSync("/proc/self/autogroup", SHARE_LOW);
  } catch {
    // Some systems have none, or do not let it be changed.
  }
}

/** Of another's session the share is not ours to change. */
function isSessionLeader(): boolean {
  const behindName = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1) ?? "";
  return Number(behindName.split(" ")[3]) === process.pid;
}
