import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Lets this thread stand back behind the process's others: where a core is short, answers come first. What must go on
 * nevertheless stands back `somewhat` and gets a tenth beside a busy neighbour; the rest has what is left, which may be
 * nothing for seconds. Linux alone has a priority by thread; elsewhere nothing changes.
 */
export function standBack(how: "somewhat" | "entirely"): void {
  if (process.platform !== "linux") return;
  const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  setPriority(threadId, PRIORITIES[how]);
}

const PRIORITIES = {
  somewhat: constants.priority.PRIORITY_BELOW_NORMAL,
  entirely: constants.priority.PRIORITY_LOW,
} as const;
