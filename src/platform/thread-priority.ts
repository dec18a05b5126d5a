import { readlinkSync } from "node:fs";
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
