/** A thread that hashes passwords, one at a time, and stands back behind the others of the process. */

import { standBack } from "../thread-priority";
import type { HashAnswer, HashTask } from "./hash-threads";

declare const self: Worker;

standBack();

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
