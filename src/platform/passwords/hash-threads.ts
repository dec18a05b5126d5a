/**
 * Runs the threads that hash passwords. A hash takes about 20 ms of CPU time, and Bun's own threads would take it
 * from the thread that serves requests: under a flood of sign-ins, the p99 of redirects was three to six times that
 * of a quiet server. These threads have a lower priority (on Linux; elsewhere they are ordinary threads), and it is
 * one to two times.
 *
 * States of a thread: idle ⇄ busy with one task. A thread that fails meanwhile is terminated, and its task fails with
 * it. A thread starts with the first task that finds none idle, and stays. Bounds: as many threads as the caller ever
 * has tasks in progress at a time. Idle threads keep no process alive.
 */
import { entryPath } from "../own-files";

export type HashTask =
  | { type: "make"; password: string; cost: Bun.Password.Argon2Algorithm }
  | { type: "verify"; password: string; hash: string };

export interface HashAnswer {
  hash?: string;
  isRight?: boolean;
  failure?: string;
}

const idle: Worker[] = [];

/** Rejects for an impossible cost. */
export async function makeHash(password: string, cost: Bun.Password.Argon2Algorithm): Promise<string> {
  const { hash, failure } = await inThread({ type: "make", password, cost });
  if (hash === undefined) throw new Error(failure);
  return hash;
}

/** Rejects for a text that is not a hash. */
export async function verifyHash(password: string, hash: string): Promise<boolean> {
  const { isRight, failure } = await inThread({ type: "verify", password, hash });
  if (isRight === undefined) throw new Error(failure);
  return isRight;
}

async function inThread(task: HashTask): Promise<HashAnswer> {
  const thread = idle.pop() ?? begin();
  thread.ref();
  try {
    const answer = await answerOf(thread, task);
    thread.unref();
    idle.push(thread);
    return answer;
  } catch (error) {
    thread.terminate();
    throw error;
  }
}

function begin(): Worker {
  const thread = new Worker(entryPath("hashThread"));
  thread.addEventListener("close", () => {
    const at = idle.indexOf(thread);
    if (at >= 0) idle.splice(at, 1);
  });
  return thread;
}

function answerOf(thread: Worker, task: HashTask): Promise<HashAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HashAnswer>();
  const ended = () => reject(new Error("A hash thread stopped"));
  thread.addEventListener("close", ended);
  thread.onerror = ({ message }) => reject(new Error(`A hash thread failed: ${message}`));
  thread.onmessage = ({ data }: MessageEvent<HashAnswer>) => resolve(data);
  thread.postMessage(task);
  return promise.finally(() => thread.removeEventListener("close", ended));
}
