/** A thread that hashes passwords, one at a time, with a lower priority than the process's other threads. */
import { lowerThreadPriority } from "../thread-priority";
import type { HashAnswer, HashTask } from "./hash-threads";

declare const self: Worker;

lowerThreadPriority();

self.onmessage = ({ data }: MessageEvent<HashTask>) => self.postMessage(done(data));

function done(task: HashTask): HashAnswer {
  try {
    const { password } = task;
    if (task.type === "make") return { hash: Bun.password.hashSync(password, task.cost) };
    return { isRight: Bun.password.verifySync(password, task.hash) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
